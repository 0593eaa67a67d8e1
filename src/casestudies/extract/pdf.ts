import { getDocumentProxy } from "unpdf";
import { isoDay } from "../../core/dates.ts";
import { collapseWhitespace } from "../../html/tree.ts";
import type { FetchedPage, PageText } from "../types.ts";
import { chooseLanguage } from "./metadata.ts";
import { normaliseTitle } from "./title.ts";

/**
 * The text of a PDF by pdf.js, as unpdf bundles it: runs of text joined to lines, and lines to paragraphs and headings. Runs
 * in a process of its own, because a hostile file can keep pdf.js busy for ever and make it use any amount of memory.
 */

/** A run of text as drawn; positions and sizes in points, the origin at the bottom left. */
interface Run {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
}

export interface Line {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly page: number;
}

const MAX_MARKDOWN = 200_000;
const MAX_LINE = 4_000;

/** Joins runs at the same height to lines. A gap of more than 15% of the font size is a space. */
export function joinRuns(runs: readonly Run[], page: number): Line[] {
  const lines: Line[] = [];
  let text = "";
  let first: Run | undefined;
  let last: Run | undefined;
  let size = 0;
  const end = () => {
    const whole = collapseWhitespace(text);
    if (first && whole !== "") lines.push({ text: whole.slice(0, MAX_LINE), x: first.x, y: first.y, size, page });
    text = "";
    first = undefined;
    size = 0;
  };
  for (const run of runs) {
    if (run.text === "") continue;
    if (last && first && (Math.abs(run.y - last.y) > Math.max(run.size, last.size) * 0.5 || run.x < last.x - 1)) end();
    else if (last && first && run.x - (last.x + last.width) > Math.max(run.size, 1) * 0.15) text += " ";
    if (run.text.trim() !== "") {
      first ??= run;
      size = Math.max(size, run.size);
    }
    text += run.text;
    last = run;
  }
  end();
  return lines;
}

/** Drops page numbers and lines that are repeated on most pages. */
function dropRunningLines(lines: readonly Line[], pages: number): Line[] {
  const withoutNumbers = (text: string) => text.replace(/\d+/g, "0");
  const pagesOf = new Map<string, Set<number>>();
  for (const { text, page } of lines) {
    const key = withoutNumbers(text);
    pagesOf.set(key, (pagesOf.get(key) ?? new Set()).add(page));
  }
  const isRunning = ({ text }: Line) =>
    /^(?:page |seite |p\. ?)?\d{1,4}(?: ?(?:\/|of|von) ?\d{1,4})?$/i.test(text) ||
    (pages >= 3 && text.length < 150 && (pagesOf.get(withoutNumbers(text))?.size ?? 0) >= Math.max(3, pages * 0.6));
  return lines.filter((line) => !isRunning(line));
}

/** The font size of most of the text. */
function bodySize(lines: readonly Line[]): number {
  const weights = new Map<number, number>();
  for (const { size, text } of lines) {
    const key = Math.round(size * 2) / 2;
    weights.set(key, (weights.get(key) ?? 0) + text.length);
  }
  return [...weights].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

const BULLET = /^(?:[•●▪■◦‣·○*–-]|\d{1,2}[.)])\s+/u;
const ENDS = /[.!?:;。\uff01\uff1f”"»)]$/u;

/** Lines as Markdown, at most 200,000 characters. Lines in larger type are headings. */
export function writeLines(lines: readonly Line[], skipped: ReadonlySet<Line>): string {
  const body = bodySize(lines);
  const blocks: string[] = [];
  let open = "";
  let isHeading = false;
  let isItem = false;
  let length = 0;
  let before: Line | undefined;
  const end = () => {
    const text = open.trim();
    open = "";
    if (!/[\p{L}\p{N}]/u.test(text) || length > MAX_MARKDOWN) return;
    const block = isHeading
      ? `## ${text}`
      : isItem
        ? `- ${text.replace(BULLET, "")}`
        : text.replace(/^(#{1,6}|>|\|)(?=\s)/, "\\$1");
    length += block.length + 2;
    if (length <= MAX_MARKDOWN) blocks.push(block);
  };
  for (const line of lines) {
    if (skipped.has(line)) continue;
    const large = line.size > body * 1.15 && line.text.length < 200;
    const follows = before !== undefined && continues(before, line, body);
    if (!follows || large !== isHeading || BULLET.test(line.text)) {
      end();
      isHeading = large;
      isItem = !large && BULLET.test(line.text);
    }
    // A word that is hyphenated at the end of a line.
    if (/\p{Ll}-$/u.test(open) && /^\p{Ll}/u.test(line.text)) open = open.slice(0, -1) + line.text;
    else open += `${open === "" ? "" : isHan(open) ? "" : " "}${line.text}`;
    before = line;
  }
  end();
  return blocks.join("\n\n").toWellFormed();
}

const isHan = (text: string) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana},。、]$/u.test(text);

/** Whether a line continues the paragraph of the one before. */
function continues(before: Line, line: Line, body: number): boolean {
  if (Math.abs(before.size - line.size) > body * 0.15) return false;
  // Across the end of a column or page, only an unfinished sentence continues.
  if (before.page !== line.page || line.y > before.y) return !ENDS.test(before.text) && /^[\p{Ll}\d(]/u.test(line.text);
  return before.y - line.y < Math.max(line.size, body) * 1.75;
}

interface PdfText {
  readonly title: string | null;
  /** ISO date of creation, as the file declares it. */
  readonly created: string | null;
  /** BCP 47, as the file declares it. */
  readonly language: string | null;
  readonly markdown: string;
}

const MAX_BYTES = 8 * 1_048_576;

/** An empty text for a file that is not a PDF, is encrypted or damaged, or is larger than 8 MiB. */
export async function extractPdf({ url, content, language }: FetchedPage): Promise<PageText> {
  // A copy, because pdf.js refuses a Buffer and transfers the bytes.
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  // PDF readers accept the header anywhere in the first kilobyte.
  const isPdf = bytes.length <= MAX_BYTES && Buffer.from(bytes.subarray(0, 1_024)).includes("%PDF-");
  const pdf = isPdf ? await readPdf(bytes).catch(() => undefined) : undefined;
  return {
    url,
    canonical: null,
    title: pdf?.title ?? null,
    site_name: null,
    description: null,
    language: chooseLanguage([pdf?.language ?? null, language], pdf?.markdown ?? ""),
    published_at: pdf?.created ?? null,
    published_from: pdf?.created ? "pdf" : null,
    markdown: pdf?.markdown ?? "",
    images: [],
    links: [],
    labels: [],
    json_ld: [],
  };
}

const MAX_PAGES = 200;
const MAX_RUNS = 200_000;
/** Characters of text of all pages; Markdown is cut shorter still. */
const MAX_TEXT = 400_000;

/** @throws the error of pdf.js if the file is not a PDF, encrypted or damaged */
async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const document = await getDocumentProxy(bytes, {
    disableFontFace: true,
    useSystemFonts: false,
    stopAtErrors: false,
    verbosity: 0,
  });
  try {
    const info: unknown = (await document.getMetadata().catch(() => undefined))?.info;
    const lines: Line[] = [];
    let runs = 0;
    let length = 0;
    const pages = Math.min(document.numPages, MAX_PAGES);
    for (let number = 1; number <= pages && runs < MAX_RUNS && length < MAX_TEXT; number++) {
      const found = await runsOf(document, number);
      const onPage = joinRuns(found.slice(0, MAX_RUNS - runs), number);
      runs += found.length;
      for (const line of onPage) length += line.text.length;
      lines.push(...onPage);
    }
    const kept = dropRunningLines(lines, pages);
    const heading = headingOf(lines);
    const headingText = heading.map(({ text }) => text).join(" ");
    const declared = field(info, "Title");
    const title = declared !== null && isTitle(declared) ? declared : headingText || null;
    const isHeading = heading.length > 0 && normaliseTitle(headingText) === normaliseTitle(title ?? "");
    return {
      title: title?.slice(0, 500).toWellFormed() ?? null,
      created: dayOf(field(info, "CreationDate") ?? ""),
      language: field(info, "Language"),
      markdown: writeLines(kept, new Set(isHeading ? heading : [])),
    };
  } finally {
    await document.loadingTask.destroy();
  }
}

/** The runs of a page; none if it cannot be read, because other pages may be intact. */
async function runsOf(document: Awaited<ReturnType<typeof getDocumentProxy>>, number: number): Promise<Run[]> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items.flatMap((item) => {
      if (!("str" in item)) return [];
      const [a, b, , d, x, y] = item.transform.map(Number);
      const size = Math.abs(d || Math.hypot(a ?? 0, b ?? 0));
      return Number.isFinite(size) ? [{ text: item.str, x: x ?? 0, y: y ?? 0, width: item.width, size }] : [];
    });
  } catch {
    return [];
  }
}

/** The lines in the largest type of the first page, if it is larger than that of the text. */
function headingOf(lines: readonly Line[]): Line[] {
  const onFirst = lines.filter(({ page }) => page === lines[0]?.page).slice(0, 200);
  const largest = onFirst.reduce((size, line) => (/\p{L}{3}/u.test(line.text) ? Math.max(size, line.size) : size), 0);
  if (largest <= bodySize(lines) * 1.15) return [];
  const at = onFirst.findIndex((line) => line.size > largest * 0.97 && /\p{L}{3}/u.test(line.text));
  const found: Line[] = [];
  for (const line of onFirst.slice(at, at + 4)) {
    if (Math.abs(line.size - largest) > largest * 0.05) break;
    found.push(line);
  }
  return found;
}

/** Whether a title is one: programs also write their own name or that of the file. */
const isTitle = (text: string) =>
  text.length > 3 &&
  /\p{L}{3}/u.test(text) &&
  !/^(untitled|microsoft (word|powerpoint)|powerpoint|presentation|document\d*|slide \d|layout \d|print|title)\b/i.test(
    text,
  ) &&
  !/\.(docx?|indd|pptx?|pdf|ai|pub|pages|key|qxd|tex)$/i.test(text) &&
  (/\s/.test(text) || !/[_\d]/.test(text));

function field(info: unknown, name: string): string | null {
  const value: unknown = typeof info === "object" && info !== null ? Reflect.get(info, name) : undefined;
  const text = typeof value === "string" ? collapseWhitespace(value) : "";
  return text === "" ? null : text.slice(0, 500);
}

/** `D:20240305120000Z` */
function dayOf(value: string): string | null {
  const [, year, month, day] = /^(?:D:)?(\d{4})-?(\d\d)-?(\d\d)/.exec(value) ?? [];
  return year === undefined ? null : (isoDay(Number(year), Number(month), Number(day)) ?? null);
}
