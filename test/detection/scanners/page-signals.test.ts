import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PAGE_KINDS, pageSignals } from "../../../src/detection/scanners/page-signals.ts";
import type { SignalKind } from "../../../src/detection/signals.ts";
import type { HttpExchange } from "../../../src/net/snapshot.ts";
import { processorMs } from "../../processor-time.ts";

const acme = { name: "acme.example", label: "acme" };

function page(body: string, more: Partial<HttpExchange> = {}): HttpExchange {
  const headers = [["content-type", "text/html; charset=utf-8"]] as const;
  return { method: "GET", url: "https://www.acme.example/en/", status: "ok", code: 200, headers, body, ...more };
}

function values(kind: SignalKind, body: string, more: Partial<HttpExchange> = {}): string[] {
  return pageSignals(page(body, more), acme)
    .filter((signal) => signal.kind === kind)
    .map((signal) => signal.value);
}

const headers = (...pairs: [string, string][]) => ({ headers: pairs });

test.each<[string, string, SignalKind, string[]]>([
  [
    "a script",
    `<script src="https://js.vendor.test/a.js?b=1&amp;c=2">`,
    "html.script",
    ["https://js.vendor.test/a.js?b=1&c=2"],
  ],
  [
    "a script without quotes",
    "<SCRIPT async SRC=//js.vendor.test/a.js></SCRIPT>",
    "html.script",
    ["https://js.vendor.test/a.js"],
  ],
  [
    "a script beside an attribute whose name is as long and begins and ends alike",
    `<script sbc="https://no.vendor.test/a.js" src="https://js.vendor.test/a.js"></script>`,
    "html.script",
    ["https://js.vendor.test/a.js"],
  ],
  [
    "a script's first address of two",
    `<script src="https://js.vendor.test/a.js" src="https://no.vendor.test/a.js"></script>`,
    "html.script",
    ["https://js.vendor.test/a.js"],
  ],
  [
    "a script that waits for consent",
    `<script type="text/plain" data-src="https://js.vendor.test/a.js">`,
    "html.script",
    ["https://js.vendor.test/a.js"],
  ],
  [
    "a script that a data attribute of another element names, not one of the company",
    `<div data-src="https://js.vendor.test/sdk.js?v=2" data-own="/a.js" data-page="https://js.vendor.test/page">`,
    "html.inline-url",
    ["https://js.vendor.test/sdk.js?v=2"],
  ],
  [
    "a file that a caching plug-in merged, whose tag is left in a comment",
    `<!-- <script src='/wp-content/plugins/a/a.js'></script> --><script src="/wp-content/cache/wpfc-minified/b.js">`,
    "html.script",
    [
      "https://www.acme.example/wp-content/plugins/a/a.js",
      "https://www.acme.example/wp-content/cache/wpfc-minified/b.js",
    ],
  ],
  [
    "no file in a comment, without that plug-in",
    `<!-- <script src='/wp-content/plugins/a/a.js'></script> -->`,
    "html.script",
    [],
  ],
  [
    "a relative script, from the base",
    `<base href="https://cdn.acme.example/v2/"><script src="a.js">`,
    "html.script",
    ["https://cdn.acme.example/v2/a.js"],
  ],
  [
    "the markup of a comment that is none in HTML",
    "text<!foo><?php x ?><!<p>><!-- y -->",
    "html.markup",
    ["<!foo><?php x ?><!-- y -->"],
  ],
  ["no script in a comment", `<!-- <script src="https://js.vendor.test/a.js"></script> -->`, "html.script", []],
  [
    "a script in a conditional comment as a hint",
    `<!--[if lt IE 9]><script src="https://js.vendor.test/a.js"></script><![endif]-->`,
    "html.hint",
    ["https://js.vendor.test/a.js"],
  ],
  [
    "of an extension's file in a conditional comment its directory",
    `<!--[if IE]><link href="/wp-content/themes/harbour/ie.css" rel="stylesheet"><script src="/js/a.js"></script><![endif]-->`,
    "html.path",
    ["/wp-content/themes/harbour/"],
  ],
  [
    "a script in an inert template",
    `<template><script src="https://js.vendor.test/a.js"></script></template>`,
    "html.script",
    ["https://js.vendor.test/a.js"],
  ],
  [
    "no mark-up in a comment",
    `<p class="a"><!-- <div class="vendor-root"></div> --><!-- Vendor begins -->`,
    "html.markup",
    [`<p class="a"><!-- Vendor begins -->`],
  ],
  [
    "classes, ids and data attributes, each once",
    `<p class="a b" id="c" data-d="1"><p class="a b">`,
    "html.names",
    ["a b #c data-d"],
  ],
  [
    "no data attribute that switches something off",
    `<p data-a-enabled="false" data-b-active="0" data-c-enabled="true" data-d-play="false" data-e-id="" data-f-key data-g-id="7">`,
    "html.names",
    ["data-c-enabled data-d-play data-g-id"],
  ],
  [
    "the first tag with each element and attribute that HTML does not have, and custom properties",
    `<X-App id="a"><p class="b" x-show="c" title="x-text='d'"><!-- <p x-text="e"> --><p x-show="f"><b style="--y-z: 1"><i style="color:red">`,
    "html.custom",
    [`<X-App id="a">\n<p class="b" x-show="c" title="x-text='d'">\n<b style="--y-z:">\n`],
  ],
  [
    "of a long tag its names, of a property that a page repeats the first",
    `${'<i style="--n:1">'.repeat(200)}<p x-a="${"b".repeat(2_000)}" style="--n:2;--o:3;a--p:4" x-c>`,
    "html.custom",
    [`<i style="--n:">\n<p style="--o:">\n<p x-a= style= x-c=>\n`],
  ],
  [
    "no address in a comment of a style sheet",
    `<style>/* url(https://no.vendor.test/a.css) */ p{background:url(https://i.vendor.test/a.png)}</style>`,
    "html.inline-host",
    ["i.vendor.test"],
  ],
  [
    "the address of a file in a script",
    `<script>load("https:\\/\\/js.vendor.test\\/a.js?b=1")</script>`,
    "html.inline-url",
    ["https://js.vendor.test/a.js?b=1"],
  ],
  [
    "an embedding address of a library without what it embeds as a hint",
    `<script>patterns = { video: "https://video.vendor.test/embed/%id%", own: "https://video.vendor.test/embed/a1b2" }</script>`,
    "html.hint",
    ["https://video.vendor.test/embed/%id%"],
  ],
  [
    "no address of a link in a script's selector",
    `<script>$("a[href*='//js.vendor.test/a.js']")</script>`,
    "html.inline-host",
    [],
  ],
  [
    "no address of a link in settings, but one of a file",
    `<script>footer = {"href":"https://privacy.vendor.test/choices"}; load = {"href":"https://css.vendor.test/a.css"}</script>`,
    "html.inline-host",
    ["css.vendor.test"],
  ],
  [
    "no address in a script that tests for ad blockers",
    `<script>test("https://js.vendor.test/a.js","https://b.vendor.test/images/pixel.gif?ch=1")</script>`,
    "html.inline-host",
    [],
  ],
  [
    "no address that code asks for without its content",
    `<script>fetch("https://js.vendor.test/a.js",{method:"HEAD",mode:"no-cors"}).catch(blocked);x.open("HEAD","https://b.vendor.test/b.js")</script>`,
    "html.inline-host",
    [],
  ],
  [
    "the address that code fetches",
    `<script>fetch("https://js.vendor.test/a.json",{method:"POST"})</script>`,
    "html.inline-host",
    ["js.vendor.test"],
  ],
  [
    "the hosts that count a podcast's file",
    `<script type="application/json">{"u":"https://a.vendor.test/redirect.mp3/b.other.test/track/c.third.test/1.mp3"}</script>`,
    "html.inline-host",
    ["a.vendor.test", "b.other.test", "c.third.test"],
  ],
  [
    "data in a script and in an attribute",
    `<script type="application/json">{"a":1}</script><div data-page="{&quot;b&quot;:2}"></div>`,
    "html.data",
    [`{"a":1}`, `{"b":2}`],
  ],
  [
    "no script in a text area",
    `<textarea><script src="https://js.vendor.test/a.js"></script></textarea>`,
    "html.script",
    [],
  ],
  ["no data: address", `<script src="data:text/javascript,1"></script>`, "html.script", []],
  [
    "a style sheet",
    `<link rel="stylesheet" href="https://css.vendor.test/a.css">`,
    "html.link",
    ["https://css.vendor.test/a.css"],
  ],
  ["no canonical address", `<link rel="canonical" href="https://acme.vendor.test/">`, "html.link", []],
  ["a hint", `<link href="//js.vendor.test" rel="dns-prefetch">`, "html.hint", ["https://js.vendor.test/"]],
  ["no hint of its own host", `<link href="//cdn.acme.example" rel="preconnect">`, "html.hint", []],
  [
    "a pixel for visitors without scripts",
    `<noscript><img height=1 src='https://px.vendor.test/1.gif'></noscript>`,
    "html.image",
    ["https://px.vendor.test/1.gif"],
  ],
  [
    "an image's first candidate",
    `<img srcset="https://img.vendor.test/1.png 1x, https://img.vendor.test/2.png 2x">`,
    "html.image",
    ["https://img.vendor.test/1.png"],
  ],
  ["a frame", `<iframe src="https://f.vendor.test/x"></iframe>`, "html.frame", ["https://f.vendor.test/x"]],
  [
    "a frame that loads late",
    `<iframe data-src="https://f.vendor.test/x"></iframe>`,
    "html.frame",
    ["https://f.vendor.test/x"],
  ],
  ["an object", `<object data="https://f.vendor.test/x"></object>`, "html.frame", ["https://f.vendor.test/x"]],
  [
    "a form",
    `<form method=post action="https://forms.vendor.test/submit#x">`,
    "html.form",
    ["https://forms.vendor.test/submit"],
  ],
  [
    "a link to another site",
    `<a href="https://acme.vendor.test/jobs/1">`,
    "html.anchor",
    ["https://acme.vendor.test/jobs/1"],
  ],
  [
    "a place once",
    `<a href="https://v.test/acme/1"><a href="https://v.test/acme/2"><a href="https://v.test/other">`,
    "html.anchor",
    ["https://v.test/acme/1", "https://v.test/other"],
  ],
  [
    "no link to itself",
    `<a href="https://blog.acme.example/"><a href="/x"><a href="mailto:a@v.test">`,
    "html.anchor",
    [],
  ],
  [
    "first-party paths",
    `<script src="/_next/a.js?v=1"></script><img src="https://cdn.acme.example/b.png">`,
    "html.path",
    ["/_next/a.js?v=1", "/b.png"],
  ],
  [
    "the path of an interface",
    `<link rel="https://api.w.org/" href="https://www.acme.example/wp-json/">`,
    "html.path",
    ["/wp-json/"],
  ],
  ["a meta tag", `<meta content="Tool 1.2" NAME="Generator">`, "html.meta", ["generator: Tool 1.2"]],
  ["no meta tag that nobody filled in", `<meta name="tool-verification" content=" ">`, "html.meta", []],
  [
    "no meta tag for people",
    `<meta property="og:description" content="We love Tool"><meta name="keywords" content="Tool">`,
    "html.meta",
    [],
  ],
  [
    "a policy in a meta tag",
    `<meta http-equiv="Content-Security-Policy" content="img-src 'self' https://*.vendor.test:443/x">`,
    "http.policy-host",
    ["vendor.test"],
  ],
])("a page emits %s", (_, body, kind, expected) => {
  expect(values(kind, body)).toEqual(expected);
});

describe("inline scripts", () => {
  test("each is a separate signal, and data blocks are ignored", () => {
    const body = `<script>var a = 1</script><script type="application/ld+json">{}</script><script type="text/template"><b></script><script>b()</script>`;
    expect(values("html.inline", body)).toEqual(["var a = 1", "b()"]);
  });

  test.each(["text/x-jquery-tmpl", "text/x-jsrender", "text/liquid", "application/xml", "riot/tag"])(
    "a template is none: %s",
    (type) => {
      expect(values("html.inline", `<script type="${type}">fbq('init','1')</script>`)).toEqual([]);
    },
  );

  test("code that is commented out is no part of them; a comment in which software names itself is", () => {
    const body = `<script>/* Built with Widget v1.2 */ a(); // widget("UA-12345-1");\n/* var widgetKey = "1"; */</script><script>// b();</script>`;
    expect(values("html.inline", body).map((text) => text.trim())).toEqual(["/* Built with Widget v1.2 */ a();"]);
  });

  test("the state of a Next.js page emits only its name", () => {
    expect(values("html.inline", `<script id="__NEXT_DATA__" type="application/json">{"a":1}</script>`)).toEqual([
      "__NEXT_DATA__",
    ]);
  });

  test("a script in a data URL is read", () => {
    const packed = Buffer.from(`load("https://js.vendor.test/a.js")`).toString("base64");
    const body = `<script src="data:text/javascript;base64,${packed}"></script><script src="data:text/javascript,a%28%29%2B1"></script>`;
    expect(values("html.inline", body)).toEqual([`load("https://js.vendor.test/a.js")`, "a()+1"]);
    expect(values("html.inline-host", body)).toEqual(["js.vendor.test"]);
  });

  test.each<[string, string, string[]]>([
    ["whole", `s.src="https://js.vendor.test/a.js"`, ["js.vendor.test"]],
    ["without a scheme", `s.src='//JS.vendor.test/a.js'`, ["js.vendor.test"]],
    ["with escaped slashes", `{"u":"https:\\/\\/js.vendor.test\\/a"}`, ["js.vendor.test"]],
    ["with slashes as code points", `{"u":"https:\\u002F\\u002Fjs.vendor.test\\u002Fa"}`, ["js.vendor.test"]],
    [
      "joined to its scheme",
      `("https:" == location.protocol ? "https://" : "http://") + "CDN.vendor.test/widgets/tab.js"`,
      ["cdn.vendor.test"],
    ],
    ["joined to a word", `"see " + "vendor.test/pricing"`, []],
    ["cut off, and so no host", `"https://js." + region + ".vendor.test"`, []],
    ["with a hole, and so no host", `\`https://vendor\${region}.test/\``, []],
    ["of the company itself", `"https://api.acme.example/"`, []],
    ["in a comment", "// vendor.test is nice\n", []],
    ["of a line that is commented out", `a();\n  // s.src = "https://js.vendor.test/a.js"\nb()`, []],
    [
      "of a block of settings that is switched off",
      `{"widget":{"enabled":"0","url":"https://js.vendor.test/a.js"}}`,
      [],
    ],
    [
      "beside such a block",
      `{"widget":{"enabled":false,"a":{"b":1}},"url":"https://js.vendor.test/a.js"}`,
      ["js.vendor.test"],
    ],
    [
      "of a font service in the code of Web Font Loader",
      `a.push("https://use.typekit.net/");b="//f.fontdeck.com/s/css/js/";c="https://js.vendor.test/a.js"`,
      ["js.vendor.test"],
    ],
    ["of a block that is commented out", `/* load("//js.vendor.test/a.js") */ b()`, []],
    ["of a licence or a manual", `"http://www.w3.org/2000/svg" "https://docs.vendor.test/errors"`, []],
    ["of a link in the content", `{"html":"\\u003ca href=\\"https://js.vendor.test/\\">"}`, []],
    [
      "of an entry of a menu",
      `x = {"menu":[{"uri":"https:\\/\\/choices.vendor.test\\/?type=1","label":"Your choices"}]}`,
      [],
    ],
    [
      "of a style sheet in plain data",
      `x = {"href":"https://css.vendor.test/css?f=1","rel":"stylesheet"}`,
      ["css.vendor.test"],
    ],
    ["of a file in plain data", `x = {"href":"https://js.vendor.test/a.css"}`, ["js.vendor.test"]],
    [
      "of a library that plays videos of every service",
      `y = t.match(/youtu\\.be\\/(\\w+)/); v = t.match(/vimeo\\.com\\/(\\d+)/); s.src = "//video.vendor.test/iframe_api"`,
      [],
    ],
    ["of a player that a page loads", `s.src = "https://video.vendor.test/iframe_api"`, ["video.vendor.test"]],
    ["of content in a page's state", `self.__next_f.push([1,"x \\"url\\":\\"https://js.vendor.test/story\\""])`, []],
    [
      "of a file in a page's state",
      `self.__next_f.push([1,"\\"src\\":\\"https://js.vendor.test/a.js\\""])`,
      ["js.vendor.test"],
    ],
  ])("an address %s", (_, code, hosts) => {
    expect(values("html.inline-host", `<script>${code}</script>`)).toEqual(hosts);
  });

  test("style sheets emit the hosts that they load from, not those in comments", () => {
    const body = `<style>/* https://a.test */ @import "//b.test/x.css"; p{background:url(https://c.test/1.png)}</style><p style="background:url('//d.test/2.png')">`;
    expect(values("html.inline-host", body)).toEqual(["b.test", "c.test", "d.test"]);
  });
});

test("of a conditional comment, markup contains the directory of the theme", () => {
  const comment = `<!--[if lt IE 9]><script src="https://www.acme.example/wp-content/themes/pine/html5.js"></script><![endif]-->`;
  expect(values("html.markup", `<p>${comment}`)).toEqual(["<p>/wp-content/themes/pine/"]);
});

test("markup contains tags and comments, without text and scripts", () => {
  const body = `<!-- built with Tool --><div id="app" class="tool-x" title="Say Tool" data-tool="1">We use Tool<script>Tool()</script><a class="y" href="https://tool.test/">`;
  expect(values("html.markup", body)).toEqual([
    `<!-- built with Tool --><div id="app" class="tool-x"  data-tool="1"><script><a class="y" >`,
  ]);
});

describe("heads", () => {
  test("headers are emitted, except meaningless ones", () => {
    const more = headers(["Server", "Tool/1"], ["date", "now"], ["set-cookie", "a=1"], ["content-length", "1"]);
    expect(values("http.header", "", more)).toEqual(["server: Tool/1"]);
  });

  test("cookies are emitted by name only", () => {
    const more = headers(["set-cookie", "__tool=secret; Path=/"], ["set-cookie", "b"], ["set-cookie", "=c"]);
    expect(values("http.cookie", "", more)).toEqual(["__tool", "b"]);
  });

  test.each<[string, string, string[]]>([
    [
      "content-security-policy",
      "default-src 'self' data: https://*.a.test wss://b.test; report-uri https://c.test/r/1",
      ["a.test", "b.test", "c.test"],
    ],
    [
      "content-security-policy-report-only",
      "script-src acme.example *.acme.example www.a.test/x.js 'nonce-abc.def='",
      ["www.a.test"],
    ],
    [
      "report-to",
      `{"group":"g","endpoints":[{"url":"https:\\/\\/r.a.test\\/x"},{"url":"https://r.b.test/x"}]}`,
      ["r.a.test", "r.b.test"],
    ],
    ["reporting-endpoints", `default="https://r.a.test/x"`, ["r.a.test"]],
    ["permissions-policy", `payment=(self "https://pay.a.test"), camera=()`, ["pay.a.test"]],
    [
      "link",
      `<https://a.test>; rel=preconnect; crossorigin, </x.js>; rel=preload, <https://b.test/>; rel="canonical"`,
      ["a.test"],
    ],
    ["x-other", "https://a.test", []],
  ])("the policy %s contains hosts", (name, value, hosts) => {
    expect(values("http.policy-host", "", headers([name, value]))).toEqual(hosts);
  });

  test("an error page emits only its head", () => {
    const kinds = pageSignals(page(`<script src="https://js.vendor.test/a.js">`, { code: 404 }), acme).map(
      (s) => s.kind,
    );
    expect(new Set(kinds)).toEqual(new Set(["http.header"]));
  });

  test("a body of another type is not a page", () => {
    const more = headers(["content-type", "application/json"]);
    expect(values("html.script", `<script src="https://js.vendor.test/a.js">`, more)).toEqual([]);
  });
});

describe("hostile pages", () => {
  test("are read once, however many scanners ask", () => {
    const once = page("<script src=/a.js></script>");
    expect(pageSignals(once, acme)).toBe(pageSignals(once, acme));
    expect(pageSignals(once, { name: "other.example", label: "other" })).not.toBe(pageSignals(once, acme));
  });

  test("with policies without end yield the hosts of the first 128 Ki characters", () => {
    const policy = (hosts: string) => `<meta http-equiv="content-security-policy" content="script-src ${hosts}">`;
    const early = policy("early.vendor.com ".repeat(1_000)).repeat(10);
    expect(values("http.policy-host", early + policy("late.vendor.com"))).toEqual(["early.vendor.com"]);
  });

  const mebi = 1_048_576;
  test.each([
    ["scripts without an end", "<script>".repeat(100_000)],
    ["many scripts", Array.from({ length: 50_000 }, (_, at) => `<script src=//h${at}.test/></script>`).join("")],
    ["an attribute of 3 MiB", `<img src="${"a".repeat(3 * mebi)}">`],
    ["millions of attributes", `<a ${"a ".repeat(mebi)}>`],
    ["brackets", "<".repeat(2 * mebi)],
    ["comments without an end", "<!--".repeat(mebi / 2)],
    ["addresses without an end", `<script>${'"//a.test'.repeat(200_000)}`],
    ["references", `<img src="${"&#".repeat(mebi)}">`],
    ["imports", `<style>${"@import  ".repeat(200_000)}`],
    ["comments", `<script>${"/*".repeat(mebi / 2)}//</script>`],
    ["quotes", `<script>${'"\\'.repeat(mebi / 2 - 8)} //</script>`],
    ["regular expressions", `<script>${"=/a".repeat(300_000)} //</script>`],
    ["line comments", `<script>${"//=\n".repeat(200_000)}</script>`],
  ])("%s end soon and stay small", (_, body) => {
    const began = processorMs();
    const signals = pageSignals(page(body), acme);
    expect(processorMs() - began).toBeLessThan(2_000);
    const counts = Map.groupBy(signals, (signal) => signal.kind);
    for (const [, found] of counts) expect(found.length).toBeLessThanOrEqual(2_000);
    expect(signals.filter((signal) => /^https?:/.test(signal.value) && signal.value.length > 2_048)).toEqual([]);
  });

  test("inline scripts beyond 1 Mi characters are not kept", () => {
    const long = `<script>${"a".repeat(700_000)}</script>`;
    const kept = values("html.inline", `${long}<script>${"b".repeat(700_000)}</script>`);
    expect(kept.join("").length).toBe(mebi);
  });

  const scrap = fc.oneof(
    fc.constantFrom(
      ...[
        "<script",
        "<a",
        "<meta ",
        "<link rel=icon",
        "<base",
        "<style>",
        "<!--",
        "-->",
        "</script>",
        "<svg>",
        "<img ",
      ],
      ...[
        " src=",
        " href=",
        " content=",
        ' name="a"',
        "'",
        '"',
        ">",
        "/>",
        "=",
        "&#x0;",
        "&amp;",
        "//a.test",
        "https://",
      ],
      ...[
        "https:\\/\\/b.test",
        "data:text/javascript;base64,",
        "url(",
        "\\u002F\\u002F",
        "\0",
        "[",
        "http://[::1",
        "%",
      ],
    ),
    fc.string(),
  );
  test("no garbage throws, hangs, or emits an undeclared kind", () => {
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 80 }), fc.array(scrap, { maxLength: 10 }), (body, header) => {
        const pairs = [
          ["content-type", "text/html"],
          ["link", header.join("")],
          ["report-to", header.join("")],
        ] as const;
        const signals = pageSignals(page(body.join(""), { headers: pairs }), acme);
        for (const { kind } of signals) expect(PAGE_KINDS).toContain(kind as (typeof PAGE_KINDS)[number]);
      }),
      { numRuns: 10_000 },
    );
  }, 60_000);
});

test("files that an address combines are signals of their own", () => {
  const body = `<script src="/_static/??/js/a.js,/js/b.js"></script>`;
  expect(values("html.path", body)).toEqual(["/_static/??/js/a.js,/js/b.js", "/js/a.js", "/js/b.js"]);
  expect(values("html.script", body)).toContain("https://www.acme.example/js/b.js");
});

test("an exchange of ids with partners of a platform is only a hint", () => {
  const body = `<script>pixels = ["https://ads.vendor.test/usersync?id=1", "https://tag.vendor.test/a.js"];</script>`;
  expect(values("html.hint", body)).toEqual(["https://ads.vendor.test/usersync?id=1"]);
  expect(values("html.inline-host", body)).toEqual(["tag.vendor.test"]);
});

test.each([
  "/ibs:dpid=411&dpuuid=1",
  "/track/cmf/generic?ttd_pid=1",
  "/pixel?google_nid=1&google_cm",
  "/w/1.0/sd?id=1",
  "/AdServer/Pug?vcode=1",
  "/match?bid=1",
  "/serving/cookie/match/?party=1",
  "/usermatchredir?s=1",
  "/AdServer/js/user_sync.html?p=1",
])("an address of an exchange of ids is only a hint: %s", (path) => {
  const body = `<script>pixels = ["https://ads.vendor.test${path}"];</script>`;
  expect(values("html.hint", body)).toEqual([`https://ads.vendor.test${path}`]);
  expect(values("html.inline-host", body)).toEqual([]);
});

test("a picture of an exchange of ids is only a hint", () => {
  const body = `<img src="https://ads.vendor.test/ibs:dpid=411&dpuuid=1"><img src="https://cdn.vendor.test/a.png">`;
  expect(values("html.hint", body)).toEqual(["https://ads.vendor.test/ibs:dpid=411&dpuuid=1"]);
  expect(values("html.image", body)).toEqual(["https://cdn.vendor.test/a.png"]);
});

test.each(["/matches?day=1", "/api/sync/feed.js", "/pixel?id=1", "/map/c?lat=1"])(
  "an address that only looks like one counts: %s",
  (path) => {
    const body = `<script>pixels = ["https://ads.vendor.test${path}"];</script>`;
    expect(values("html.inline-host", body)).toEqual(["ads.vendor.test"]);
  },
);

test("files that Drupal's settings list are paths", () => {
  const body = String.raw`<script>jQuery.extend(Drupal.settings, {"ajaxPageState":{"js":{"misc\/jquery.once.js":1,"a.js":1}}});</script>`;
  expect(values("html.path", body)).toEqual(["/misc/jquery.once.js"]);
});
