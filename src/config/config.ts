import { Failure, type Problem } from "../core/errors.ts";
import { findClosest } from "../core/text.ts";
import { type Config, GROUPS, KEYS, type Key, placeOf } from "./keys.ts";

/** One setting, as the help shows it. */
export interface ConfigKey {
  /** As `casefile.toml` writes it: `server.port`. */
  readonly name: string;
  /** `--server-port`. */
  readonly flag: string;
  /** A shorter flag for the same setting, `--port`. */
  readonly alias: string | null;
  /** `CASEFILE_SERVER_PORT`. */
  readonly env: string;
  /** As an environment variable would write it; `off` for none. */
  readonly default: string;
  readonly doc: string;
  /** Heading in the help: `Server`; null for general options. */
  readonly group: string | null;
  /** The flag may be repeated. */
  readonly list: boolean;
  /** The flag may be given without a value. */
  readonly bare: boolean;
}

export interface ConfigInput {
  /**
   * By name without the leading dashes (`server-port`, `port`, `config`) or in camel case (`serverPort`).
   * Others are ignored: the command line has flags that are no settings, and refuses unknown ones itself.
   */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined when there is no such file; may throw when it cannot be read. */
  readonly readFile: (path: string) => string | undefined;
}

const keys: readonly (readonly [string, Key<unknown>])[] = Object.entries(KEYS);
const names = keys.map(([name]) => name);
const DEFAULT_FILE = "casefile.toml";
const PREFIX = "CASEFILE_";
const FILE_VARIABLE = "CASEFILE_CONFIG";
/** The key that the command line and the examples send to another service: a secret, not a setting. */
const KEY_VARIABLE = "CASEFILE_API_KEY";

const dashed = (name: string) => name.replaceAll(/[._]/g, "-");
const variableOf = (name: string) => `${PREFIX}${name.replaceAll(".", "_").toUpperCase()}`;
const fromCamel = (flag: string) => flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Every setting once, in the order of the help. */
export const configKeys: readonly ConfigKey[] = keys.map(([name, { kind, fallback, doc, alias }]) => ({
  name,
  flag: `--${dashed(name)}`,
  alias: alias === undefined ? null : `--${alias}`,
  env: variableOf(name),
  default: kind.show(fallback),
  doc,
  group: GROUPS[name.split(".")[0] ?? ""] ?? null,
  list: kind.list,
  bare: kind.bare ?? false,
}));

/**
 * Reads the settings. A flag overrides a `CASEFILE_` variable, which overrides `casefile.toml`, which overrides the
 * default. The file is the one of `--config` or `CASEFILE_CONFIG`, else `casefile.toml` in the working directory.
 *
 * @throws Failure `config.invalid` with every problem, including those of overridden values
 */
export function loadConfig({ flags, env, readFile }: ConfigInput): Config {
  const given = new Map(
    Object.entries(flags).map(([name, value]) => [fromCamel(name), Array.isArray(value) ? value.join(",") : value]),
  );
  const path = given.get("config") ?? (env[FILE_VARIABLE] || undefined);
  const fileName = String(path ?? DEFAULT_FILE);
  const file = loadFile(fileName, { isRequired: path !== undefined, readFile });
  const problems: Problem[] = [...file.problems];

  const config = {};
  for (const [name, key] of keys) {
    const sources: [string, unknown][] = [
      [`--${dashed(name)}`, given.get(dashed(name))],
      [`--${key.alias}`, key.alias === undefined ? undefined : given.get(key.alias)],
      [variableOf(name), env[variableOf(name)] || undefined],
      [`${fileName}: ${name}`, file.values.get(name)],
    ];
    const found = sources.flatMap(([pointer, raw]) => {
      if (raw === undefined) return [];
      const value = key.kind.parse(raw);
      if (value === undefined) problems.push({ pointer, detail: invalidValue(name, key, raw) });
      return [value];
    });
    put(config, placeOf(name), found.length > 0 ? found[0] : key.fallback);
  }

  for (const name of file.values.keys())
    if (!names.includes(name)) problems.push(unknownSetting(`${fileName}: ${name}`, name, names));
  problems.push(...unknownVariables(env));
  // The loop above put a value of the right type in every place; the compiler cannot follow computed names.
  const read = config as Config;
  // An invalid value is undefined here.
  if (typeof read.smtp.url === "string" && read.smtp.from === null)
    problems.push({ pointer: "smtp.from", detail: "Must be set when smtp.url is." });
  if (problems.length > 0) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    throw new Failure(
      "config.invalid",
      `The configuration has ${count}; correct the settings listed and start again.`,
      {
        problems,
      },
    );
  }
  return read;
}

interface FileValues {
  /** By dotted name, unknown names included. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly Problem[];
}

function loadFile(
  file: string,
  { isRequired, readFile }: { isRequired: boolean; readFile: ConfigInput["readFile"] },
): FileValues {
  const values = new Map<string, unknown>();
  const problems: Problem[] = [];
  const failed = (detail: string): FileValues => ({ values, problems: [{ pointer: file, detail }] });
  let text: string | undefined;
  try {
    text = readFile(file);
  } catch {
    return failed("The file cannot be read.");
  }
  if (text === undefined) return isRequired ? failed("There is no such file.") : { values, problems };
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
  try {
    walk(Bun.TOML.parse(text), "");
  } catch (error) {
    return failed(error instanceof Error ? error.message.replace(/^(TOML Parse error: )?/, "Not TOML: ") : "Not TOML.");
  }
  return { values, problems };
}

/** Repeats the value unless it may hold a password. */
function invalidValue(name: string, { kind }: Key<unknown>, raw: unknown): string {
  const value = kind.secret ? "" : ` "${String(raw).slice(0, 100)}"`;
  if (kind.options === undefined) return `Invalid value${value} for ${name}: expected ${kind.expects}.`;
  return `Unknown value${value} for ${name}: use ${kind.options.slice(0, -1).join(", ")} or ${kind.options.at(-1)}.`;
}

function unknownVariables(env: ConfigInput["env"]): Problem[] {
  const variables = [...names.map(variableOf), FILE_VARIABLE, KEY_VARIABLE].map((name) => name.slice(PREFIX.length));
  return Object.entries(env).flatMap(([name, value]) => {
    const rest = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
    if (rest === undefined || variables.includes(rest) || OTHERS.has(rest) || isServiceLink(rest, value ?? ""))
      return [];
    return [unknownSetting(name, rest, variables, PREFIX)];
  });
}

function unknownSetting(pointer: string, typed: string, candidates: readonly string[], prefix = ""): Problem {
  const meant = findClosest(typed, candidates);
  return { pointer, detail: `There is no such setting${meant ? `; did you mean ${prefix}${meant}?` : "."}` };
}

/** What the install script and the release command read, which may be set for the whole shell. */
const OTHERS: ReadonlySet<string> = new Set(["BASE_URL", "INSTALL_DIR", "PUBLIC_KEY", "SIGNING_KEY", "VERSION"]);

/** Kubernetes sets `CASEFILE_SERVICE_HOST` and the like in every container next to a service named `casefile`. */
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
