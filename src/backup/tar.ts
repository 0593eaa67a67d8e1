/**
 * A subset of tar (POSIX ustar): regular files with plain names. That is all a backup needs, every tar program reads it,
 * and a reader without links, folders and extensions offers no attack surface.
 */

export interface TarFile {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** The archive differs from what {@link writeTar} writes. */
export class TarError extends Error {
  override readonly name = "TarError";
}

const BLOCK = 512;
/** Some programs pad the archive to this size. */
const MAX_PADDING = 20 * BLOCK;
/** Maximum size in eleven octal digits; a larger size is written in base 256, as GNU tar does. */
const MAX_OCTAL = 8 ** 11 - 1;
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,98}$/;

/** @throws RangeError when a content is not `size` bytes long */
export async function* writeTar(files: Iterable<TarFile>, modified: Date): AsyncGenerator<Uint8Array> {
  for (const { name, size, content } of files) {
    yield headerOf(name, size, modified);
    let written = 0;
    for await (const chunk of content) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== size) throw new RangeError(`${name} has ${written} bytes instead of ${size}`);
    yield new Uint8Array(paddingAfter(size));
  }
  yield new Uint8Array(2 * BLOCK);
}

/**
 * Yields each file of an archive. Read its content before asking for the next file; unread content is skipped.
 *
 * @throws TarError for anything that {@link writeTar} does not write
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const bytes = bytesOf(source);
  for (;;) {
    const header = await bytes.exactly(BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const { name, size } = readHeader(header);
    let left = size;
    const next = async (): Promise<Uint8Array> => {
      const part = await bytes.some(left);
      if (!part) throw new TarError("it is truncated");
      left -= part.length;
      return part;
    };
    async function* content(): AsyncGenerator<Uint8Array> {
      while (left > 0) yield await next();
    }
    yield { name, size, content: content() };
    while (left > 0) await next();
    await bytes.exactly(paddingAfter(size));
  }
  const rest = await bytes.rest(MAX_PADDING);
  if (rest === undefined || rest.length < BLOCK || rest.some((byte) => byte !== 0)) {
    throw new TarError("it has no valid end-of-archive marker");
  }
}

const paddingAfter = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

function headerOf(name: string, size: number, modified: Date): Uint8Array {
  if (!PLAIN_NAME.test(name)) throw new RangeError(`${name} is not a plain file name`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0, 100, "latin1");
  header.write(octal(0o600, 7), 100, "latin1");
  header.write(octal(0, 7), 108, "latin1");
  header.write(octal(0, 7), 116, "latin1");
  if (size <= MAX_OCTAL) header.write(octal(size, 11), 124, "latin1");
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(octal(Math.floor(modified.getTime() / 1_000), 11), 136, "latin1");
  header.write("0", 156, "latin1");
  header.write("ustar\u000000", 257, "latin1");
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

/** The sum of all bytes, with spaces in place of the checksum field. */
function checksumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

function readHeader(header: Uint8Array): { readonly name: string; readonly size: number } {
  const field = (from: number, to: number) => {
    const text = Buffer.from(header.subarray(from, to)).toString("latin1");
    const end = text.indexOf("\0");
    return end < 0 ? text : text.slice(0, end);
  };
  if (Number.parseInt(field(148, 156).trim(), 8) !== checksumOf(header)) throw new TarError("a header is damaged");
  if (field(257, 263) !== "ustar" && field(257, 263) !== "ustar ") throw new TarError("a header has an unknown format");
  const name = field(0, 100);
  if (field(156, 157) !== "0" || field(157, 257) !== "")
    throw new TarError("it has an entry that is not a regular file");
  if (field(345, 500) !== "" || !PLAIN_NAME.test(name)) throw new TarError("it has a file whose name is a path");
  return { name, size: sizeIn(header, field(124, 136)) };
}

function sizeIn(header: Uint8Array, text: string): number {
  if (header[124] === 0x80) {
    const size = Buffer.from(header.buffer, header.byteOffset, header.byteLength).readBigUInt64BE(128);
    if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw new TarError("it has a file with an invalid size");
    return Number(size);
  }
  if (!/^ *[0-7]{1,11} *$/.test(text)) throw new TarError("it has a file with an invalid size");
  return Number.parseInt(text, 8);
}

/** Reads a stream in the requested portions; buffers at most one chunk. */
function bytesOf(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array(0);
  /** One to `max` bytes; undefined at the end. */
  const some = async (max: number): Promise<Uint8Array | undefined> => {
    while (held.length === 0) {
      const { value, done } = await chunks.next();
      if (done) return undefined;
      held = value;
    }
    const part = held.subarray(0, max);
    held = held.subarray(part.length);
    return part;
  };
  return {
    some,
    async exactly(size: number): Promise<Uint8Array> {
      const whole = new Uint8Array(size);
      for (let at = 0; at < size; ) {
        const part = await some(size - at);
        if (!part) throw new TarError("it is truncated");
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
    /** Everything left; undefined when it is more than `max` bytes. */
    async rest(max: number): Promise<Uint8Array | undefined> {
      const parts: Uint8Array[] = [];
      let size = 0;
      for (let part = await some(max); part; part = await some(max)) {
        size += part.length;
        if (size > max) return undefined;
        parts.push(part);
      }
      return Buffer.concat(parts);
    },
  };
}
