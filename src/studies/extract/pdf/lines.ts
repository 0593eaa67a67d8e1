/** Runs of text on a page, put together to lines, and lines to paragraphs and headings. */

/** A run of text as the file draws it; sizes and places in points, the origin at the bottom left. */
export interface Run {
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

/** Runs that stand beside each other at one height are a line; a gap as wide as a letter is a space. */
export function joinRuns(runs: readonly Run[], page: number): Line[] {
  const lines: Line[] = [];
  let text = "";
  let first: Run | undefined;
  let last: Run | undefined;
  let size = 0;
  const end = () => {
    const whole = text
      .replace(/[\u00ad\u200b\ufeff]/g, "")
      .replace(/[\s\u0000-\u001f]+/g, " ")
      .trim();
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

/** Lines without those that stand at the top or foot of most pages, and without page numbers. */
export function dropRunningLines(lines: readonly Line[], pages: number): Line[] {
  const fold = (text: string) => text.replace(/\d+/g, "0");
  const pagesOf = new Map<string, Set<number>>();
  for (const { text, page } of lines) {
    const key = fold(text);
    pagesOf.set(key, (pagesOf.get(key) ?? new Set()).add(page));
  }
  const isRunning = ({ text }: Line) =>
    /^(?:page |seite |p\. ?)?\d{1,4}(?: ?(?:\/|of|von) ?\d{1,4})?$/i.test(text) ||
    (pages >= 3 && text.length < 150 && (pagesOf.get(fold(text))?.size ?? 0) >= Math.max(3, pages * 0.6));
  return lines.filter((line) => !isRunning(line));
}

/** The size that most of the text is set in. */
export function bodySize(lines: readonly Line[]): number {
  const weights = new Map<number, number>();
  for (const { size, text } of lines) {
    const key = Math.round(size * 2) / 2;
    weights.set(key, (weights.get(key) ?? 0) + text.length);
  }
  return [...weights].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

const BULLET = /^(?:[•●▪■◦‣·○*–-]|\d{1,2}[.)])\s+/u;
const ENDS = /[.!?:;。\uff01\uff1f”"»)]$/u;

/** Lines as Markdown, at most 200,000 characters: what is set larger than the rest is a heading. */
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
    // A word that a line's end has parted.
    if (/\p{Ll}-$/u.test(open) && /^\p{Ll}/u.test(line.text)) open = open.slice(0, -1) + line.text;
    else open += `${open === "" ? "" : isHan(open) ? "" : " "}${line.text}`;
    before = line;
  }
  end();
  return blocks.join("\n\n").toWellFormed();
}

const isHan = (text: string) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana},。、]$/u.test(text);

/** Whether a line goes on with the paragraph of the one before. */
function continues(before: Line, line: Line, body: number): boolean {
  if (Math.abs(before.size - line.size) > body * 0.15) return false;
  // Over the end of a column or a page a sentence goes on, a paragraph that has ended does not.
  if (before.page !== line.page || line.y > before.y) return !ENDS.test(before.text) && /^[\p{Ll}\d(]/u.test(line.text);
  return before.y - line.y < Math.max(line.size, body) * 1.75;
}
