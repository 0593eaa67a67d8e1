import { createHash } from "node:crypto";

/** `cf_live_`, 32 random characters, 6 of checksum; all base 62. */
const PREFIX = "cf_live_";
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHAPE = /^cf_live_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** A new API key, never seen again after it was shown. */
export function makeKey(): string {
  const random = randomText(RANDOM_LENGTH);
  return PREFIX + random + checksum(random);
}

/** Whether a text can be a key at all: tells typing errors and noise from keys without asking the store. */
export function isWellFormed(key: string): boolean {
  const [, random, sum] = SHAPE.exec(key) ?? [];
  return random !== undefined && sum === checksum(random);
}

/** What is stored of a key or a token: SHA-256 in hex. Such secrets are random, so they need no slow hash. */
export const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

/** `length` characters of base 62, each as likely as the others. */
export function randomText(length: number): string {
  const limit = 256 - (256 % ALPHABET.length);
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < limit && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** CRC-32 in base 62, padded to six characters. */
function checksum(random: string): string {
  let rest = Bun.hash.crc32(random);
  let text = "";
  while (text.length < CHECKSUM_LENGTH) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
