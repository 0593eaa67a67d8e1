/** Pages that cost a reader of HTML as much as their length allows. */

const PAGE_BYTES = 3_000_000;

/** Repeats what `piece` makes of 0, 1, 2, … up to the length of a page. */
function fill(piece: (index: number) => string, before = "", after = ""): string {
  const pieces = [before];
  for (let index = 0, length = before.length + after.length; length < PAGE_BYTES; index++) {
    const next = piece(index);
    pieces.push(next);
    length += next.length;
  }
  pieces.push(after);
  return pieces.join("");
}

const hosts = (from: number, count: number, scheme = "https://") =>
  Array.from({ length: count }, (_, index) => `${scheme}h${from + index}.v${from + index}.com`).join(" ");

/** By name. */
export const HOSTILE_PAGES: Readonly<Record<string, () => string>> = {
  "policies in metas": () =>
    fill((at) => `<meta http-equiv="content-security-policy" content="script-src ${hosts(at * 3, 3)}">`),
  "one policy repeated": () =>
    fill(() => `<meta http-equiv="content-security-policy" content="script-src ${hosts(0, 40)}">`),
  "unclosed tags": () => fill(() => "<a"),
  "open elements": () => fill(() => "<div>"),
  "open lists": () => fill((at) => (at % 2 ? "<li>" : "<ul>")),
  "open tables": () => fill(() => "<table><tr><td>"),
  "open paragraphs": () => fill(() => "<p><b>"),
  "closing tags": () => fill((at) => `</x${at}>`),
  "unclosed comments": () => fill(() => "<!--"),
  "unclosed declarations": () => fill(() => "<!["),
  "one tag of attributes": () => fill((at) => ` a${at}=1`, "<script ", ">"),
  "tags of 64 attributes": () => fill(() => `<img ${Array.from({ length: 64 }, (_, at) => `a${at}="x"`).join(" ")}>`),
  "inline hosts": () => fill((at) => `"https://h${at}.v${at}.com/x.js",`, "<script>[", "]</script>"),
  "inline slashes": () => fill(() => '"//', "<script>", "</script>"),
  "inline braces": () => fill(() => "{[(", "<script>", "</script>"),
  "inline letters": () => fill(() => "a", "<script>", "</script>"),
  "inline words": () => fill((at) => `window.w${at}=`, "<script>", "</script>"),
  "inline joined": () => fill(() => '+"a.b', "<script>", "</script>"),
  "inline spaces": () => fill(() => " ", "<script>x", "</script>"),
  "many scripts": () => fill((at) => `<script>x${at}()</script>`),
  "script sources": () => fill((at) => `<script src="https://h${at}.v${at}.com/a.js"></script>`),
  "script paths": () => fill((at) => `<script src="/wp-content/plugins/p${at}/a.js?ver=1.${at}"></script>`),
  "long script paths": () => fill((at) => `<script src="/${"wp-content/plugins/".repeat(90)}${at}"></script>`),
  packages: () =>
    fill((at) => `<script src="https://cdn.jsdelivr.net/npm/@p${at}/q${at}@1.2.3/dist/a.min.js"></script>`),
  "data scripts": () => fill((at) => `<script src="data:text/javascript,${"%41".repeat(2_000)}${at}"></script>`),
  images: () => fill((at) => `<img src="/i${at}.png" srcset="/j${at}.png 1x, /k${at}.png 2x">`),
  "long addresses": () => fill((at) => `<img src="https://a${at}.com/${"../".repeat(2_000)}">`),
  anchors: () => fill((at) => `<a href="https://h${at}.v${at}.com/">x</a>`),
  styles: () => fill((at) => `url(//h${at}.v${at}.com/a)`, "<style>", "</style>"),
  "style openings": () => fill(() => "url(", "<style>", "</style>"),
  "style attributes": () => fill((at) => `<p style="background:url(//h${at}.v${at}.com/a)">`),
  "page data": () =>
    fill(
      (at) => `"u":"https://h${at}.v${at}.com/a.png",`,
      '<script id="__NEXT_DATA__" type="application/json">{',
      "}</script>",
    ),
  references: () => fill(() => "&amp;&#x41;&notit;"),
  "attribute references": () => fill(() => `<a href="${"&amp;".repeat(500)}">`),
  metas: () => fill((at) => `<meta name="m${at}" content="v${at}">`),
  generators: () => fill((at) => `<meta name="generator" content="WordPress ${at}">`),
  "json-ld": () => fill(() => "[", '<script type="application/ld+json">', "</script>"),
  bases: () => fill((at) => `<base href="/${at}/"><link rel=stylesheet href="a${at}">`),
  comments: () => fill((at) => `<!-- This site is optimized with the T${at} plugin v${at} -->`),
  markup: () => fill((at) => `<div class="c${at} wp-block-x${at}" id="i${at}" data-x${at}="y">`),
};
