/** The few pieces of DER (X.690) that a certificate is made of. */
const tagged = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), body]);
  const size = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};

export const sequence = (...parts: readonly Uint8Array[]) => tagged(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]) => tagged(0x31, ...parts);
export const octets = (bytes: Uint8Array) => tagged(0x04, bytes);
export const bits = (bytes: Uint8Array, unused = 0) => tagged(0x03, Buffer.from([unused]), bytes);
export const text = (value: string) => tagged(0x0c, Buffer.from(value));
export const truth = () => tagged(0x01, Buffer.from([255]));
/** Positive, big-endian; a byte is put in front so that the sign bit is never set. */
export const integer = (bytes: Uint8Array) => tagged(0x02, Buffer.from([1]), bytes);
export const small = (value: number) => tagged(0x02, Buffer.from([value]));
/** `[number] EXPLICIT` around parts. */
export const explicit = (number: number, ...parts: readonly Uint8Array[]) => tagged(0xa0 + number, ...parts);
/** `[number] IMPLICIT` in place of a primitive's own tag. */
export const implicit = (number: number, bytes: Uint8Array) => tagged(0x80 + number, bytes);

/** `YYYYMMDDHHMMSSZ`, which is good for every year. */
export const instant = (date: Date) =>
  tagged(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));

/** From dotted decimals. */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 127];
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift(128 | (left & 127));
    bytes.push(...digits);
  }
  return tagged(0x06, Buffer.from(bytes));
}
