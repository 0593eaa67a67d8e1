import type { Statement } from "../casestudies/structure/language-model/statements.ts";
import type { Brief } from "./brief.ts";
import type { BriefSource } from "./brief-sections.ts";

export const BRIEF_FORMATS = ["json", "markdown", "html"] as const;
export type BriefFormat = (typeof BRIEF_FORMATS)[number];

export const BRIEF_TYPES: Readonly<Record<BriefFormat, string>> = {
  json: "application/json",
  markdown: "text/markdown",
  html: "text/html",
};

/** Only addresses that open a page become links. */
const linkOf = (url: string | null): string | null =>
  url !== null && /^https?:$/.test(URL.parse(url)?.protocol ?? "") ? (URL.parse(url)?.href ?? null) : null;

const sourceKind: Readonly<Record<BriefSource["kind"], string>> = {
  scan: "scan",
  history: "history",
  case_study: "case study",
  request: "request",
};

/** The brief as it is printed: a case study is one source, and sources have numbers in the order of the text. */
function printed({ sections, sources }: Brief): Pick<Brief, "sections" | "sources"> {
  const byNumber = new Map(sources.map((source) => [source.number, source]));
  const records = new Map(
    sources.flatMap((each) =>
      each.case_study_id !== null && each.location === null ? [[each.case_study_id, each]] : [],
    ),
  );
  const byKey = new Map<string, BriefSource>();
  const numberOf = (number: number): number => {
    const source = byNumber.get(number);
    if (!source) return number;
    const { case_study_id: id } = source;
    const key = id ?? `#${number}`;
    const known = byKey.get(key);
    if (known) return known.number;
    const record = id === null ? source : { ...(records.get(id) ?? source), location: null };
    byKey.set(key, { ...record, number: byKey.size + 1 });
    return byKey.size;
  };
  const numbered = sections.map((section) => ({
    ...section,
    groups: section.groups.map((each) => ({
      ...each,
      statements: each.statements.map((one) => ({ ...one, sources: [...new Set(one.sources.map(numberOf))] })),
    })),
  }));
  return { sections: numbered, sources: [...byKey.values()] };
}

export function briefMarkdown(brief: Brief): string {
  const { sections: shown, sources } = printed(brief);
  const plain = (text: string) =>
    text
      .replace(/[\s\u0000-\u001f\u007f]+/g, " ")
      .replace(/[\\`*_{}[\]<>|#~]/g, "\\$&")
      .replace(/^([-+]|\d+\.) /, "\\$1 ");
  const link = (text: string, url: string | null) => {
    const href = linkOf(url);
    return href === null ? plain(text) : `[${plain(text)}](<${href.replace(/[<>\s]/g, encodeURIComponent)}>)`;
  };
  const line = ({ text, quote, sources }: Statement) =>
    `- ${plain(text)}${quote === null ? "" : ` “${plain(quote)}”`} ${sources.map((number) => `[${number}]`).join("")}`;
  return [
    `# ${plain(brief.title)}`,
    ...shown.flatMap(({ title, groups }) => [
      `## ${plain(title)}`,
      ...groups.flatMap((group) => [
        ...(group.title === "" ? [] : [`### ${link(group.title, group.url)}`]),
        group.statements.map(line).join("\n"),
      ]),
    ]),
    "## Sources",
    sources
      .map(({ number, kind, text, url, location }) => {
        const where = [location === null ? "" : plain(location), linkOf(url) === null ? "" : link(url ?? "", url)];
        return `${number}. ${sourceKind[kind]}: ${plain(text)}${where
          .filter(Boolean)
          .map((part) => ` (${part})`)
          .join("")}`;
      })
      .join("\n"),
    "",
  ].join("\n\n");
}

/** One file that prints well and loads nothing. */
export function briefHtml(brief: Brief): string {
  const shown = printed(brief);
  const link = (text: string, url: string | null) => {
    const href = linkOf(url);
    return href === null ? escaped(text) : `<a href="${escaped(href)}" rel="noreferrer">${escaped(text)}</a>`;
  };
  const item = ({ text, quote, sources }: Statement) =>
    `<li>${escaped(text)}${quote === null ? "" : ` <q>${escaped(quote)}</q>`} ${sources
      .map((number) => `<a class="n" href="#s${number}">${number}</a>`)
      .join(" ")}</li>`;
  const sections = shown.sections.map(
    ({ title, groups }) =>
      `<section><h2>${escaped(title)}</h2>${groups
        .map(
          (group) =>
            `${group.title === "" ? "" : `<h3>${link(group.title, group.url)}</h3>`}<ul>${group.statements.map(item).join("")}</ul>`,
        )
        .join("")}</section>`,
  );
  const sources = shown.sources.map(
    ({ number, kind, text, url, location }) =>
      `<li id="s${number}" value="${number}">${sourceKind[kind]}: ${escaped(text)}${location === null ? "" : ` <small>${escaped(location)}</small>`}${linkOf(url) === null ? "" : ` <small>${link(url ?? "", url)}</small>`}</li>`,
  );
  const title = escaped(brief.title);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head><body><h1>${title}</h1>${sections.join("")}<section><h2>Sources</h2><ol>${sources.join("")}</ol></section></body></html>\n`;
}

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff;overflow-wrap:anywhere}h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem;margin-bottom:.25rem}ul,ol{padding-left:1.5rem}.n{font-size:.75rem;vertical-align:super;text-decoration:none}a{color:#0b57a4}small{color:#555}@media print{body{font-size:11pt;margin:0;max-width:none}h2,h3{break-after:avoid}li{break-inside:avoid}}";

const escaped = (text: string) =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ")
    .replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
