import type { LeftOut } from "../raw-fields.ts";
import { csvRows } from "./csv.ts";
import { UnreadableFile, unpacked } from "./file-bytes.ts";
import { jsonLines } from "./json-lines.ts";

/** A record of a file with the line, from 1, on which it starts, and what of it is not in `raw`; or what is wrong there. */
export type FileRecord =
  | { readonly line: number; readonly raw: unknown; readonly leftOut?: LeftOut }
  | { readonly line: number; readonly fault: string };

const HEAD_BYTES = 65_536;

/**
 * Reads a file of case studies as it streams: JSON lines or CSV (by content, then by the ending of its name), packed by
 * gzip or zstd or not. Never throws for what is in the file: a broken one ends with a fault.
 *
 * @param name of the file, when it has one
 */
export async function* readFileRecords(
  source: AsyncIterable<Uint8Array>,
  name = "",
  maxBytes?: number,
): AsyncGenerator<FileRecord> {
  let line = 1;
  try {
    for await (const record of recordsOf(unpacked(source, maxBytes), name)) {
      line = record.line;
      yield record;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    yield { line, fault: error.message };
  }
}

async function* recordsOf(bytes: AsyncGenerator<Uint8Array>, name: string): AsyncGenerator<FileRecord> {
  const { head, whole } = await peek(bytes);
  const first = new TextDecoder().decode(head.subarray(0, 1_024)).trimStart()[0];
  if (first === undefined && head.length < 1_024) return;
  if (first === "[") {
    await bytes.return(undefined);
    yield { line: 1, fault: "The file is one JSON array; give one record on each line instead." };
  } else if (isArchive(head)) {
    await bytes.return(undefined);
    yield { line: 1, fault: "The file is a spreadsheet or another zip archive; save the sheet as CSV." };
  } else if (first === "{" || /\.(jsonl?|ndjson)(\.(gz|zst))?$/i.test(name)) yield* jsonLines(whole);
  else yield* csvRows(whole, head);
}

/** A zip archive, which spreadsheets are. */
const isArchive = (head: Uint8Array) => head.length >= 4 && Buffer.from(head.subarray(0, 4)).equals(ZIP);
const ZIP = Buffer.from([0x50, 0x4b, 3, 4]);

/** The first bytes, read ahead, and the whole with them in it. */
async function peek(bytes: AsyncGenerator<Uint8Array>) {
  const parts: Uint8Array[] = [];
  for (let length = 0; length < HEAD_BYTES; ) {
    const next = await bytes.next();
    if (next.done) break;
    parts.push(next.value);
    length += next.value.length;
  }
  const head: Uint8Array = Buffer.concat(parts);
  async function* whole() {
    yield head;
    yield* bytes;
  }
  return { head: head.subarray(0, HEAD_BYTES), whole: whole() };
}
