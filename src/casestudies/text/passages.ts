import type { Outcome, Passage } from "../types.ts";
import { type Block, BOLD_LINE_LEVEL, breakText, plainText, readMarkdown, splitSentences } from "./markdown.ts";

/** Tokens of a text as the model counts them, without the marks of its start and end. */
export type CountTokens = (text: string) => number;

/**
 * About as many tokens as a word-piece model makes, at no cost and with no model at hand: a word is one for each eight
 * letters begun, a mark or a sign of another script one each. Measured on the sentences of English case studies against
 * our own model's tokenizer: 7 % more in all, for a passage between 14 % fewer and 25 % more.
 */
export const estimateTokens: CountTokens = (text) => {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[\p{L}\p{M}]+|\p{N}+|[^\p{L}\p{N}\s]/gu)) {
    tokens += isAscii(piece) ? Math.ceil(piece.length / LETTERS) : piece.length;
  }
  return tokens;
};

const LETTERS = 8;
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

/** What of a case study is split. */
interface StudyText {
  readonly title: string;
  readonly client: { readonly name: string | null };
  readonly summary: string | null;
  readonly challenge: string | null;
  readonly solution: string | null;
  readonly outcomes: readonly Pick<Outcome, "text">[];
  readonly body: string | null;
}

const MAX_PASSAGE_TOKENS = 200;
export const MAX_PASSAGES = 60;
/** A section with less than this is read together with the next one: alone it means too little to be found. */
const MIN_SECTION_TOKENS = 60;
const MAX_OVERLAP_TOKENS = 40;
const MAX_HEADING = 200;
const PATH_MARK = " › ";

/** A paragraph that is a heading, though nothing marks it as one. */
const BARE_HEADING =
  /^(the )?(challenges?|problems?|solutions?|approach|results?|outcomes?|impact|benefits|summary|overview|background|conclusion)[.:]?$/i;

/** Sections that say nothing of the story. */
const BOILERPLATE =
  /^(related( (articles|posts|stories|case studies|content|resources|links))?|more (case studies|stories|customer stories)|read (more|next)|see also|you (may|might) also like|share( this.{0,30})?|about the authors?|subscribe.{0,40}|newsletter|sign up.{0,40}|contact( us)?|get in touch.{0,40}|get started.{0,60}|table of contents|contents|on this page|comments|cookies?.{0,40}|references|footnotes|acknowledge?ments?|learn more.{0,60}|further reading|tags|follow us.{0,40}|legal notice|disclaimer|join (us|the community).{0,40})$/i;

/**
 * Splits a case study into passages of about 120 to {@link MAX_PASSAGE_TOKENS} tokens along its headings and sentences,
 * in order. A passage repeats the last sentence of the one before it where that is short, so that a thought that
 * crosses the border is found in one of both. No sentence of it is a heading alone, so that nothing that is shown of it
 * ends on one. Never more than {@link MAX_PASSAGES}: text after them is kept with the record and is not searched.
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

/**
 * A section that is read together with the one before it keeps its own heading inside the text, where there is room: as
 * part of its first sentence, or not at all.
 */
function withItsHeading(unit: Unit, room: number, countTokens: CountTokens): Unit {
  if (unit.label === null) return unit;
  const label = `${unit.label.replace(/[\s.…!?:。！？：]+$/u, "")}:`;
  const text = `${label} ${unit.text}`;
  const tokens = countTokens(text);
  const isOneSentence = (splitSentences(text)[0] ?? "").length > label.length;
  return isOneSentence && tokens <= room ? { ...unit, text, tokens } : unit;
}

/** Items of a list seldom end in a mark, and would run into each other. */
const ended = (text: string) => (/[\p{L}\p{N}%)]$/u.test(text) ? `${text}.` : text);

/** A sentence, or a piece of one that is longer than a passage, under its heading. */
interface Unit extends Section {
  readonly tokens: number;
}

function* units(study: StudyText, countTokens: CountTokens): Generator<Unit> {
  for (const section of sections(study)) {
    for (const sentence of splitSentences(section.text)) {
      const tokens = countTokens(sentence);
      if (tokens <= MAX_PASSAGE_TOKENS) yield { ...section, text: sentence, tokens };
      else {
        for (const piece of breakText(sentence, MAX_PASSAGE_TOKENS, countTokens))
          yield { ...section, text: piece, tokens: Math.min(countTokens(piece), MAX_PASSAGE_TOKENS) };
      }
    }
  }
}

interface Section {
  /** Its headings from the outermost, as they are embedded with its passages. */
  readonly heading: string | null;
  /** The innermost as its author wrote it; null for the name of a record's own part, which nobody wrote. */
  readonly label: string | null;
  readonly text: string;
}

function sections(study: StudyText): Section[] {
  const { title } = study;
  const summary = fieldSections(title, null, study.summary);
  const body = study.body === null ? [] : markdownSections(title, readMarkdown(study.body));
  if (body.length === 0) {
    const outcomes = plainText(study.outcomes.map(({ text }) => withStop(text)).join(" "));
    return [
      ...summary,
      ...fieldSections(title, "Challenge", study.challenge),
      ...fieldSections(title, "Solution", study.solution),
      ...(outcomes === "" ? [] : [{ heading: "Outcomes", label: null, text: outcomes }]),
    ];
  }
  // A summary that the vendor wrote for a list of stories often says what the story leaves open, and is not in it.
  const opening = summary[0]?.text.slice(0, 80).replace(/\.$/, "");
  const isRepeated = opening !== undefined && body.some(({ text }) => text.includes(opening));
  return isRepeated ? body : [...summary, ...body];
}

/** A part of the record, which may be Markdown as a body is. What is all headings is no heading. */
function fieldSections(title: string, name: string | null, source: string | null): Section[] {
  const blocks = source === null ? [] : readMarkdown(source);
  const isText = blocks.some(({ kind }) => kind === "text");
  return markdownSections(title, isText ? blocks : blocks.map(({ text }) => ({ kind: "text", text })), name);
}

function markdownSections(title: string, blocks: readonly Block[], name: string | null = null): Section[] {
  const path: { level: number; text: string }[] = [];
  const found: Section[] = [];
  let skipped: number | null = null;
  for (const block of blocks) {
    const level = levelOf(block);
    if (level === null) {
      if (skipped !== null) continue;
      const label = path.at(-1)?.text ?? null;
      const heading = headingOf([...(name === null ? [] : [name]), ...path.map(({ text }) => text)]);
      found.push({ heading, label: label === null ? null : cut(label), text: ended(block.text) });
      continue;
    }
    if (skipped !== null && level > skipped) continue;
    skipped = BOILERPLATE.test(block.text) ? level : null;
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= level) path.pop();
    // The title says nothing new of a section.
    if (skipped === null && block.text.toLowerCase() !== title.toLowerCase()) path.push({ level, text: block.text });
  }
  return found;
}

/** Of a heading; null for a text. */
function levelOf(block: Block): number | null {
  if (block.kind === "heading") return block.level;
  return BARE_HEADING.test(block.text) ? BOLD_LINE_LEVEL : null;
}

const headingOf = (path: readonly string[]) => (path.length === 0 ? null : cut(path.join(PATH_MARK)));

const cut = (text: string) => (text.length <= MAX_HEADING ? text : text.slice(0, MAX_HEADING).toWellFormed().trim());
