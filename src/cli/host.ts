import type { Client } from "../../client/src/index.ts";
import type { BackupFiles } from "../backup/service.ts";
import type { Services } from "../compose.ts";
import type { ConfigKey } from "../config/config.ts";
import type { Check } from "../health/doctor.ts";

/** The machine as a command sees it. `main.ts` builds the real one; tests build their own. */
export interface CliHost {
  readonly version: string;
  readonly configKeys: readonly ConfigKey[];
  /** Opens the application with these flags over environment and file. `inMemory` leaves no trace on disk. */
  open(flags: Readonly<Record<string, unknown>>, options?: { inMemory?: boolean }): Promise<Services>;
  /** Checks the installation, also one that cannot be opened. */
  checkUp(flags: Readonly<Record<string, unknown>>, options: { offline: boolean }): AsyncIterable<Check>;
  /** Archives for the data directory of these flags, which is not opened. */
  backupFiles(flags: Readonly<Record<string, unknown>>): BackupFiles;
  /** A client of a service elsewhere, with the key of the environment. */
  connect(server: string): Client;
  /** Serves until the process is asked to stop. */
  serve(flags: Readonly<Record<string, unknown>>): Promise<void>;
  /** Serves the agent tools on standard input and output until the input ends or the process is asked to stop. */
  serveMcp(flags: Readonly<Record<string, unknown>>): Promise<void>;
  /** `-` is standard input. @throws Failure `snapshot.invalid` when there is no such file */
  readFile(path: string): Promise<{ readonly name: string; readonly text: string; readonly modified: Date }>;
  /** The same as it streams, for files of any size. */
  openFile(path: string): Promise<{ readonly name: string; readonly content: AsyncIterable<Uint8Array> }>;
  writeFile(path: string, text: string): Promise<void>;
  /** Adds to the end of a file, which is made when there is none. */
  appendFile(path: string, text: string): Promise<void>;
  /** What a file holds, as it streams; undefined when there is none. */
  findFile(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Writes text as it comes, as fast as it is taken; to standard output when there is no path. */
  write(path: string | undefined, text: AsyncIterable<string>): Promise<void>;
  /** Results go to standard output, everything else to standard error. */
  out(text: string): void;
  err(text: string): void;
  /** A terminal is at standard error: progress may be drawn. */
  readonly interactive: boolean;
  /** A terminal is at standard output, and colour is not refused (`NO_COLOR`). */
  readonly colour: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
  /** Aborted by an interrupt. */
  readonly signal: AbortSignal;
}
