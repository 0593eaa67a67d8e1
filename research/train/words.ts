/**
 * Words as the exported tokenizer sees them: lower case, no accents, split at white space and around punctuation.
 * `test/embedding/train.test.ts` holds that the library reads a text just so.
 */
export function wordsOf(text: string): string[] {
  return normalised(text).match(WORD) ?? [];
}

const WORD = /[^\s\p{P}$+<=>^`|~]+|[\p{P}$+<=>^`|~]/gu;
const ASCII = /^[\t\n\r -~]*$/;

function normalised(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu, (found) => (/\s/.test(found) ? " " : ""))
    .replace(/[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF]/g, " $& ")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}
