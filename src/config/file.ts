import type { Problem } from "../vocabulary/failure.ts";

export interface FileValues {
  /** By dotted name. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly Problem[];
}

export interface FileOptions {
  /** The file that was asked for; without it `casefile.toml` is read when it is there. */
  readonly path: string | undefined;
  /** Undefined when there is no such file. May throw. */
  readonly readFile: (path: string) => string | undefined;
  /** Dotted names of all settings: their sections are tables of the file. */
  readonly names: readonly string[];
}

export const DEFAULT_FILE = "casefile.toml";

/** Reads the configuration file to dotted names, the unknown ones too. */
export function loadFile({ path, readFile, names }: FileOptions): FileValues {
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
