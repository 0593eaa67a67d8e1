import { expect, test } from "bun:test";
import { join } from "node:path";

/**
 * Words that this project once used in a sense of its own. Plain technical English has a word for each; readers from other
 * projects know that one. The list is a sample of the pattern, not the whole of it.
 */
const RETIRED: readonly (readonly [word: string, pattern: RegExp, use: string])[] = [
  ["tell", /\b(?:re)?(?:tell(?:s|ing)?|told)\b/i, "detect, list, report, return, send, notify, show"],
  ["tell in a name", /[a-z](?:Tell|Tells|Telling|Told)(?![a-z])|\b(?:tell|told|telling)(?=[A-Z])/, "detect, report, …"],
  ["anew", /\banew\b|[a-z]Anew\b|\banew[A-Z]/i, "again, rescan, rebuild"],
  ["look at", /\blooked at\b|\blooks? anew\b|\blooks again\b/i, "scan, rescan, scanned"],
  ["beside", /\bbeside\b/i, "next to, besides, in addition to"],
  ["stands", /\bst(?:ands?|ood) (?:in|on|at|for|under|behind|there|below|above|by|beside)\b/i, "is, is in, means"],
  ["lies", /\b(?:lies|lie|lay) (?:in|on|at|under|behind|beside|below|there)\b/i, "is in, is stored in"],
  ["goes on", /\b(?:goes|go|going|went) on\b/i, "continue, resume"],
  ["whoever", /\bwhoever\b/i, "the caller, the user, the operator"],
  [
    "who as a noun",
    /(?:^|[.;:(] |\* |, |\band )[Ww]ho (?:lost|asks|has|wants|reads|waits|needs|does|may|is|only|serves)\b/,
    "users who, callers that",
  ],
  ["of it", /\bof it\b/i, "its, name the thing"],
  ["mend", /\b[Mm]end(?:s|ed|ing)?\b|[a-z]Mend(?:ed)?\b/, "fix, repair, correct"],
  ["mind", /\bminds?\b/i, "manage, check"],
  ["is left out", /\b(?:is|are|was|were) left out\b|[a-z]LeftOut\b|\bleftOut\b/, "is skipped, is omitted"],
  ["takes no", /\btakes no\b/i, "does not take, accepts no"],
  ["knows no", /\bknows? no\b/i, "does not know, has no"],
  ["none of them", /\bnone of them\b/i, "none"],
  ["the same as a list", /\bthe same as a list\b/i, "as a list"],
  ["as it is said", /\bas it is said\b/i, "as documented"],
  ["what waits below", /\bwhat waits below\b/i, "the queue"],
];

/** Lines that may keep a word, each with its reason: part of the line → why. */
const ALLOWED: readonly (readonly [line: string | RegExp, reason: string])[] = [
  ["tell the user", "advice to an agent"],
  ["told|tells|continues", "verbs next to a quotation, in a pattern for pages"],
  ["tells|told us|points out", "verbs next to a quotation, in a pattern for pages"],
  ["previous|said|told", "prompt injection, in a pattern for pages"],
  ["tell us about yourself", "heading of an interview, in a pattern for pages"],
];

const ROOT = join(import.meta.dir, "..");
const scan = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT })].sort();

test("retired words are in no line of src, the README, the contributor guide and docs", async () => {
  const files = [...scan("src/**/*.{ts,tsx,css}"), "README.md", "CONTRIBUTING.md", ...scan("docs/**/*.md")];
  const used = new Set<string | RegExp>();
  const found: string[] = [];
  for (const file of files) {
    const lines = (await Bun.file(join(ROOT, file)).text()).split("\n");
    for (const [at, line] of lines.entries()) {
      const retired = RETIRED.find(([, pattern]) => pattern.test(line));
      if (!retired) continue;
      const allowed = ALLOWED.find(([part]) => (typeof part === "string" ? line.includes(part) : part.test(line)));
      if (allowed) used.add(allowed[0]);
      else found.push(`${file}:${at + 1}: "${retired[0]}" (use ${retired[2]}): ${line.trim()}`);
    }
  }
  expect(found).toEqual([]);
  // An exception that no line needs any more is deleted.
  expect(ALLOWED.map(([part]) => part).filter((part) => !used.has(part))).toEqual([]);
});
