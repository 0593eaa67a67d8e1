import { type Command, InvalidArgumentError } from "commander";

export interface ListFlags {
  readonly limit: number;
  readonly cursor?: string;
  readonly json?: boolean;
}

/** The options of every command that lists. */
export const listOptions = (command: Command, path: string): Command =>
  command
    .option("--limit <rows>", "1 to 100", readCount(100), 20)
    .option("--cursor <cursor>", "the cursor printed below the previous page")
    .option("--json", `print the same JSON as GET ${path}`);

export const pageOf = ({ limit, cursor }: ListFlags) => ({ limit, ...(cursor ? { cursor } : {}) });

/** The last line of a list: how many rows of the total are shown, and the cursor of the next page. */
export const footer = (shown: number, { total, next_cursor }: { total: number; next_cursor: string | null }) =>
  `${shown} of ${total}${next_cursor === null ? "" : `; next page: --cursor ${next_cursor}`}`;

/** Parses a whole number from 1 to `maximum`. */
export const readCount = (maximum: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d{1,3}$/.test(text) || value < 1 || value > maximum)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${maximum}.`);
  return value;
};

/** Parses an option that has one value: the last one would replace those before without a word. */
export const readOnce =
  (remedy = "give it once.") =>
  (text: string, before: string | undefined) => {
    if (before !== undefined) throw new InvalidArgumentError(`It is given twice, with ${before} before; ${remedy}`);
    return text;
  };
