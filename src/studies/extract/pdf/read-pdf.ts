/** Text of a PDF by pdf.js, as unpdf bundles it. Runs in a thread of its own: a hostile file can keep it busy for ever. */
import { getDocumentProxy } from "unpdf";
import { isoDay } from "../written-date.ts";
import { bodySize, dropRunningLines, joinRuns, type Line, type Run, writeLines } from "./lines.ts";

export interface PdfText {
  readonly title: string | null;
  /** ISO date on which the file says that it was made. */
  readonly created: string | null;
  /** BCP 47 as the file claims it. */
  readonly language: string | null;
  readonly markdown: string;
}

const MAX_PAGES = 200;
const MAX_RUNS = 200_000;
/** Characters of text of all pages; Markdown is cut shorter still. */
const MAX_TEXT = 400_000;

/** @throws whatever pdf.js throws at what is no PDF, is encrypted or broken */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
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
    const told = field(info, "Title");
    const title = told !== null && isTitle(told) ? told : heading.map(({ text }) => text).join(" ") || null;
    const isHeading = heading.length > 0 && fold(heading.map(({ text }) => text).join(" ")) === fold(title ?? "");
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

/** A page that cannot be read is left out; the others may be whole. */
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

/** The lines that are set largest on the first page, when they are larger than the text. */
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

/** Programs write their own names and those of files where a title should stand. */
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
  const text = typeof value === "string" ? value.replace(/[\s\u0000-\u001f]+/g, " ").trim() : "";
  return text === "" ? null : text.slice(0, 500);
}

/** `D:20240305120000Z` */
function dayOf(value: string): string | null {
  const [, year, month, day] = /^(?:D:)?(\d{4})-?(\d\d)-?(\d\d)/.exec(value) ?? [];
  return year === undefined ? null : (isoDay(Number(year), Number(month), Number(day)) ?? null);
}

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
