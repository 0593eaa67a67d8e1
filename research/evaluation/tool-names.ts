import type { Fingerprint } from "../../src/detection/fingerprints/types.ts";

/** `Atlassian (Jira/Confluence)` may be told as Atlassian, Jira or Confluence: every name that a label stands for. */
export function namesIn(label: string): Set<string> {
  const inner = [...label.matchAll(/\(([^)]{1,80})\)/g)].map(([, text = ""]) => text);
  const outer = label.replace(/\([^)]{1,80}\)/g, " ");
  const names = [label, outer, ...inner, ...[outer, ...inner].flatMap((text) => text.split(/\s\/\s|\//))];
  return new Set(names.map(plain).filter((name) => name.length > 1));
}

/** Which ids of the catalogue a label means. */
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
    // The whole label is a better witness than one of its parts.
    const whole = index.get(plain(label)) ?? index.get(plain(label.replace(/\([^)]{1,80}\)/g, " ")));
    return whole ?? new Set([...namesIn(label)].flatMap((name) => [...(index.get(name) ?? [])]));
  };
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9+.]+/g, " ")
    .trim();
