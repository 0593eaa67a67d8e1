/**
 * The plain half of tar (POSIX ustar): files and nothing else, under simple names. An archive of ours needs no more, every
 * tar reads it, and a reader that knows no link, no folder and no extension has nothing to be tricked with.
 */

export interface TarFile {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** The archive is not one that {@link writeTar} makes. */
export class TarFault extends Error {
  override readonly name = "TarFault";
}

const BLOCK = 512;
/** What some programs fill the end up to; more is not padding. */
const MOST_PADDING = 20 * BLOCK;
/** The most that eleven octal digits hold; a larger file has its size as a number of base 256, as GNU tar writes it. */
const MOST_OCTAL = 8 ** 11 - 1;
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,98}$/;

/** @throws RangeError when a content is not as long as it was said to be */
export async function* writeTar(files: Iterable<TarFile>, modified: Date): AsyncGenerator<Uint8Array> {
  for (const { name, size, content } of files) {
    yield headerOf(name, size, modified);
    let written = 0;
    for await (const chunk of content) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== size) throw new RangeError(`${name} has ${written} bytes and not ${size}`);
    yield new Uint8Array(paddingAfter(size));
  }
  yield new Uint8Array(2 * BLOCK);
}

/**
 * Each file of an archive as it comes. Read the content of one before the next is asked for; what is left of it is
 * passed over.
 *
 * @throws TarFault for all that {@link writeTar} does not make
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
      if (!part) throw new TarFault("it ends too early");
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
  const rest = await bytes.rest(MOST_PADDING);
  if (rest === undefined || rest.length < BLOCK || rest.some((byte) => byte !== 0)) {
    throw new TarFault("it does not end where it should");
  }
}

const paddingAfter = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

function headerOf(name: string, size: number, modified: Date): Uint8Array {
  if (!PLAIN_NAME.test(name)) throw new RangeError(`${name} is no plain name`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0, 100, "latin1");
  header.write(octal(0o600, 7), 100, "latin1");
  header.write(octal(0, 7), 108, "latin1");
  header.write(octal(0, 7), 116, "latin1");
  if (size <= MOST_OCTAL) header.write(octal(size, 11), 124, "latin1");
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

/** The sum of all bytes, those of the sum itself taken as spaces. */
function checksumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

function readHeader(header: Uint8Array): { readonly name: string; readonly size: number } {
  const field = (from: number, to: number) => {
    const text = Buffer.from(header.subarray(from, to)).toString("latin1");
    const end = text.indexOf("\0");
    return end < 0 ? text : text.slice(0, end);
  };
  if (Number.parseInt(field(148, 156).trim(), 8) !== checksumOf(header)) throw new TarFault("a header is damaged");
  if (field(257, 263) !== "ustar" && field(257, 263) !== "ustar ") throw new TarFault("a header is of another form");
  const name = field(0, 100);
  if (field(156, 157) !== "0" || field(157, 257) !== "") throw new TarFault("it has an entry that is no plain file");
  if (field(345, 500) !== "" || !PLAIN_NAME.test(name)) throw new TarFault("it has a file under a name with a path");
  return { name, size: sizeIn(header, field(124, 136)) };
}

function sizeIn(header: Uint8Array, text: string): number {
  if (header[124] === 0x80) {
    const size = Buffer.from(header.buffer, header.byteOffset, header.byteLength).readBigUInt64BE(128);
    if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw new TarFault("it has a file of no possible size");
    return Number(size);
  }
  if (!/^ *[0-7]{1,11} *$/.test(text)) throw new TarFault("it has a file of no possible size");
  return Number.parseInt(text, 8);
}

/** Takes bytes from a stream in the portions that are asked for, and holds no more than one chunk of it. */
function bytesOf(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array(0);
  /** At most so many bytes, and at least one; undefined at the end. */
  const some = async (most: number): Promise<Uint8Array | undefined> => {
    while (held.length === 0) {
      const { value, done } = await chunks.next();
      if (done) return undefined;
      held = value;
    }
    const part = held.subarray(0, most);
    held = held.subarray(part.length);
    return part;
  };
  return {
    some,
    async exactly(size: number): Promise<Uint8Array> {
      const whole = new Uint8Array(size);
      for (let at = 0; at < size; ) {
        const part = await some(size - at);
        if (!part) throw new TarFault("it ends too early");
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
    /** All that is left; undefined when it is more than `most`. */
    async rest(most: number): Promise<Uint8Array | undefined> {
      const parts: Uint8Array[] = [];
      let size = 0;
      for (let part = await some(most); part; part = await some(most)) {
        size += part.length;
        if (size > most) return undefined;
        parts.push(part);
      }
      return Buffer.concat(parts);
    },
  };
}
