import { describe, expect, test } from "bun:test";
import {
  CHINESE,
  GERMAN_BLOG_THEME,
  GERMAN_BLOG_THEME_TEXT,
  SECTIONS_WITHOUT_MAIN,
  SECTIONS_WITHOUT_MAIN_TEXT,
  UTILITY_CLASSES,
  UTILITY_CLASSES_TEXT,
} from "./case-study-pages.ts";
import { inMain, read, STORY, URL_OF_PAGE } from "./read.ts";

describe("the story is the page without menus, banners, calls to action and related stories", () => {
  test("on a page of sections without a main part", async () => {
    const { markdown, title, site_name } = await read(SECTIONS_WITHOUT_MAIN);
    expect({ markdown, title, site_name }).toEqual({
      markdown: SECTIONS_WITHOUT_MAIN_TEXT,
      title: "How Pinecrest cut dispatch time",
      site_name: "Routely",
    });
  });

  test("in a German blog theme", async () => {
    const { markdown, title, language, published_at, published_from } = await read(GERMAN_BLOG_THEME);
    expect(markdown).toBe(GERMAN_BLOG_THEME_TEXT);
    expect({ title, language, published_at, published_from }).toEqual({
      title: "Bergmann Optik verkürzt den Kassenabschluss",
      language: "de-DE",
      published_at: "2024-03-05",
      published_from: "time",
    });
  });

  test("with utility classes, lists, code, a table and figures in terms", async () => {
    const { markdown, title } = await read(UTILITY_CLASSES);
    expect(markdown).toBe(UTILITY_CLASSES_TEXT);
    expect(title).toBe("Acorn Bank closes its books in one day");
  });

  test("in Chinese, under a template's wrong language", async () => {
    const { markdown, title, language, published_at } = await read(CHINESE);
    expect({ title, language, published_at }).toEqual({
      title: "海港物流缩短结算时间",
      language: "zh",
      published_at: "2024-03-05",
    });
    expect(markdown).toBe(
      "海港物流成立于1998年，在全国拥有42个仓库，每天处理超过三十万件包裹。\n\n使用云枢之后，结算周期从12天缩短到3天。",
    );
  });

  test("figures in a sidebar before the heading stay", async () => {
    const { markdown } = await read(
      inMain(
        `<aside><div class="stat"><b>60%</b><span>lower cost</span></div></aside><div><h1>Pinecrest</h1>${STORY}</div>`,
      ),
    );
    expect(markdown).toStartWith("60% lower cost\n\nPinecrest moves chilled food");
  });

  test("a hero above the main part belongs to the story if it has the title", async () => {
    const { markdown, title } = await read(
      `<head><title>Pinecrest plans live | Routely</title></head><body><nav>Menu</nav><div class="hero"><h1>Pinecrest plans live</h1>
       <div><b>60%</b><span>lower cost</span></div></div><main>${STORY}</main><div><p>Subscribe to letters</p></div></body>`,
    );
    expect(title).toBe("Pinecrest plans live");
    expect(markdown).toStartWith("60% lower cost\n\nPinecrest moves");
    expect(markdown).toEndWith("Dispatch now takes 70 minutes.");
  });

  test("a form is removed, but not a page that is one form", async () => {
    const form = "<form><label>Get our letter</label><input><p>We write once a month.</p></form>";
    expect((await read(inMain(`<h1>T</h1>${STORY}${form}`))).markdown).toEndWith("Dispatch now takes 70 minutes.");
    expect((await read(`<body><form><h1>T</h1>${STORY}</form></body>`)).markdown).toContain("Pinecrest moves");
  });

  test("repeated text is read once, the speaker after each quote", async () => {
    const said = (text: string) => `<blockquote>${text}</blockquote><p>— Mira Holt, Head of Dispatch at Pinecrest</p>`;
    const { markdown } = await read(
      inMain(
        `<h1>T</h1>${STORY}${STORY}${said("We had a calm that we had not known.")}${said("I would not go back to the phones.")}`,
      ),
    );
    expect(markdown.match(/Pinecrest moves/g)).toHaveLength(1);
    expect(markdown.match(/> — Mira Holt, Head of Dispatch at Pinecrest/g)).toHaveLength(2);
  });

  test("line breaks separate lines, but not inside a sentence", async () => {
    const { markdown } = await read(
      inMain(
        `<h1>T</h1>${STORY}<p>Faster dispatch<br>60% lower cost<br><b>Where:</b> Graz</p><p>It took the team<br>four weeks, and<br>Mira slept.<br><br>The end of it.</p>`,
      ),
    );
    expect(markdown.split("\n\n").slice(2)).toEqual([
      "Faster dispatch",
      "60% lower cost",
      "**Where:** Graz",
      "It took the team four weeks, and Mira slept.",
      "The end of it.",
    ]);
  });

  test("a list of links is removed, unless a sentence introduces it", async () => {
    const list = '<ul><li><a href="/a">First of them</a></li><li><a href="/b">Second of them</a></li></ul>';
    expect((await read(inMain(`<h1>T</h1>${STORY}${list}`))).markdown).not.toContain("First");
    expect((await read(inMain(`<h1>T</h1>${STORY}<p>They read two books:</p>${list}`))).markdown).toContain(
      "- First of them\n- Second",
    );
  });

  test("comments are removed, however long they are", async () => {
    const { markdown } = await read(
      inMain(
        `<h1>T</h1>${STORY}<ol class="comment-list">${"<li>Nice to read of this, from one who was there.</li>".repeat(20)}</ol>`,
      ),
    );
    expect(markdown).not.toContain("Nice");
  });

  test("a story about cookies is not a cookie notice", async () => {
    const said = "Cookies were its trade: the bakery sells <a href='/c'>cookies</a> in 40 towns.";
    const { markdown } = await read(inMain(`<h1>T</h1>${STORY}<div>${said}</div>`));
    expect(markdown).toContain("Cookies were its trade");
  });

  test("a class that describes the layout hides nothing", async () => {
    const { markdown } = await read(
      `<body class="has-nav cookie-accepted"><div class="with-sidebar"><h1>T</h1>${STORY}</div></body>`,
    );
    expect(markdown).toContain("Pinecrest moves chilled food");
  });

  test("invisible text is not read", async () => {
    const { markdown } = await read(
      inMain(`<h1>T</h1>${STORY}<p hidden>unseen</p><p style="display: none">unseen</p><span class="sr-only">unseen</span>
        <script>unseen</script><template>unseen</template><noscript>unseen</noscript><svg><text>unseen</text></svg>`),
    );
    expect(markdown).not.toContain("unseen");
  });

  test("text that looks like Markdown is escaped", async () => {
    const { markdown } = await read(
      inMain(
        `<h1>T</h1>${STORY}<p># not a heading</p><p>- no item</p><p>1. no item</p><p>a *b* &lt;i&gt; &amp;amp;</p>`,
      ),
    );
    expect(markdown.split("\n\n").slice(-4)).toEqual([
      "\\# not a heading",
      "\\- no item",
      "1\\. no item",
      "a \\*b\\* &lt;i> &amp;amp;",
    ]);
  });

  test("an empty page has an empty text and no title", async () => {
    expect(await read("")).toEqual({
      url: URL_OF_PAGE,
      canonical: null,
      title: null,
      site_name: null,
      description: null,
      language: null,
      published_at: null,
      published_from: null,
      markdown: "",
      images: [],
      links: [],
      labels: [],
      json_ld: [],
    });
  });
});

describe("metadata of a page", () => {
  test("images and links of the story are resolved, those of the menu are removed", async () => {
    const { images, links } = await read(
      `<base href="https://cdn.routely.example/a/"><nav><a href="/x">Menu</a><img src="/menu.png" alt="menu"></nav><main><img data-src="logo.svg" src="data:image/gif;base64,x" alt="Pinecrest  logo">
       <h1>T</h1>${STORY}<p>See <a href="../b">their own account of it</a>, <a href="javascript:alert(1)">this</a> or <a href="#top">that</a>, all of which are links.</p></main>`,
    );
    expect(images).toEqual([{ src: "https://cdn.routely.example/a/logo.svg", alt: "Pinecrest logo" }]);
    expect(links).toEqual([{ href: "https://cdn.routely.example/b", text: "their own account of it" }]);
  });

  test.each([
    ["https://routely.example/customers/p?b=1#c", "https://routely.example/customers/p?b=1"],
    ["/customers/p", "https://www.routely.example/customers/p"],
    ["https://elsewhere.example/customers/p", null],
    ["https://www.routely.example/", null],
    ["ftp://www.routely.example/a", null],
  ])("canonical %s is %p", async (href, expected) => {
    const { canonical } = await read(inMain(STORY, `<link rel="canonical" href="${href}">`));
    expect(canonical).toBe(expected);
  });

  test.each([
    ['<html lang="en-us">', null, "en-US"],
    ['<html lang="de_DE">', null, "de-DE"],
    ["<html>", "fr, en", "fr"],
    ['<meta property="og:locale" content="pt_BR">', null, "pt-BR"],
    ['<html lang="{{lang}}">', null, null],
    ["<html>", null, null],
  ])("language of %s with header %p is %p", async (html, header, expected) => {
    expect((await read(`${html}${STORY}`, URL_OF_PAGE, header)).language).toBe(expected);
  });
});
