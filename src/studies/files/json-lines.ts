import type { FileRecord } from "./file-records.ts";

export const MAX_LINE_BYTES = 2 * 1024 ** 2;
const NEWLINE = 10;

/** One record for each line that is not blank. A line that is too long or no JSON is a fault of its own. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileRecord> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const { line, bytes } of splitLines(chunks)) {
    if (bytes === null) yield { line, fault: "The line is longer than 2 MiB." };
    else {
      const record = parseLine(line, bytes, decoder);
      if (record !== null) yield record;
    }
  }
}

function parseLine(line: number, bytes: Uint8Array, decoder: TextDecoder): FileRecord | null {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { line, fault: "The line is not UTF-8." };
  }
  if (text.trim() === "") return null;
  try {
    return { line, raw: JSON.parse(text) };
  } catch {
    return { line, fault: "The line is no JSON; each record stands on one line." };
  }
}

/** Lines with their number from 1; `bytes` is null for one over {@link MAX_LINE_BYTES}, whose bytes are never kept. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>) {
  let parts: Uint8Array[] = [];
  let length = 0;
  let line = 1;
  const take = () => {
    const bytes = length > MAX_LINE_BYTES ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    return { line: line++, bytes };
  };
  const keep = (part: Uint8Array) => {
    length += part.length;
    if (length > MAX_LINE_BYTES) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
