import { type Command, InvalidArgumentError } from "commander";

export interface ListFlags {
  readonly limit: number;
  readonly cursor?: string;
  readonly json?: boolean;
}

/** What every command that lists takes. */
export const listOptions = (command: Command, path: string): Command =>
  command
    .option("--limit <rows>", "1 to 100", readCount(100), 20)
    .option("--cursor <cursor>", "where the page before ended, as it told")
    .option("--json", `print the same JSON as GET ${path}`);

export const pageOf = ({ limit, cursor }: ListFlags) => ({ limit, ...(cursor ? { cursor } : {}) });

/** The last line of a list: how much of it is shown, and how to go on. */
export const footer = (shown: number, { total, next_cursor }: { total: number; next_cursor: string | null }) =>
  `${shown} of ${total}${next_cursor === null ? "" : `; go on with --cursor ${next_cursor}`}`;

/** Reads a whole number from 1 to `most`. */
export const readCount = (most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d{1,3}$/.test(text) || value < 1 || value > most)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  return value;
};
