import { closeSync, openSync, readSync } from "node:fs";
import { MAX_CAPTURE_BYTES } from "../detection/captures/read-capture.ts";
import { decodeText } from "../net/exchange.ts";
import { createByteWindow } from "./byte-window.ts";
import type { FormatContext } from "./formats/company.ts";
import { readDocument } from "./formats/document.ts";
import { passLine, readLines } from "./formats/lines.ts";
import { HEAD, isEmpty, type Recognised, recognise } from "./formats/recognise.ts";
import { passMember, passRecord, readWarc, readWarcMembers } from "./formats/warc.ts";
import { Bomb, gunzip } from "./gzip.ts";
import { type Outcome, refused, type Step } from "./outcomes.ts";

/** A part of a file: records that start between two positions. */
export interface FilePart {
  readonly path: string;
  /** Name of the file without its folder. */
  readonly name: string;
  readonly size: number;
  /** Where the part starts and ends, in bytes of the file; for a compressed stream in decompressed bytes. */
  readonly start: number;
  readonly end: number;
  /** Where reading starts: `start`, or the position behind the last record that was stored. */
  readonly from: number;
  /** The address of the page or zone, if the file does not state it. */
  readonly url?: string | undefined;
  /** Pass over the record at `from`: its reader was ended. */
  readonly passFirst: boolean;
}

const CHUNK = 1_048_576;

/** The format of a file; undefined when it is not known. */
export async function inspectFile(path: string): Promise<Recognised | undefined> {
  const file = openSync(path, "r");
  try {
    return recognise(headOf(file));
  } finally {
    closeSync(file);
  }
}

/** Reading blocks: the process has nothing else to do. */
type Descriptor = number;

function headOf(file: Descriptor): Uint8Array {
  const buffer = new Uint8Array(HEAD);
  return buffer.subarray(0, readSync(file, buffer, 0, HEAD, 0));
}

/** Reads the records of a part. A file that changes while it is read yields what it has. */
export async function* readPart(part: FilePart, context: FormatContext): AsyncGenerator<Step> {
  const file = openSync(part.path, "r");
  try {
    const head = headOf(file);
    const recognised = recognise(head);
    const whole = (outcomes: readonly Outcome[]): Step => ({ start: 0, end: part.end, outcomes });
    if (recognised === undefined) return yield whole([refused(isEmpty(head) ? "empty" : "unrecognised")]);
    if (recognised.format === "document") {
      if (part.passFirst) return yield whole([]);
      return yield whole(await readWhole(file, recognised, part, context));
    }
    yield* readRecords(file, recognised, part, context);
  } finally {
    closeSync(file);
  }
}

async function* chunksOf(file: Descriptor, start: number): AsyncGenerator<Uint8Array> {
  for (let at = start; ; ) {
    const buffer = new Uint8Array(CHUNK);
    const size = readSync(file, buffer, 0, CHUNK, at);
    if (size === 0) return;
    at += size;
    yield buffer.subarray(0, size);
  }
}

async function readWhole(
  file: Descriptor,
  { compression }: Recognised,
  { name, url }: FilePart,
  context: FormatContext,
): Promise<Outcome[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const source = compression === "none" ? chunksOf(file, 0) : gunzip(chunksOf(file, 0));
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > MAX_CAPTURE_BYTES) return [refused("too_large")];
      chunks.push(chunk);
    }
  } catch (error) {
    return [refused(faultOf(error))];
  }
  const plainName = compression === "none" ? name : name.replace(/\.gz$/i, "");
  return readDocument(decodeText(Buffer.concat(chunks), undefined), plainName, context, url);
}

const faultOf = (error: unknown) => (error instanceof Bomb ? "bomb" : isCut(error) ? "cut" : "corrupt");
const isCut = (error: unknown) => error instanceof Error && /unexpected end/i.test(error.message);

async function* readRecords(
  file: Descriptor,
  { format, compression }: Recognised,
  part: FilePart,
  context: FormatContext,
): AsyncGenerator<Step> {
  const isStream = compression === "stream";
  const source = isStream ? gunzip(chunksOf(file, 0)) : chunksOf(file, part.from);
  const window = createByteWindow(source, isStream ? 0 : part.from);
  const end = isStream ? Number.POSITIVE_INFINITY : part.end;
  try {
    if (isStream) await window.skip(part.from);
    if (format === "warc") {
      const [pass, read] = compression === "members" ? [passMember, readWarcMembers] : [passRecord, readWarc];
      if (part.passFirst) await pass(window);
      yield* read(window, end, context);
    } else {
      // A line across the start of a part belongs to the part before.
      const isInside = part.from === part.start && part.start > 0 && !followsLine(file, part.start);
      if (part.passFirst || isInside) await passLine(window);
      yield* readLines(window, end, context);
    }
  } catch (error) {
    if (!isStream || !(error instanceof Error)) throw error;
    yield { start: window.offset, end: window.offset, outcomes: [refused(faultOf(error))] };
  }
}

function followsLine(file: Descriptor, position: number): boolean {
  const before = new Uint8Array(1);
  readSync(file, before, 0, 1, position - 1);
  return before[0] === 10;
}
