/** Bytes that are kept for the next text: two for each character. A longer text has memory for itself. */
const MAX_KEPT = 4_194_304;
const LEAST_KEPT = 262_144;

/** Nothing until the first text: most processes read none. */
let memory: Buffer | undefined;
let codes: Uint16Array = new Uint16Array();
/** The text whose codes are in the memory: several searches read one text in a row. */
let written: string | undefined;

/**
 * The codes of a text's characters, valid until the next call for another text; the array may be longer. Code that looks at
 * each character reads them faster than those of a string.
 */
export function codesOf(text: string): Uint16Array {
  if (text === written) return codes;
  const size = 2 * text.length;
  if (size > MAX_KEPT) {
    const own = Buffer.alloc(size);
    own.write(text, 0, "utf16le");
    return viewOf(own);
  }
  if (memory === undefined || memory.length < size) {
    memory = Buffer.alloc(Math.min(MAX_KEPT, Math.max(LEAST_KEPT, 2 * size)));
    codes = viewOf(memory);
  }
  memory.write(text, 0, "utf16le");
  written = text;
  return codes;
}

const viewOf = ({ buffer, byteOffset, length }: Buffer) => new Uint16Array(buffer, byteOffset, length / 2);

/** What `\s` matches. */
export const isSpace = (code: number): boolean =>
  code <= 32 ? code === 32 || (code >= 9 && code <= 13) : code >= 160 && /\s/.test(String.fromCharCode(code));
