let memory = Buffer.alloc(524_288);
let codes = new Uint16Array(memory.buffer, memory.byteOffset, memory.length / 2);

/**
 * The codes of a text's characters, valid until the next call; the array may be longer. Code that looks at each character
 * reads them faster than those of a string.
 */
export function codesOf(text: string): Uint16Array {
  if (codes.length < text.length) {
    memory = Buffer.alloc(4 * text.length);
    codes = new Uint16Array(memory.buffer, memory.byteOffset, memory.length / 2);
  }
  memory.write(text, 0, "utf16le");
  return codes;
}
