import type { App } from "../../app/app.ts";
import type { ConfigKey } from "../../config.ts";

/** The machine as a command sees it. `main.ts` builds the real one; tests build their own. */
export interface CliHost {
  readonly version: string;
  readonly configKeys: readonly ConfigKey[];
  /** Opens the application with these flags over environment and file. `inMemory` leaves no trace on disk. */
  open(flags: Readonly<Record<string, unknown>>, options?: { inMemory?: boolean }): Promise<App>;
  /** Serves until the process is asked to stop. */
  serve(flags: Readonly<Record<string, unknown>>): Promise<void>;
  /** `-` is standard input. @throws Failure `snapshot.invalid` when there is no such file */
  readFile(path: string): Promise<{ readonly name: string; readonly text: string; readonly modified: Date }>;
  writeFile(path: string, text: string): Promise<void>;
  /** Results go to standard output, everything else to standard error. */
  out(text: string): void;
  err(text: string): void;
  /** A terminal is at standard error: progress may be drawn. */
  readonly interactive: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
  /** Aborted by an interrupt. */
  readonly signal: AbortSignal;
}
