import type { Client } from "../../client/src/index.ts";

type Flags = Readonly<Record<string, unknown>>;

/** The machine as a command sees it. `main.ts` builds the real one; tests build a fake one. */
export interface CliHost<Services = unknown> {
  readonly version: string;
  /** Opens the services with these flags over environment and file. `inMemory` writes nothing to disk. */
  open(flags: Flags, options?: OpenOptions): Promise<Services & { close(): Promise<void> }>;
  /** A client of the service at this address, with the API key of the environment. */
  connect(server: string): Client;
  /** Whether the environment has an API key, in CASEFILE_API_KEY. */
  readonly hasApiKey: boolean;
  /** `-` is standard input. @throws Failure `snapshot.invalid` when there is no such file */
  readFile(path: string): Promise<{ readonly name: string; readonly text: string; readonly modified: Date }>;
  /** Streams a file of any size; `-` is standard input. @throws Failure `snapshot.invalid` when there is no such file */
  openFile(path: string): Promise<{ readonly name: string; readonly content: AsyncIterable<Uint8Array> }>;
  writeFile(path: string, text: string): Promise<void>;
  /** Creates and changes nothing. @throws Failure `config.invalid` when the file cannot be written */
  assertWritable(path: string): Promise<void>;
  /** Appends to a file and creates it if needed. */
  appendFile(path: string, text: string): Promise<void>;
  /** Streams a file; undefined when there is none. */
  findFile(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Whether both paths lead to one file, by whatever spelling or link; `-` as input is the file that the shell redirects. */
  isSameFile(input: string, output: string): Promise<boolean>;
  /** Writes content as it arrives, to standard output when there is no path. */
  write(path: string | undefined, content: AsyncIterable<string | Uint8Array>): Promise<void>;
  /** Results go to standard output, everything else to standard error. */
  out(text: string): void;
  err(text: string): void;
  /** Standard error is a terminal: progress may be drawn. */
  readonly interactive: boolean;
  /** Standard output is a terminal, and `NO_COLOR` is not set. */
  readonly colour: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
  /** Aborted by an interrupt. */
  readonly signal: AbortSignal;
}

/** What messages call an input, whose path may be `-`. */
export const inputName = (path: string): string => (path === "-" ? "standard input" : path);

export interface OpenOptions {
  /**
   * Writes nothing to disk. A command that requests sites must know the stored opt-outs: `without-data` does so only where
   * there is no data.
   */
  readonly inMemory?: boolean | "without-data";
  /** Does not use the custom fingerprints in the database, which may be those to replace. */
  readonly withoutInstalled?: boolean;
}

/** Opens the services for one command and closes them afterwards. */
export async function withApp<Services, T>(
  host: CliHost<Services>,
  flags: Flags,
  work: (services: Services) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const services = await host.open(flags, options);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}
