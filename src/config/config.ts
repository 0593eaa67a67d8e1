import { Failure, type Problem } from "../core/errors.ts";
import { nearest } from "../core/text.ts";
import { type Config, KEYS, type Key, placeOf } from "./keys.ts";

interface FileValues {
  /** By dotted name. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly Problem[];
}

interface FileOptions {
  /** The file that was asked for; without it `casefile.toml` is read when it is there. */
  readonly path: string | undefined;
  /** Undefined when there is no such file. May throw. */
  readonly readFile: (path: string) => string | undefined;
  /** Dotted names of all settings: their sections are tables of the file. */
  readonly names: readonly string[];
}

const DEFAULT_FILE = "casefile.toml";

/** Reads the configuration file to dotted names, the unknown ones too. */
function loadFile({ path, readFile, names }: FileOptions): FileValues {
  const file = path ?? DEFAULT_FILE;
  const fault = (detail: string, pointer = file): FileValues => ({
    values: new Map(),
    problems: [{ pointer, detail }],
  });
  let text: string | undefined;
  try {
    text = readFile(file);
  } catch {
    return fault("The file cannot be read.");
  }
  if (text === undefined)
    return path === undefined ? { values: new Map(), problems: [] } : fault("There is no such file.");
  let table: object;
  try {
    table = Bun.TOML.parse(text);
  } catch (error) {
    return fault(error instanceof Error ? error.message.replace(/^TOML Parse error: /, "Not TOML: ") : "Not TOML.");
  }
  const values = new Map<string, unknown>();
  const problems: Problem[] = [];
  const walk = (section: object, prefix: string) => {
    for (const [key, value] of Object.entries(section)) {
      const name = prefix + key;
      const isSection = names.some((known) => known.startsWith(`${name}.`));
      if (!isSection) values.set(name, value);
      else if (typeof value === "object" && value !== null && !Array.isArray(value)) walk(value, `${name}.`);
      else
        problems.push({ pointer: `${file}: ${name}`, detail: `Write the settings of this section under [${name}].` });
    }
  };
  walk(table, "");
  return { values, problems };
}

/** One setting, as help shows it. */
export interface ConfigKey {
  /** As `casefile.toml` writes it: `server.port`. */
  readonly name: string;
  /** `--server-port`. */
  readonly flag: string;
  /** A shorter flag for the same, `--port`. */
  readonly alias: string | null;
  /** `CASEFILE_SERVER_PORT`. */
  readonly env: string;
  /** As a variable would write it; `off` for none. */
  readonly default: string;
  readonly doc: string;
  /** Completes "must be …". */
  readonly expects: string;
  /** The flag may be given several times. */
  readonly list: boolean;
  /** The flag may stand without a value. */
  readonly bare: boolean;
}

export interface ConfigInput {
  /**
   * By name without the dashes in front (`server-port`, `port`, `config`) or in camel case (`serverPort`).
   * Others are ignored: the command line has its own flags and refuses unknown ones itself.
   */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined when there is no such file; may throw when it cannot be read. */
  readonly readFile: (path: string) => string | undefined;
}

const keys: readonly (readonly [string, Key<unknown>])[] = Object.entries(KEYS);
const PREFIX = "CASEFILE_";
const FILE_VARIABLE = "CASEFILE_CONFIG";
/** Of the command line and the examples when they ask a service: a secret, and no setting. */
const KEY_VARIABLE = "CASEFILE_API_KEY";

/** Every setting once, in the order in which help shows them. */
export const configKeys: readonly ConfigKey[] = keys.map(([name, { kind, fallback, doc, alias }]) => ({
  name,
  flag: `--${dashed(name)}`,
  alias: alias === undefined ? null : `--${alias}`,
  env: variableOf(name),
  default: kind.show(fallback),
  doc,
  expects: kind.expects,
  list: kind.list,
  bare: kind.bare ?? false,
}));

/**
 * Reads the settings: a flag before a `CASEFILE_` variable before `casefile.toml` before the default.
 * The file is the one of `--config` or `CASEFILE_CONFIG`, else `casefile.toml` in the working directory when there is one.
 *
 * @throws Failure `config.invalid` with every problem, also of values that another place overrides
 */
export function loadConfig({ flags, env, readFile }: ConfigInput): Config {
  const given = new Map(
    Object.entries(flags).map(([name, value]) => [fromCamel(name), Array.isArray(value) ? value.join(",") : value]),
  );
  const path = given.get("config") ?? (env[FILE_VARIABLE] || undefined);
  const names = keys.map(([name]) => name);
  const file = loadFile({ path: path === undefined ? undefined : String(path), readFile, names });
  const problems: Problem[] = [...file.problems];

  const config = {};
  for (const [name, key] of keys) {
    const sources: [string, unknown][] = [
      [`--${dashed(name)}`, given.get(dashed(name))],
      [`--${key.alias}`, key.alias === undefined ? undefined : given.get(key.alias)],
      [variableOf(name), env[variableOf(name)] || undefined],
      [`${path ?? DEFAULT_FILE}: ${name}`, file.values.get(name)],
    ];
    const found = sources.flatMap(([pointer, raw]) => {
      if (raw === undefined) return [];
      const value = key.kind.parse(raw);
      // What was given is not repeated: it may hold a password.
      if (value === undefined) problems.push({ pointer, detail: `Must be ${key.kind.expects}.` });
      return [value];
    });
    put(config, placeOf(name), found.length > 0 ? found[0] : key.fallback);
  }

  for (const name of file.values.keys()) {
    if (!names.includes(name)) problems.push(unknown(`${path ?? DEFAULT_FILE}: ${name}`, name, names));
  }
  const variables = [...names.map(variableOf), FILE_VARIABLE, KEY_VARIABLE].map((variable) =>
    variable.slice(PREFIX.length),
  );
  for (const [name, value] of Object.entries(env)) {
    const rest = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
    if (rest === undefined || variables.includes(rest) || isServiceLink(rest, value ?? "")) continue;
    problems.push(unknown(name, rest, variables, PREFIX));
  }
  // The loop above put a value of its kind in every place; the compiler cannot follow names that are computed.
  const read = config as Config;
  // Undefined is a value that was refused.
  if (typeof read.smtp.url === "string" && read.smtp.from === null) {
    problems.push({ pointer: "smtp.from", detail: "Must be set when smtp.url is." });
  }
  if (problems.length > 0) {
    const count = problems.length === 1 ? "a problem" : `${problems.length} problems`;
    throw new Failure("config.invalid", `The configuration has ${count}; correct what is listed and start again.`, {
      problems,
    });
  }
  return read;
}

/** Each setting as text, without secrets, and whether it differs from the default. */
export function describeConfig(config: Config): { name: string; value: string; changed: boolean }[] {
  return keys.map(([name, { kind, fallback }]) => {
    const value = placeOf(name).reduce<unknown>((section, part) => Object(section)[part], config);
    return { name, value: kind.show(value), changed: !Bun.deepEquals(value, fallback) };
  });
}

function unknown(pointer: string, typed: string, candidates: readonly string[], prefix = ""): Problem {
  const meant = nearest(typed, candidates);
  return { pointer, detail: `There is no such setting${meant ? `; did you mean ${prefix}${meant}?` : "."}` };
}

/** Kubernetes sets `CASEFILE_SERVICE_HOST` and the like in every container beside a service named `casefile`. */
const isServiceLink = (rest: string, value: string) =>
  /^(SERVICE_(HOST|PORT(_[A-Z0-9_]{1,60})?)|PORT_\d{1,5}_(TCP|UDP)(_(PROTO|PORT|ADDR))?)$/.test(rest) ||
  (rest === "PORT" && /^(tcp|udp):\/\//.test(value));

function put(section: Record<string, unknown>, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    section[first] = value;
    return;
  }
  const inner: Record<string, unknown> = Object(section[first] ?? {});
  section[first] = inner;
  put(inner, rest, value);
}

function dashed(name: string): string {
  return name.replaceAll(/[._]/g, "-");
}

function variableOf(name: string): string {
  return `${PREFIX}${name.replaceAll(".", "_").toUpperCase()}`;
}

function fromCamel(flag: string): string {
  return flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
