/** Pieces of a story in order, and how they are written down as Markdown. */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  /** Text of a quote has a line for each paragraph; the last may be its source, after a dash. */
  | { readonly kind: "text" | "quote" | "code" | "table"; readonly text: string }
  | { readonly kind: "item"; readonly mark: string; readonly depth: number; readonly text: string };

const MAX_MARKDOWN = 200_000;
const MAX_SOURCE = 140;
const MIN_TWICE = 40;
const DASH = /^\s*(?:[—–―]|-{1,2}(?=\s|\p{Lu}))\s*/u;

/** Text as it stands, so that a reader of Markdown takes nothing of it for markup. */
export function escapeInline(text: string): string {
  if (!/[*`[<&\\]/.test(text)) return text;
  return text
    .replace(/[*`\\]/g, "\\$&")
    .replace(/\](?=[([])/g, "\\]")
    .replace(/&(?=#?\w{2,8};)/g, "&amp;")
    .replace(/<(?=[a-z/!?])/gi, "&lt;");
}

/** @param pieces what stands in a quote; short lines at its end are the name, role and company of who said it */
export function quoteOf(pieces: readonly Block[]): Block[] {
  const lines = pieces.flatMap(({ kind, text }) => (kind === "code" ? [] : text.split("\n")));
  let end = lines.length;
  while (end > 1 && lines.length - end < 4 && isSource(lines[end - 1] ?? "")) end -= 1;
  const said = lines.slice(0, end);
  const source = lines.slice(end).map((line) => line.replace(DASH, "").replace(/,$/, ""));
  if (said.length === 0 || said.every((line) => line.length < 25)) return [...pieces];
  return [{ kind: "quote", text: [...said, ...(source.length > 0 ? [`— ${source.join(", ")}`] : [])].join("\n") }];
}

const isSource = (line: string) =>
  line.length <= MAX_SOURCE &&
  (DASH.test(line) ||
    !/[.!?…。\uff01\uff1f:;"”»’']$/.test(line) ||
    /\b(?:Inc|Ltd|Co|Corp|Jr|Sr|AG|e\.V)\.$/.test(line));

/** At most 200,000 characters; what is longer ends after a whole block. The same long block is written once. */
export function writeMarkdown(blocks: readonly Block[]): string {
  const written: string[] = [];
  const seen = new Set<string>();
  let length = 0;
  let before: Block | undefined;
  for (const block of withSources(blocks)) {
    // Pages hold a block twice for two widths of a screen. A speaker may be named after each quote.
    if (block.text.length > MIN_TWICE && block.kind !== "code" && !DASH.test(block.text)) {
      if (seen.has(block.text)) continue;
      seen.add(block.text);
    }
    const text = write(block);
    const isTight = block.kind === "item" && before?.kind === "item";
    length += text.length + 2;
    if (length > MAX_MARKDOWN) break;
    if (before !== undefined) written.push(isTight ? "\n" : "\n\n");
    written.push(text);
    before = block;
  }
  return written.join("").toWellFormed();
}

/** A line after a quote that begins with a dash says whose it is. */
function withSources(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    if (before?.kind === "quote" && block.kind === "text" && block.text.length <= MAX_SOURCE && DASH.test(block.text)) {
      joined[joined.length - 1] = { kind: "quote", text: `${before.text}\n— ${block.text.replace(DASH, "")}` };
    } else joined.push(block);
  }
  return joined;
}

function write(block: Block): string {
  if (block.kind === "heading") return `${"#".repeat(block.level)} ${block.text}`;
  if (block.kind === "code") return `\`\`\`\n${block.text}\n\`\`\``;
  if (block.kind === "table") return block.text;
  if (block.kind === "quote")
    return block.text
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n>\n");
  if (block.kind === "item") {
    const indent = "  ".repeat(block.depth);
    return block.mark === "" ? `${indent}  ${block.text}` : `${indent}${block.mark} ${block.text}`;
  }
  return escapeStart(block.text);
}

/** What would make a paragraph a heading, a list or a quote. */
const escapeStart = (text: string) =>
  text.replace(/^(?:#{1,6}(?=\s)|[>+|-](?=\s)|={3,}|-{3,}|~{3,})/, "\\$&").replace(/^(\d{1,9})([.)])(?=\s)/, "$1\\$2");
