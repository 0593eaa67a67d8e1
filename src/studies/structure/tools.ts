import type { PageText } from "../../vocabulary/page.ts";
import type { Vendor } from "../../vocabulary/structured-study.ts";
import { foldName, nameWords } from "./client/names.ts";
import { fitsName, outsideLinks } from "./client/page-cues.ts";
import { createVendorNames } from "./client/vendor-names.ts";
import type { StorySentence } from "./story.ts";
import { EVERYDAY, TELLING } from "./tool-words.ts";

/** A tool and the other names by which texts mention it. */
export interface ToolName {
  readonly name: string;
  readonly aliases: readonly string[];
}

export interface FoundTool {
  readonly name: string;
  readonly sentence: string;
  /** 0–1. */
  readonly confidence: number;
}

interface Entry {
  readonly tool: string;
  readonly words: readonly string[];
  readonly lower: readonly string[];
  readonly isEveryday: boolean;
}

/** Names of tools by their first word. */
export interface ToolIndex {
  readonly startingWith: (word: string) => readonly Entry[];
  readonly isTool: (name: string) => boolean;
}

const MAX_TOOLS = 60;
const MAX_SENTENCES = 1_000;
const WORD = /\.?[\p{L}\p{N}]+(?:[.'’_][\p{L}\p{N}]+)*[+#]{0,2}/gu;

/** Indexes names; where two tools have one name, the first keeps it. */
export function createToolIndex(tools: readonly ToolName[]): ToolIndex {
  const byFirst = new Map<string, Entry[]>();
  const known = new Set<string>();
  for (const { name, aliases } of tools) {
    for (const label of [name, ...aliases]) {
      const words = wordsOf(label).map(({ text }) => text);
      const lower = words.map((word) => word.toLowerCase());
      const key = lower.join(" ");
      if (words.length === 0 || key.length < 2 || known.has(key)) continue;
      known.add(key);
      const only = words.length === 1 ? (words[0] ?? "") : "";
      const isShort = only !== "" && only.length <= 3 && only !== only.toUpperCase();
      const isEveryday =
        only !== "" && !TELLING.has(key) && (isShort || EVERYDAY.has(key) || /^\p{Lu}{1,2}$/u.test(only));
      const entry = { tool: name, words, lower, isEveryday };
      const first = lower[0] ?? "";
      const others = byFirst.get(first);
      if (others) others.push(entry);
      else byFirst.set(first, [entry]);
    }
  }
  for (const entries of byFirst.values()) entries.sort((a, b) => b.words.length - a.words.length);
  const none: readonly Entry[] = [];
  return {
    startingWith: (word) => byFirst.get(word) ?? none,
    isTool: (name) =>
      known.has(
        wordsOf(name)
          .map(({ text }) => text.toLowerCase())
          .join(" "),
      ),
  };
}

interface Hit {
  readonly entry: Entry;
  readonly at: number;
  readonly length: number;
  readonly start: number;
  readonly end: number;
}

/** Tools that a story names, in the order of their first mention; not the vendor's own, and not the client. */
export function findTools(
  page: PageText,
  vendor: Vendor,
  story: readonly StorySentence[],
  client: { readonly forms: readonly string[] } | null,
  index: ToolIndex,
): FoundTool[] {
  const own = createVendorNames(vendor, page.site_name);
  const clients = new Set((client?.forms ?? []).map(foldName));
  const linked = new Set(
    outsideLinks(page, vendor.domain).flatMap(({ label, text }) => (fitsName(label, text) ? [foldName(text)] : [])),
  );
  const found = new Map<string, FoundTool>();
  for (const { text, place } of story.slice(0, MAX_SENTENCES)) {
    if (place === "title" && text.length > 300) continue;
    const sentence = text.slice(0, 2_000);
    const hits = hitsIn(sentence, index);
    for (const [number, hit] of hits.entries()) {
      const { tool, words, isEveryday } = hit.entry;
      if (found.has(tool)) continue;
      const name = sentence.slice(hit.start, hit.end);
      if ([name, tool].some((each) => clients.has(foldName(each)) || own.isOwn(foldName(each), nameWords(each))))
        continue;
      if (LISTED.test(sentence.slice(Math.max(0, hit.start - 120), hit.start))) continue;
      const isMeant =
        !isEveryday || linked.has(foldName(name)) || isBeside(sentence, hits, number) || isUsed(sentence, hit);
      if (!isMeant || isPartOfName(sentence, hit)) continue;
      found.set(tool, {
        name: tool,
        sentence: text,
        confidence: isEveryday ? 0.7 : words.length > 1 || linked.has(foldName(name)) ? 0.95 : 0.85,
      });
      if (found.size >= MAX_TOOLS) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** Longest names first, none inside another. */
function hitsIn(sentence: string, index: ToolIndex): Hit[] {
  const words = wordsOf(sentence);
  const hits: Hit[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at];
    if (word === undefined) break;
    const entry = index.startingWith(word.text.toLowerCase()).find((each) => matches(sentence, words, at, each));
    const last = words[at + (entry?.words.length ?? 1) - 1] ?? word;
    if (entry) hits.push({ entry, at, length: entry.words.length, start: word.start, end: last.end });
    at += entry?.words.length ?? 1;
  }
  return hits;
}

function matches(
  sentence: string,
  words: readonly Word[],
  at: number,
  { words: name, lower, isEveryday }: Entry,
): boolean {
  for (let offset = 0; offset < name.length; offset++) {
    const word = words[at + offset];
    const wanted = name[offset] ?? "";
    if (word === undefined || word.text.toLowerCase() !== lower[offset]) return false;
    if (offset > 0 && !/^[\s/&.-]{1,3}$/.test(sentence.slice(words[at + offset - 1]?.end ?? 0, word.start)))
      return false;
    if (word.text === wanted) continue;
    // "Github" is GitHub; "front" is never Front, and "npm" may be NPM.
    const isWritten =
      /^\p{Lu}/u.test(word.text) && wanted.length >= 4 && wanted !== wanted.toUpperCase() && !isEveryday;
    if (!isWritten && !(wanted === wanted.toLowerCase() && /^\p{Lu}/u.test(word.text) && !isEveryday)) return false;
  }
  return true;
}

/** In a list with a tool that needs no sign: "Slack, Front and Zendesk". */
function isBeside(sentence: string, hits: readonly Hit[], number: number): boolean {
  const hit = hits[number];
  if (hit === undefined) return false;
  const near = [hits[number - 1], hits[number + 1]];
  return near.some((other) => {
    if (other === undefined || other.entry.isEveryday) return false;
    const between = other.start > hit.end ? sentence.slice(hit.end, other.start) : sentence.slice(other.end, hit.start);
    return /^\s?(?:,|\/|&|\+|,? and|,? or|,? as well as)\s?$/.test(between);
  });
}

/** "Companies such as Asana and GoDaddy": they are named as others who are served. */
const LISTED =
  /\b(?:companies|customers|clients|brands|enterprises|firms|investors|giants|publishers|startups|retailers|organi[sz]ations|competitors|businesses|(?:for|with) the likes of)\b[^.;:]{0,40}\b(?:like|such as|including|include|of|as diverse as)\b[^.;:]{0,90}$/i;

const USING =
  /\b(?:using|uses|used|via|integrat(?:e|es|ed|ion|ions|ing) (?:with|into|to)|migrat(?:e|ed|ing|ion) (?:from|to)|switch(?:ed|ing)? (?:from|to)|moved (?:from|to)|written in|built (?:with|in|on)|powered by|deployed (?:on|with)|runs? on|running on|adopt(?:ed|ing)|chose|implemented in|programmed in|tools? (?:like|such as)|languages? (?:like|such as)|called) $/i;

/** "using Front", with a capital, and no other name after it. */
function isUsed(sentence: string, { start, end }: Hit): boolean {
  return (
    USING.test(sentence.slice(Math.max(0, start - 40), start)) &&
    !/^[ -]\p{Lu}/u.test(sentence.slice(end, end + 3)) &&
    !/^[-/]/.test(sentence.slice(end, end + 1))
  );
}

/** "Square Enix", "Spring Street", "Ann Chef": a usual word between other capitals is another's name. */
function isPartOfName(sentence: string, { entry, start, end }: Hit): boolean {
  if (entry.words.length > 1) return false;
  const after = sentence.slice(end, end + 4);
  const before = sentence.slice(Math.max(0, start - 30), start);
  if (entry.isEveryday)
    return (
      /^ \p{Lu}/u.test(after) ||
      /\p{Lu}[\p{L}.]* $/u.test(
        before.replace(/^(?:.*[.!?:,;] )?(?:The|Our|With|Using|In|A|An|And|For|From|To|Via|Both) $/, ""),
      )
    );
  return /^['’]s? (?:team|CEO|CTO)/.test(sentence.slice(end, end + 12));
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map((found) => {
    const word = found[0].replace(/['’]s?$/, "");
    return { text: word, start: found.index, end: found.index + word.length };
  });
}
