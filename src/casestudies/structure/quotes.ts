import { plainText, splitSentences } from "../text/markdown.ts";
import type { PageText, Quote } from "../types.ts";
import { dropCode } from "./story.ts";

/** A paragraph of a page. */
interface QuoteBlock {
  /** Whether it is in a `>` block quote. */
  readonly isQuote: boolean;
  /** Number of the block quote that contains it, or its own number outside of one. */
  readonly group: number;
  /** Its lines as plain text, without empty ones. */
  readonly lines: readonly string[];
}

const MAX_BLOCKS = 3_000;
const MAX_LINE = 5_000;

/** Paragraphs in order, with their line breaks and block quotes, without headings. */
function readQuoteBlocks(markdown: string): QuoteBlock[] {
  const blocks: QuoteBlock[] = [];
  let lines: string[] = [];
  let isQuote = false;
  let group = 0;
  const end = () => {
    if (lines.length > 0 && blocks.length < MAX_BLOCKS) blocks.push({ isQuote, group, lines });
    lines = [];
  };
  for (const source of dropCode(markdown).split("\n")) {
    const marks = /^[\s>]{0,40}/.exec(source)?.[0] ?? "";
    const isMarked = marks.includes(">");
    const line = source.slice(marks.length).trim();
    if (isMarked !== isQuote) {
      end();
      group += 1;
      isQuote = isMarked;
    }
    if (line === "" || line.startsWith("#")) {
      end();
      if (!isQuote) group += 1;
      continue;
    }
    const text = plainText(line.slice(0, MAX_LINE).replace(/^[-*+]\s{1,4}(?=["“])/, ""));
    if (text !== "") lines.push(text);
  }
  end();
  return blocks;
}

/** A speaker as the page writes it. */
interface Speaker {
  readonly person: string | null;
  readonly role: string | null;
}

const MAX_ATTRIBUTION = 200;
const MAX_ROLE = 120;

/** Words of job titles. A text with one of them is a role and not a name. */
const ROLE =
  /\b(?:engineer|engineering|manager|management|director|head|chief|officer|c[teifoms]o|ciso|founder|co-founder|cofounder|lead|leader|architect|developer|president|vp|svp|evp|analyst|scientist|designer|consultant|administrator|admin|professor|owner|partner|principal|programmer|researcher|specialist|coordinator|operator|devops|sre|product|marketing|operations|sales|technology|platform|infrastructure|student|lecturer|maintainer|executive|supervisor|teacher|doctor|nurse|editor|technician|contributor|evangelist|strategist|advisor|team)s?\b/i;

const PARTICLES = "(?:de|del|della|der|den|van|von|da|di|la|le|el|al|bin|ibn|dos|ter|ten|zu)";
const NAME_WORD = "\\p{Lu}[\\p{L}'’.-]{0,30}";
const NAME = new RegExp(`^${NAME_WORD}(?: (?:${PARTICLES} ){0,2}${NAME_WORD}){1,4}$`, "u");
/** Capitalised words that are not part of a person's name. */
const NOT_A_NAME =
  /\b(?:The|This|Our|We|It|And|But|With|For|Inc|Ltd|GmbH|University|Company|Team|Group|Bank|Case|Study|Read|More|Learn|Cloud|Project)\b/;

/** Whether a text is a person's name, and not a role, company or sentence. */
export function isPersonName(text: string): boolean {
  return text.length <= 60 && NAME.test(text) && !NOT_A_NAME.test(text) && !ROLE.test(text);
}

/** Parses "— Jane Doe, CTO at Harbour Freight", "Jane Doe - CTO, Harbour Freight", "Staff Engineer". Null for other text. */
export function parseAttribution(text: string): Speaker | null {
  const line = text
    .slice(0, MAX_ATTRIBUTION + 1)
    .replace(/^[\s—–―~-]{1,6}/, "")
    .replace(/^(?:by|says|said) /i, "")
    .trim();
  if (
    line === "" ||
    line.length > MAX_ATTRIBUTION ||
    /[.!?]["”]?\s\p{Lu}/u.test(line.replace(/\b(?:Dr|Mr|Ms|Mrs|Sr|Jr|St)\./g, ""))
  )
    return null;
  const [first = "", ...rest] = line
    .split(/\s{0,3}[,|(]\s{0,3}|\s[-–—:]\s/, 6)
    .map((part) => part.replace(/[).]$/, "").trim());
  const name = nameInTitleCase(first.replace(/^(?:Dr|Mr|Ms|Mrs|Prof)\.?\s/, ""));
  if (isPersonName(name)) return { person: name, role: formatRole(rest) };
  const role = formatRole([first, ...rest]);
  return role !== null && role.split(" ").length <= 10 ? { person: null, role } : null;
}

function formatRole(parts: readonly string[]): string | null {
  const role = parts
    .filter((part) => part !== "")
    .map(inTitleCase)
    .join(", ")
    .replace(/^(?:an?|the|our|one of (?:the|our)) /i, "");
  return role.length > MAX_ROLE || !ROLE.test(role) ? null : role;
}

/** "Haifeng LIU" becomes "Haifeng Liu". */
const nameInTitleCase = (name: string) =>
  name.replace(/\p{Lu}{3,40}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase());

/** "HAOJIE HANG" becomes "Haojie Hang"; short words such as "CTO" and "IT" do not change. */
function inTitleCase(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text
    .replace(/\p{Lu}{4,40}/gu, (word) => word.charAt(0) + word.slice(1).toLowerCase())
    .replace(/\b(OF|AND|THE|FOR|AT|IN)\b/g, (word) => word.toLowerCase());
}

const SAYING_VERBS =
  "(?:remembers|reflects|admits|recounts|agrees|sagt|sagte|erklärt|erläutert|meint|berichtet|betont|explique|affirme|déclare|témoigne|confie|précise|dice|afirma|explica|comenta|señala|asegura|cuenta|zegt|vertelt|says|said|say|explains|explained|adds|added|notes|noted|recalls|recalled|comments|commented|states|stated|reports|reported|shares|shared|tells|told us|points out|concludes|concluded|remarks|remarked|observes|according to)";
const SPEAKER_AFTER_VERB = new RegExp(`^[\\s,.]{0,3}(?:${SAYING_VERBS}|as)\\s(.{3,200})`, "u");
const SPEAKER_BEFORE_VERB = new RegExp(`^[\\s,.]{0,3}(.{3,120}?),?\\s${SAYING_VERBS}\\b`, "u");
const SPEAKER_BEFORE_QUOTE = new RegExp(`(.{3,160}?),?\\s${SAYING_VERBS}\\s?[:,]?\\s{0,2}$`, "u");

/** The speaker of a quotation, from the text around it: 'says Jane Doe, CTO of X.', 'Jane Doe, CTO, says:'. */
function readSpeaker(before: string, after: string): Speaker | null {
  const toQuote = SPEAKER_AFTER_VERB.exec(after.slice(0, 240))?.[1];
  if (toQuote !== undefined) {
    const speaker = parseSpeaker(toQuote);
    if (speaker !== null) return speaker;
  }
  const named = SPEAKER_BEFORE_VERB.exec(after.slice(0, 160))?.[1];
  const beforeVerb = named ?? SPEAKER_BEFORE_QUOTE.exec(before.slice(-200))?.[1];
  return beforeVerb === undefined ? null : parseSpeaker(beforeVerb.split(/[.!?:”"]\s/).at(-1) ?? "");
}

/** "Jane Doe, CTO of X. Then …", "CTO Jane Doe", "X's CTO Jane Doe". */
function parseSpeaker(text: string): Speaker | null {
  const piece =
    text
      .split(
        /["“”;:]|[.!?](?:\s|$)|,\s(?:who|adding|and|but|as|in|on|when|while|because|which)\b|\s(?:who|when|while|because|about|in an)\s/,
        1,
      )[0]
      ?.trim() ?? "";
  const [first = "", ...rest] = piece.split(/,\s/, 4);
  const words = first.replace(/^(?:the|our)\s/i, "").split(/\s+/);
  if (isPersonName(words.join(" "))) return { person: words.join(" "), role: findRole(rest) };
  // The role may precede the name without a comma: "CTO Jane Doe".
  for (const size of [3, 2]) {
    const tail = words.slice(-size).join(" ");
    const lead = words.slice(0, -size).join(" ");
    if (words.length > size && isPersonName(tail) && ROLE.test(lead))
      return { person: tail, role: lead.replace(/^\S+['’]s\s/, "") };
  }
  return null;
}

function findRole(parts: readonly string[]): string | null {
  const at = parts.findIndex((part) => ROLE.test(part));
  return at < 0 ? null : formatRole(parts.slice(at));
}

interface TextQuote extends Quote {
  readonly text: string;
}

interface FoundQuote {
  readonly quote: TextQuote;
  /** 0–1. */
  readonly confidence: number;
}

const MIN_QUOTE = 40;
/** Of a quote by a named person. */
const MIN_NAMED_QUOTE = 20;
const MAX_QUOTE = 600;
const MAX_MARKDOWN = 400_000;
const MAX_QUOTES = 200;
const UNKNOWN_SPEAKER: Speaker = { person: null, role: null };

/** The quotes of a page in order, at most 200. Long quotes are cut at the end of a sentence. */
export function findQuotes(page: Pick<PageText, "markdown">): TextQuote[] {
  const blocks = readQuoteBlocks(page.markdown.slice(0, MAX_MARKDOWN));
  const found: TextQuote[] = [];
  for (let at = 0; at < blocks.length && found.length < MAX_QUOTES; ) {
    const block = blocks[at];
    if (block === undefined) break;
    if (block.isQuote) {
      const end = blocks.findIndex(({ group }, index) => index > at && group !== block.group);
      const next = end < 0 ? blocks.length : end;
      found.push(...quotesInBlock(blocks.slice(at, next), blocks.slice(next, next + MAX_SPEAKER_LINES)));
      at = next;
    } else {
      found.push(...quotesInParagraph(block, blocks.slice(at + 1, at + 1 + MAX_SPEAKER_LINES)));
      at += 1;
    }
  }
  return found;
}

const DASH = /^(?:—|–|―|--|-\s)/;

/** The quote of a `>` block. Its last line or the short paragraph after it may name the speaker. */
function quotesInBlock(blocks: readonly QuoteBlock[], next: readonly QuoteBlock[]): TextQuote[] {
  const lines = blocks.flatMap((block) => block.lines);
  let speaker: Speaker | null = null;
  let text = lines.join(" ");
  const last = lines.at(-1) ?? "";
  const tail = /["”]\s{0,3}(?:—|–|--|-)\s{0,3}(.{3,160})$/.exec(last.slice(-240))?.[1];
  if (lines.length > 1 && (DASH.test(last) || isBareAttribution(last))) {
    speaker = parseAttribution(last);
    if (speaker !== null) text = lines.slice(0, -1).join(" ");
  } else if (tail !== undefined) {
    speaker = parseAttribution(tail);
    if (speaker !== null) text = text.slice(0, text.length - tail.length).replace(/\s{0,3}(?:—|–|--|-)\s{0,3}$/, "");
  }
  speaker ??= attributionIn(next);
  if (speaker !== null) return toQuote(withoutMarks(text), speaker);
  const inner = findInnerQuote(text);
  if (inner !== null) return toQuote(inner.text, inner);
  // Without a speaker, a block quote may be a note. Quotation marks show that it is speech.
  return /^["“„«]/.test(text) ? toQuote(withoutMarks(text), UNKNOWN_SPEAKER) : [];
}

/** `"We did it," says Jane Doe.` inside a block quote. */
function findInnerQuote(text: string): (Speaker & { text: string }) | null {
  for (const span of quotedSpans(text)) {
    const speaker = readSpeaker(text.slice(0, span.from), text.slice(span.to));
    if (speaker !== null) return { ...speaker, text: span.text };
  }
  return null;
}

/** "Jane Doe, CTO, X" alone on a line. */
const isBareAttribution = (line: string) =>
  line.length <= 120 &&
  /^\p{Lu}/u.test(line) &&
  line.includes(",") &&
  !/[.!?…"”]$/.test(line) &&
  (parseAttribution(line)?.person ?? null) !== null;

/** Lines below a quote that may name its speaker: name, role, company. */
const MAX_SPEAKER_LINES = 3;

/** The speaker in the paragraphs after a quote: "— Jane Doe, CTO", or the name alone and the role in the next paragraph. */
function attributionIn([next, ...others]: readonly QuoteBlock[]): Speaker | null {
  const line = next?.lines[0];
  if (line === undefined || next === undefined || next.lines.length > MAX_SPEAKER_LINES) return null;
  if (isPersonName(line)) {
    const roles = [...next.lines.slice(1), ...others.map(({ lines }) => lines.join(", "))];
    const role = roles.find((each) => each.length <= MAX_ROLE && ROLE.test(each) && !/[.!?]$/.test(each));
    return { person: line, role: role === undefined || roles.indexOf(role) > 1 ? null : formatRole(role.split(", ")) };
  }
  if (next.lines.length > 2) return null;
  return DASH.test(line) || isBareAttribution(line) ? parseAttribution(next.lines.join(", ")) : null;
}

interface Span {
  /** Offsets including the quotation marks. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const MAX_SPANS = 60;

/** The texts between quotation marks. An opening mark without a closing one is ignored. */
function quotedSpans(text: string): Span[] {
  const spans: Span[] = [];
  let open = -1;
  for (let at = 0; at < text.length && spans.length < MAX_SPANS; at++) {
    const mark = text[at];
    if (open < 0 && (mark === "“" || mark === '"' || mark === "„" || mark === "«")) open = at;
    else if (open >= 0 && (mark === "”" || mark === "»" || mark === '"' || (mark === "“" && text[open] === "„"))) {
      spans.push({ from: open, to: at + 1, text: text.slice(open + 1, at).trim() });
      open = -1;
    }
  }
  return spans;
}

/** Quotations in a paragraph whose speaker is known. */
function quotesInParagraph(block: QuoteBlock, next: readonly QuoteBlock[]): TextQuote[] {
  const text = block.lines.join(" ");
  if (!/["“„«]/.test(text)) return [];
  let last: Speaker | null = null;
  return quotedSpans(text).flatMap((span) => {
    if (span.text.length < MIN_NAMED_QUOTE) return [];
    const rest = text.slice(span.to);
    const attribution = /^\s{0,3}(?:—|–|--|-)\s{0,3}(.{3,160})$/.exec(rest.slice(0, 200))?.[1];
    const isAlone = rest.trim() === "" && span.from === 0;
    const speaker =
      readSpeaker(text.slice(0, span.from), rest) ??
      (attribution === undefined ? null : parseAttribution(attribution)) ??
      (isAlone ? attributionIn(next) : null) ??
      last;
    last = speaker;
    return speaker === null ? [] : toQuote(span.text, speaker);
  });
}

/** Removes the outer quotation marks. */
function withoutMarks(text: string): string {
  const inner = text.trim().replace(/^["“„'‘«]\s?/, "");
  return inner === text.trim() ? inner : inner.replace(/\s?["”“'’»]\.?$/, "");
}

function toQuote(text: string, { person, role }: Speaker): TextQuote[] {
  const cut = cutAtSentence(text.trim().replace(/,$/, ""));
  return cut.length < (person === null ? MIN_QUOTE : MIN_NAMED_QUOTE) ? [] : [{ text: cut, person, role }];
}

function cutAtSentence(text: string): string {
  if (text.length <= MAX_QUOTE) return text;
  let end = 0;
  for (const sentence of splitSentences(text.slice(0, MAX_QUOTE * 2))) {
    const at = text.indexOf(sentence, end);
    if (at < 0 || at + sentence.length > MAX_QUOTE) break;
    end = at + sentence.length;
  }
  return text.slice(0, end);
}

/**
 * The best quote for a story: preferably long, by a frequently quoted person of the client with a role. Null when the
 * page has no suitable quote.
 *
 * @param vendor quotes of the vendor's people score lower
 */
export function findBestQuote(
  page: Pick<PageText, "markdown">,
  { vendor, client }: { readonly vendor: string; readonly client: string | null },
): FoundQuote | null {
  const quotes = findQuotes(page);
  const quotesByPerson = new Map<string, number>();
  for (const { person } of quotes)
    if (person !== null) quotesByPerson.set(person, (quotesByPerson.get(person) ?? 0) + 1);
  let best: { quote: TextQuote; score: number } | null = null;
  for (const quote of quotes) {
    const role = quote.role?.toLowerCase() ?? "";
    const isVendors = role.includes(vendor.toLowerCase()) && !(client !== null && role.includes(client.toLowerCase()));
    const isClients = client !== null && role.includes(client.toLowerCase());
    const score =
      (quote.person === null ? 0 : 2) +
      (quote.role === null ? 0 : 1.5) +
      (isClients ? 0.5 : 0) -
      (isVendors ? 3 : 0) +
      Math.min(quote.text.length, 400) / 400 +
      Math.min(quotesByPerson.get(quote.person ?? "") ?? 0, 8) / 8;
    if (best === null || score > best.score) best = { quote, score };
  }
  if (best === null || best.score < 0.5) return null;
  const role = withoutEmployer(best.quote.role, client);
  const confidence = best.quote.person === null ? 0.4 : role === null ? 0.6 : 0.85;
  return { quote: { ...best.quote, role }, confidence };
}

/** "CTO at Quarrystone" becomes "CTO" in Quarrystone's story, because the client is a separate field. */
function withoutEmployer(role: string | null, client: string | null): string | null {
  if (role === null || client === null || !role.toLowerCase().endsWith(client.toLowerCase())) return role;
  const head = /^(.{2,200}?)(?:,|\s(?:at|of|for|with|@))\s*$/i.exec(role.slice(0, -client.length));
  return head?.[1]?.trim() ?? role;
}
