import { parseArgs } from "node:util";
import { ENGINES } from "./search.ts";

const OPTIONS = {
  companies: { type: "string", default: "1000000" },
  domains: { type: "string", default: "20000" },
  sources: { type: "string", default: "light" },
  seconds: { type: "string", default: "20" },
  questions: { type: "string", default: "10000" },
  studies: { type: "string", default: "100000" },
  corpus: { type: "string" },
  only: { type: "string" },
  folder: { type: "string", default: "." },
  before: { type: "string" },
  after: { type: "string" },
  pairs: { type: "string", default: "8" },
  keep: { type: "string" },
  save: { type: "boolean", default: false },
} as const;
type Flag = keyof typeof OPTIONS;

interface Bench {
  /** Its flags, as the usage shows them. */
  readonly flags: Partial<Record<Flag, string>>;
  readonly requires?: readonly Flag[];
  readonly note?: string;
}

const BENCHES = {
  detection: { flags: {} },
  commits: { flags: { folder: "DIR" } },
  ingest: {
    flags: { corpus: "DIR|FILE.warc.gz" },
    requires: ["corpus"],
    note: "of saved pages, each named after its host",
  },
  scans: { flags: { corpus: "DIR", domains: "N", sources: "light|all" }, requires: ["corpus"], note: "of saved pages" },
  nodes: { flags: { seconds: "N" }, note: "on a PostgreSQL that npm installs" },
  "single-file": {
    flags: { before: "DIR", after: "DIR", seconds: "N", pairs: "N" },
    requires: ["before"],
    note: "source trees with their packages",
  },
  stack: { flags: { companies: "N", questions: "N", folder: "DIR" }, note: "each N is 100 or more" },
  structure: { flags: { corpus: "DIR" }, requires: ["corpus"] },
  growth: { flags: { keep: "DIR", studies: "N", corpus: "DIR", save: "" }, requires: ["keep"] },
  search: { flags: { studies: "N", corpus: "DIR", only: ENGINES.join(","), keep: "DIR", save: "" } },
} as const satisfies Record<string, Bench>;
export type BenchName = keyof typeof BENCHES;

const benchOf = (name: BenchName): Bench => BENCHES[name];
const isBench = (name: string): name is BenchName => Object.hasOwn(BENCHES, name);

const wholeFrom = (least: number) => (text: string) =>
  Number.isSafeInteger(Number(text)) && Number(text) >= least ? undefined : `a whole number of ${least} or more`;
const isPositive = (text: string) => (Number(text) > 0 ? undefined : "a number above 0");

/** What the value of a flag must be; undefined for one that is. */
const CHECKS: Partial<Record<Flag, (text: string) => string | undefined>> = {
  companies: wholeFrom(100),
  questions: wholeFrom(100),
  studies: wholeFrom(100),
  domains: wholeFrom(1),
  pairs: wholeFrom(1),
  seconds: isPositive,
  sources: (text) => (/^(?:light|all)$/.test(text) ? undefined : "light or all"),
  only: (text) =>
    text.split(",").every((name) => ENGINES.some((engine) => engine === name))
      ? undefined
      : `one or several of ${ENGINES.join(",")}`,
};

/** `npm run bench -- stack [--companies N] …` */
export function usageOf(name: BenchName): string {
  const { flags, requires = [], note } = benchOf(name);
  const shown = Object.entries(flags).map(([flag, value]) => {
    const text = `--${flag}${value && ` ${value}`}`;
    return requires.some((each) => each === flag) ? text : `[${text}]`;
  });
  return `${["npm run bench --", name, ...shown].join(" ")}${note === undefined ? "" : ` (${note})`}`;
}

export const USAGE = `usage: ${Object.keys(BENCHES).filter(isBench).map(usageOf).join("\n       ")}`;

/** What is wrong with the arguments, and what is right. */
export class WrongArguments extends Error {}

/** @throws WrongArguments */
export function benchArguments(argv: readonly string[]) {
  const { positionals, values, tokens } = parsed(argv);
  const [name, ...others] = positionals;
  if (name === undefined) throw new WrongArguments(USAGE);
  if (!isBench(name)) throw new WrongArguments(`There is no bench "${name}".\n${USAGE}`);
  const { flags, requires = [] } = benchOf(name);
  const wrong = (problem: string) => new WrongArguments(`${problem}\nusage: ${usageOf(name)}`);
  if (others.length > 0) throw wrong(`The bench ${name} takes no "${others.join(" ")}".`);
  for (const token of tokens)
    if (token.kind === "option" && !Object.hasOwn(flags, token.name))
      throw wrong(`The bench ${name} has no ${token.rawName}.`);
  for (const flag of requires) if (values[flag] === undefined) throw wrong(`The bench ${name} needs --${flag}.`);
  for (const [flag, value] of Object.entries(values)) {
    const expected =
      typeof value === "string" && Object.hasOwn(flags, flag) ? CHECKS[flag as Flag]?.(value) : undefined;
    if (expected !== undefined) throw wrong(`--${flag} must be ${expected}, not "${value}".`);
  }
  return { name, values };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, tokens: true, options: OPTIONS });
  } catch (error) {
    throw new WrongArguments(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}
