import type { Fingerprint } from "../../src/detection/fingerprints/types.ts";

/** Every name that a label means: `Atlassian (Jira/Confluence)` may be detected as Atlassian, Jira or Confluence. */
export function namesIn(label: string): Set<string> {
  const inner = [...label.matchAll(/\(([^)]{1,80})\)/g)].map(([, text = ""]) => text);
  const outer = label.replace(/\([^)]{1,80}\)/g, " ").trim();
  const names = [label, outer, ...inner, ...[outer, ...inner].flatMap((text) => text.split(/\s\/\s|\//))];
  return new Set(names.map(plain).filter((name) => name.length > 1));
}

/** The catalogue ids that a label means. */
export function createNameIndex(tools: Iterable<Fingerprint>): (label: string) => Set<string> {
  const index = new Map<string, Set<string>>();
  for (const tool of tools) {
    for (const label of [tool.name, ...(tool.aliases ?? [])]) {
      for (const name of [plain(label), ...namesIn(label)]) {
        index.set(name, (index.get(name) ?? new Set()).add(tool.id));
      }
    }
  }
  return (label) => {
    // A match of the whole label outweighs a match of one part.
    const whole = index.get(plain(label)) ?? index.get(plain(label.replace(/\([^)]{1,80}\)/g, " ")));
    return whole ?? new Set([...namesIn(label)].flatMap((name) => [...(index.get(name) ?? [])]));
  };
}

/** Without what only some write: `mmenu` and `mmenu.js`, `jQuery Cookie` and `jquery.cookie`, `jQuery Timeago` and `timeago`. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/^jquery[\s._-]+(?!ui\b|mobile\b|migrate\b|cdn\b|cookie\b|form\b)(?=\w{4})/, "")
    .replace(/(?<=\w{3})\.js$/, "")
    .replace(/[^a-z0-9+\u00c0-\u024f]+/g, "");
