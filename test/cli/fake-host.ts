import { openBackupFiles } from "../../src/backup/service.ts";
import { type ProgramHost, runCommand } from "../../src/commands.ts";
import type { Services } from "../../src/compose.ts";
import { configKeys } from "../../src/config/config.ts";
import { Failure } from "../../src/core/errors.ts";
import type { Check } from "../../src/health/doctor.ts";
import { type FakeAppOptions, fakeVerbs, openFakeApp, SCANNED_AT } from "../services/fake-app.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Flags and options with which the application was opened, in order. */
  readonly opened: readonly {
    readonly flags: Readonly<Record<string, unknown>>;
    readonly inMemory: boolean | "without-data";
  }[];
  readonly written: ReadonlyMap<string, string>;
  /** Number of applications opened and not closed. */
  readonly left: number;
  readonly calls: ReturnType<typeof fakeVerbs>["calls"];
}

export interface Surroundings extends FakeAppOptions {
  readonly host?: Partial<ProgramHost>;
  /** By path; `-` is standard input. */
  readonly files?: Readonly<Record<string, string>>;
  /** Results of the doctor's checks. */
  readonly checks?: readonly Check[];
  /** Shared by all commands of a test; by default each command gets a new one. */
  readonly app?: Services;
}

/** Runs a command line on an in-memory host. */
export async function run(
  argv: readonly string[],
  { host = {}, files = {}, app, checks = [], ...options }: Surroundings = {},
): Promise<Ran> {
  const { verbs, calls } = fakeVerbs();
  const said = { out: "", err: "" };
  const opened: { flags: Readonly<Record<string, unknown>>; inMemory: boolean | "without-data" }[] = [];
  const written = new Map<string, string>();
  let left = 0;
  const code = await runCommand(argv, {
    version: "1.2.3",
    configKeys,
    async open(flags, { inMemory = false } = {}) {
      opened.push({ flags, inMemory });
      const own = app ?? (await openFakeApp({ verbs, ...options }));
      left += 1;
      return {
        ...own,
        async close() {
          left -= 1;
          if (!app) await own.close();
        },
      };
    },
    async *checkUp() {
      yield* checks;
    },
    backupFiles: ({ dataDir = "" }) => openBackupFiles({ dataDir: String(dataDir) }),
    async serve() {
      throw new Error("this test does not serve");
    },
    async serveMcp() {
      throw new Error("this test does not serve agents");
    },
    async readFile(path) {
      const text = files[path];
      if (text === undefined) throw new Failure("snapshot.invalid", `Cannot read ${path}: no such file.`);
      return { name: path === "-" ? "" : path, text, modified: new Date(SCANNED_AT) };
    },
    async openFile(path) {
      const text = files[path];
      if (text === undefined) throw new Failure("snapshot.invalid", `Cannot read ${path}: no such file.`);
      return { name: path === "-" ? "" : path, content: new Blob([text]).stream() };
    },
    async write(path, content) {
      let whole = "";
      for await (const part of content) whole += typeof part === "string" ? part : new TextDecoder().decode(part);
      if (path === undefined || path === "-") said.out += whole;
      else written.set(path, whole);
    },
    async appendFile(path, text) {
      written.set(path, (written.get(path) ?? files[path] ?? "") + text);
    },
    async findFile(path) {
      const text = written.get(path) ?? files[path];
      return text === undefined ? undefined : new Blob([text]).stream();
    },
    async assertWritable(path) {
      if (path.startsWith("/missing/")) throw new Failure("config.invalid", `Cannot write ${path}.`);
    },
    isSameFile: async (input, output) => input === output,
    hasApiKey: true,
    connect() {
      throw new Error("this test asks no server");
    },
    async writeFile(path, text) {
      written.set(path, text);
    },
    out(text) {
      said.out += text;
    },
    err(text) {
      said.err += text;
    },
    interactive: false,
    colour: false,
    columns: 100,
    signal: new AbortController().signal,
    ...host,
  });
  return { code, ...said, opened, written, left, calls };
}
