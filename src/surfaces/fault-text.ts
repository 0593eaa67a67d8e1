/** What the schema library says of a value, and what to do instead. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^Expected required property$/, "It is required."],
  [/^Unexpected property$/, "Nothing of this name is known; leave it out."],
  [/^Expected string$/, "Give a text."],
  [/^Expected boolean$/, "Give true or false."],
  [/^Expected integer$/, "Give a whole number."],
  [/^Expected number$/, "Give a number."],
  [/^Expected array$/, "Give a list."],
  [/^Expected object$/, "Give an object."],
  [/^Expected (?:integer|number) to be greater or equal to (-?\d+)$/, "Give $1 or more."],
  [/^Expected (?:integer|number) to be less or equal to (-?\d+)$/, "Give $1 at most."],
  [/^Expected array length to be greater or equal to (\d+)$/, "Give at least $1."],
  [/^Expected array length to be less or equal to (\d+)$/, "Give at most $1."],
  [/^Expected string length greater or equal to (\d+)$/, "Give a text; characters: $1 or more."],
  [/^Expected string length less or equal to (\d+)$/, "Give a shorter text; characters: $1 at most."],
  [/^Expected object to have at least (\d+) properties$/, "Give at least one field."],
];

/** One sentence that says what to do about a value that a schema does not allow; what is not known here as it came. */
export function faultText(message: string): string {
  const known = ADVICE.find(([said]) => said.test(message));
  return known ? message.replace(known[0], known[1]) : message;
}
