import type { Outcome, Passage } from "../../vocabulary/case-study.ts";
import { type Block, plainText, readMarkdown } from "./markdown.ts";
import { breakText, splitSentences } from "./sentences.ts";
import type { CountTokens } from "./token-estimate.ts";

/** What of a case study is split. */
export interface StudyText {
  readonly title: string;
  readonly client: { readonly name: string | null };
  readonly summary: string | null;
  readonly challenge: string | null;
  readonly solution: string | null;
  readonly outcomes: readonly Pick<Outcome, "text">[];
  readonly body: string | null;
}

export const MAX_PASSAGE_TOKENS = 200;
export const MAX_PASSAGES = 60;
/** A section with less than this is read together with the next one: alone it means too little to be found. */
const MIN_SECTION_TOKENS = 60;
const MAX_OVERLAP_TOKENS = 40;
const MAX_HEADING = 200;
const PATH_MARK = " › ";

/** Sections that say nothing of the story. */
const BOILERPLATE =
  /^(related( (articles|posts|stories|case studies|content|resources|links))?|more (case studies|stories|customer stories)|read (more|next)|see also|you (may|might) also like|share( this.{0,30})?|about the authors?|subscribe.{0,40}|newsletter|sign up.{0,40}|contact( us)?|get in touch.{0,40}|get started.{0,60}|table of contents|contents|on this page|comments|cookies?.{0,40}|references|footnotes|acknowledge?ments?|learn more.{0,60}|further reading|tags|follow us.{0,40}|legal notice|disclaimer|join (us|the community).{0,40})$/i;

/**
 * Splits a case study into passages of about 120 to {@link MAX_PASSAGE_TOKENS} tokens along its headings and sentences,
 * in order. A passage repeats the last sentence of the one before it where that is short, so that a thought that
 * crosses the border is found in one of both. Never more than {@link MAX_PASSAGES}: text after them is kept with the
 * record and is not searched.
 */
export function splitPassages(study: StudyText, countTokens: CountTokens): Passage[] {
  const passages: Passage[] = [];
  let open: Unit[] = [];
  let tokens = 0;

  const close = (overlap: boolean) => {
    const heading = open.find((unit) => unit.heading !== null)?.heading ?? null;
    if (open.length > 0) passages.push({ heading, text: open.map(({ text }) => text).join(" ") });
    const last = open.at(-1);
    open = overlap && last && last.tokens <= MAX_OVERLAP_TOKENS && open.length > 1 ? [last] : [];
    tokens = open.reduce((sum, unit) => sum + unit.tokens, 0);
  };

  for (const unit of units(study, countTokens)) {
    const isNewSection = open.length > 0 && open.at(-1)?.heading !== unit.heading;
    if (isNewSection && tokens >= MIN_SECTION_TOKENS) close(false);
    if (tokens + unit.tokens > MAX_PASSAGE_TOKENS) close(!isNewSection);
    if (tokens + unit.tokens > MAX_PASSAGE_TOKENS) {
      open = [];
      tokens = 0;
    }
    if (passages.length >= MAX_PASSAGES) return passages;
    const isUnderAnother = open.length > 0 && isNewSection && open.some(({ heading }) => heading !== null);
    const added = isUnderAnother ? withItsHeading(unit, MAX_PASSAGE_TOKENS - tokens, countTokens) : unit;
    open.push(added);
    tokens += added.tokens;
  }
  if (open.length > 0) close(false);
  return passages;
}

/**
 * The text to embed for a passage: what it is about stands before it, since a window alone seldom names the client.
 * Title, client and heading are not in `passage.text`, where they would be shown and counted again.
 */
export function passageContext(study: Pick<StudyText, "title" | "client">, passage: Passage): string {
  const about = study.client.name ? `${study.title} — ${study.client.name}` : study.title;
  return [about, passage.heading, passage.text]
    .filter((part) => part !== null && part !== "")
    .map((part, index, parts) => (index < parts.length - 1 ? withStop(part ?? "") : part))
    .join(" ");
}

const withStop = (text: string) => (/[.!?:。]$/.test(text) ? text : `${text}.`);

/** A section that is read together with the one before it keeps its own heading inside the text, where there is room. */
function withItsHeading(unit: Unit, room: number, countTokens: CountTokens): Unit {
  const heading = unit.heading?.split(PATH_MARK).at(-1);
  if (heading === undefined) return unit;
  const text = `${withStop(heading)} ${unit.text}`;
  const tokens = countTokens(text);
  return tokens <= room ? { ...unit, text, tokens } : unit;
}

/** Items of a list seldom end in a mark, and would run into each other. */
const ended = (text: string) => (/[\p{L}\p{N}%)]$/u.test(text) ? `${text}.` : text);

/** A sentence, or a piece of one that is longer than a passage, under its heading. */
interface Unit {
  readonly heading: string | null;
  readonly text: string;
  readonly tokens: number;
}

function* units(study: StudyText, countTokens: CountTokens): Generator<Unit> {
  for (const { heading, text } of sections(study)) {
    for (const sentence of splitSentences(text)) {
      const tokens = countTokens(sentence);
      if (tokens <= MAX_PASSAGE_TOKENS) yield { heading, text: sentence, tokens };
      else {
        for (const piece of breakText(sentence, MAX_PASSAGE_TOKENS, countTokens))
          yield { heading, text: piece, tokens: Math.min(countTokens(piece), MAX_PASSAGE_TOKENS) };
      }
    }
  }
}

interface Section {
  readonly heading: string | null;
  readonly text: string;
}

function sections(study: StudyText): Section[] {
  const body = study.body === null ? [] : bodySections(study.title, readMarkdown(study.body));
  const fields = [
    { heading: null, text: study.summary },
    { heading: "Challenge", text: study.challenge },
    { heading: "Solution", text: study.solution },
    { heading: "Outcomes", text: study.outcomes.map(({ text }) => withStop(text)).join(" ") || null },
  ].flatMap(({ heading, text }) => {
    const plain = text === null ? "" : plainText(text);
    return plain === "" ? [] : [{ heading, text: plain }];
  });
  if (body.length === 0) return fields;
  // A summary that the vendor wrote for a list of stories often says what the story leaves open, and is not in it.
  const summary = fields.find(({ heading }) => heading === null);
  const isRepeated = summary && body.some(({ text }) => text.includes(summary.text.slice(0, 80)));
  return summary && !isRepeated ? [summary, ...body] : body;
}

function bodySections(title: string, blocks: readonly Block[]): Section[] {
  const path: { level: number; text: string }[] = [];
  const found: Section[] = [];
  let skipped: number | null = null;
  for (const block of blocks) {
    if (block.kind === "text") {
      if (skipped === null) found.push({ heading: headingOf(path), text: ended(block.text) });
      continue;
    }
    if (skipped !== null && block.level > skipped) continue;
    skipped = BOILERPLATE.test(block.text) ? block.level : null;
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= block.level) path.pop();
    // The title says nothing new of a section.
    if (skipped === null && block.text.toLowerCase() !== title.toLowerCase()) path.push(block);
  }
  return found;
}

function headingOf(path: readonly { text: string }[]): string | null {
  if (path.length === 0) return null;
  return cut(path.map(({ text }) => text).join(PATH_MARK));
}

const cut = (text: string) => (text.length <= MAX_HEADING ? text : text.slice(0, MAX_HEADING).toWellFormed().trim());
