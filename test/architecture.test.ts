import { describe, expect, test } from "bun:test";
import { basename, dirname, join } from "node:path";

/**
 * The folders of `src` and what each may import, from the bottom up. An import goes down this table, never sideways and
 * never up, whether it imports code or only types. `docs/architecture.md` shows the same table with the reasons.
 */
const FLOOR = ["core", "html", "net", "natives", "processes", "db", "tabular"];
const KITS = ["http", "cli", "accounts", "jobs"];
const FOLDERS: Readonly<Record<string, { readonly holds: string; readonly imports: readonly string[] }>> = {
  // The floor: shared and small, knows no feature.
  core: {
    holds: "errors, domain names, dates, text, concurrency: small, and used everywhere",
    imports: [],
  },
  config: {
    holds: "settings from flags, variables and file, with their help",
    imports: ["core"],
  },
  html: {
    holds: "one tokenizer and one tree for HTML",
    imports: ["core"],
  },
  net: {
    holds: "the only way to the network: address policy, DNS, HTTP, TLS, email",
    imports: ["core"],
  },
  natives: {
    holds: "unpacks the native libraries that an executable contains",
    imports: ["core"],
  },
  processes: {
    holds: "runs parsers of hostile input in processes with limits",
    imports: ["core"],
  },
  db: {
    holds: "opens SQLite or PostgreSQL: schema, migrations, locks, cursors",
    imports: ["core", "natives"],
  },
  tabular: {
    holds: "rows of files: reads CSV and JSON lines; writes NDJSON, CSV and Parquet",
    imports: ["core"],
  },
  // Kits: what the routes and commands of every feature are built with.
  http: {
    holds: "what every route is built with: requests, responses, problems, metrics",
    imports: ["core"],
  },
  cli: {
    holds: "what every command is built with: the host, tables, progress, messages",
    imports: ["core"],
  },
  accounts: {
    holds: "API keys, quotas, the operator token, authentication of requests",
    imports: ["core", "db", "http", "cli"],
  },
  jobs: {
    holds: "the one lease queue and its worker",
    imports: ["core", "db", "http", "cli", "accounts"],
  },
  licences: {
    holds: "licences of the program and its parts",
    imports: ["core", "cli"],
  },
  reference: {
    holds: "the OpenAPI document and the guide for language models",
    imports: ["core", "http"],
  },
  // Features: a folder holds all of one.
  embedding: {
    holds: "texts to vectors: built-in and custom encoders",
    imports: ["core", "natives"],
  },
  detection: {
    holds: "visits, scanners, fingerprints, evidence, scans",
    imports: [...FLOOR, ...KITS],
  },
  ingest: {
    holds: "archives and the output of other tools, read as recordings of companies",
    imports: [...FLOOR, ...KITS, "detection"],
  },
  stack: {
    holds: "history of companies' tools, and the index of who uses what",
    imports: [...FLOOR, ...KITS, "detection"],
  },
  casestudies: {
    holds: "crawl, extract, structure, intake, import, index, search; vendors in `companies`",
    imports: [...FLOOR, ...KITS, "embedding"],
  },
  models: {
    holds: "add, compare and switch the model that search uses",
    imports: [...FLOOR, ...KITS, "embedding", "casestudies"],
  },
  watches: {
    holds: "rescans of companies, changes, webhooks",
    imports: [...FLOOR, ...KITS, "detection"],
  },
  batches: {
    holds: "lists of domains: scans in the background, results as tables",
    imports: [...FLOOR, ...KITS, "detection"],
  },
  prospects: {
    holds: "claims of case studies checked against stored scans; proof for a company",
    imports: [...FLOOR, ...KITS, "detection", "stack", "casestudies"],
  },
  backup: {
    holds: "archives: create, verify, restore",
    imports: [...FLOOR, ...KITS, "embedding"],
  },
  operators: {
    holds: "operators with roles, how they sign in, their sessions, and the audit trail",
    imports: [...FLOOR, ...KITS],
  },
  privacy: {
    holds: "opt-outs, and what is stored about a domain or a person: export, erase",
    imports: [...FLOOR, ...KITS],
  },
  health: {
    holds: "readiness, statistics, doctor",
    imports: [...FLOOR, ...KITS, "config", "embedding", "detection", "casestudies", "models", "watches", "backup"],
  },
  // Surfaces that show several features at once.
  mcp: {
    holds: "tools for agents",
    imports: ["core", "http", "cli", "accounts", "detection", "stack", "casestudies", "prospects"],
  },
  console: {
    holds: "pages for people; `ui` runs in the browser",
    imports: [
      "core",
      "http",
      "cli",
      "accounts",
      "jobs",
      "detection",
      "stack",
      "casestudies",
      "models",
      "watches",
      "batches",
      "backup",
      "health",
      "operators",
    ],
  },
};

/** Files beside the folders. They assemble what the folders hold, and may import all of it. */
const ASSEMBLY = ["store", "compose", "api", "commands", "child", "main"];

/**
 * Each package and built-in module that is kept in one place, so that a change of it touches one folder. A package that is
 * not listed may be imported nowhere; a built-in module of `node:` that is not listed may be imported anywhere.
 */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@elysiajs/openapi": ["reference"],
  "@huggingface/tokenizers": ["embedding"],
  "@lancedb/lancedb": ["casestudies/index"],
  "@modelcontextprotocol/server": ["mcp"],
  "apache-arrow": ["casestudies/index"],
  "bun:ffi": ["natives", "processes"],
  "bun:sqlite": ["db"],
  "csv-parse": ["tabular"],
  "d3-scale": ["console"],
  "ipaddr.js": ["net", "accounts", "config", "detection/scanners"],
  "onnxruntime-node": ["embedding"],
  "pino-pretty": ["main"],
  "prom-client": ["http", "health"],
  "robots-parser": ["net"],
  commander: ["cli", "commands", "*/commands"],
  bun: ["*"],
  entities: ["html"],
  "chrome-remote-interface": ["net"],
  elysia: ["http", "api", "accounts", "reference", "*/routes", "*/schemas"],
  "hyparquet-writer": ["tabular"],
  memoirist: ["http"],
  kysely: ["db", "jobs", "*/repository", "privacy/stored-data"],
  nodemailer: ["net"],
  "openid-client": ["operators"],
  pino: ["main", "api"],
  preact: ["console"],
  re2js: ["detection/fingerprints"],
  "simple-icons": ["console/icons"],
  stemmer: ["casestudies"],
  "third-party-web": ["detection/third-parties"],
  tldts: ["core", "detection"],
  unpdf: ["casestudies/extract"],
  "@sinclair/typebox": ["*"],
  "node:child_process": [],
  "node:dgram": [],
  "node:dns": ["net"],
  "node:dns/promises": ["net"],
  "node:http": ["net"],
  "node:https": [],
  "node:http2": [],
  "node:net": ["net"],
  "node:tls": ["net"],
  "node:vm": [],
};

/** Runs in a browser: of the service it may know types and nothing else. */
const BROWSER = "src/console/ui/";
/** Pure functions that a browser, a terminal and an agent share, so that all show the same. */
const FOR_BROWSERS_TOO: ReadonlySet<string> = new Set([
  "src/casestudies/outcome-text.ts",
  "src/casestudies/claim-text.ts",
  "src/core/csv.ts",
]);
/** The one file there that asks the service, and the file with programs for users to copy. */
const BROWSER_NETWORK = [`${BROWSER}api-client.ts`, `${BROWSER}samples.ts`];

const NETWORK_CALLS = [
  /(?<![.\w#])fetch\((?![^)]*\)\s*[:{])/,
  /\bglobalThis\.fetch\b/,
  /\bBun\.(fetch|connect|udpSocket|dns)\b/,
  /\bnew (WebSocket|EventSource|XMLHttpRequest)\b/,
];

const ROOT = join(import.meta.dir, "..");

interface Import {
  readonly file: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const read = async (path: string): Promise<string> => await Bun.file(join(ROOT, path)).text();
const scan = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })].sort();
const sources = await Promise.all(scan("src/**/*.{ts,tsx}").map(async (file) => ({ file, text: await read(file) })));
const imports = sources.flatMap(({ file, text }) => importsOf(file, text));

function importsOf(file: string, text: string): Import[] {
  const statements = [...text.matchAll(/^(?:import|export)\s(type\s)?([^"';]*?)\sfrom\s"([^"]+)"/gm)].map(
    ([, type, names = "", specifier = ""]) => ({ specifier, typeOnly: type !== undefined || onlyTypes(names) }),
  );
  const bare = [...text.matchAll(/^import\s"([^"]+)"/gm)].map(([, specifier = ""]) => ({ specifier, typeOnly: false }));
  const dynamic = [...text.matchAll(/\b(typeof\s)?import\(\s*["']([^"']+)["']/g)].map(([, type, specifier = ""]) => ({
    specifier,
    typeOnly: type !== undefined,
  }));
  return [...statements, ...bare, ...dynamic].map((found) => ({ file, ...found }));
}

/** `{ type A, type B }` imports no code either. */
function onlyTypes(names: string): boolean {
  const inner = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
  const each = inner?.split(",").map((name) => name.trim());
  return each?.every((name) => name === "" || name.startsWith("type ")) ?? false;
}

/** `src/net/client.ts` → `net`; `src/compose.ts` → `compose`. */
const folderOf = (file: string): string => /^src\/([^/.]+)/.exec(file)?.[1] ?? "";
const isAssembly = (file: string): boolean => dirname(file) === "src";
const isRelative = (specifier: string) => specifier.startsWith(".");
const targetOf = ({ file, specifier }: Import) => join(dirname(file), specifier);
const describeImport = ({ file, specifier }: Import) => `${file} imports ${specifier}`;

const packageOf = (specifier: string) =>
  /^(node|bun):/.test(specifier)
    ? specifier
    : specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");

// A place of the table is a folder, a file without its ending, or `*/name`: the file `name` of any folder.
function isIn(file: string, place: string): boolean {
  const path = file.replace(/^src\//, "").replace(/\.tsx?$/, "");
  if (place === "*") return true;
  if (place.startsWith("*/")) return path.endsWith(place.slice(1));
  return path === place || path.startsWith(`${place}/`);
}

describe("folders", () => {
  test("every file lies in a folder of the table or is one of the assembling files", () => {
    const unknown = sources
      .map(({ file }) => file)
      .filter((file) => (isAssembly(file) ? !ASSEMBLY.includes(folderOf(file)) : !(folderOf(file) in FOLDERS)));
    expect(unknown).toEqual([]);
  });

  test("a folder imports only the folders that the table gives it, types included", () => {
    const wrong = imports.filter((found) => {
      const target = targetOf(found);
      if (!isRelative(found.specifier) || !target.startsWith("src/") || isAssembly(found.file)) return false;
      if (isAssembly(target)) return true;
      const [from, to] = [folderOf(found.file), folderOf(target)];
      return from !== to && !FOLDERS[from]?.imports.includes(to);
    });
    expect(wrong.map(describeImport)).toEqual([]);
  });

  test("docs/architecture.md shows the table", async () => {
    const rows = Object.entries(FOLDERS).map(
      ([name, { holds, imports: allowed }]) => `| \`${name}\` | ${holds} | ${allowed.join(", ") || "nothing"} |`,
    );
    const shown = /<!-- folders -->\n[^\n]*\n[^\n]*\n([\s\S]*?)\n<!-- \/folders -->/.exec(
      await read("docs/architecture.md"),
    );
    expect(shown?.[1]).toBe(rows.join("\n"));
  });

  test("no files import each other in a circle, types included", () => {
    const files = new Set(sources.map(({ file }) => file));
    const targets = new Map<string, string[]>();
    for (const found of imports) {
      const target = targetOf(found);
      if (isRelative(found.specifier) && files.has(target) && target !== found.file)
        targets.set(found.file, [...(targets.get(found.file) ?? []), target]);
    }
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      if (done.has(file) || path.includes(file)) return;
      for (const target of targets.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  test("a browser gets no code of the service", () => {
    const wrong = imports.filter(
      (found) =>
        found.file.startsWith(BROWSER) &&
        isRelative(found.specifier) &&
        !targetOf(found).startsWith(BROWSER) &&
        !FOR_BROWSERS_TOO.has(targetOf(found)) &&
        !found.typeOnly,
    );
    expect(wrong.map(describeImport)).toEqual([]);
    // Such a file brings nothing else with it.
    const brought = imports.filter((found) => FOR_BROWSERS_TOO.has(found.file) && !found.typeOnly);
    expect(brought.map(describeImport)).toEqual([]);
  });

  test("src imports nothing from test, scripts or research", () => {
    const outside = imports.filter(
      (found) =>
        isRelative(found.specifier) &&
        !/^(src|client\/src|data|models|node_modules\/swagger-ui-dist|package\.json)/.test(targetOf(found)),
    );
    expect(outside.map(describeImport)).toEqual([]);
  });
});

describe("packages", () => {
  test("a package is imported only in its place", () => {
    const wrong = imports.filter((found) => {
      if (isRelative(found.specifier) || found.typeOnly) return false;
      const name = packageOf(found.specifier);
      const places = PACKAGES[name];
      return places ? !places.some((place) => isIn(found.file, place)) : !name.startsWith("node:");
    });
    expect(wrong.map(describeImport)).toEqual([]);
  });

  test("a package that is listed is used", () => {
    const used = new Set(imports.map(({ specifier }) => packageOf(specifier)));
    const listed = Object.entries(PACKAGES).filter(([, places]) => places.length > 0);
    expect(listed.map(([name]) => name).filter((name) => !used.has(name))).toEqual([]);
  });

  test("only net opens connections", () => {
    const wrong = sources.flatMap(({ file, text }) => {
      if (folderOf(file) === "net" || BROWSER_NETWORK.includes(file)) return [];
      const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
      return NETWORK_CALLS.flatMap((pattern) => {
        const [call] = pattern.exec(code) ?? [];
        return call === undefined ? [] : [`${file}: ${call}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  test("only onAbort listens for aborts: a listener of a signal that has aborted is never called", () => {
    const listening = /addEventListener\(\s*["'`]abort|\.onabort\b/;
    const files = sources.flatMap(({ file, text }) => (listening.test(text) ? [file] : []));
    expect(files).toEqual(["src/core/async.ts"]);
  });

  test("every import is one that this test can read", () => {
    const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
    const unread = sources.flatMap(({ file, text }) => {
      const known = new Set(imports.filter((found) => found.file === file).map(({ specifier }) => specifier));
      const computed =
        /\bimport\(\s*[^"'\s)]/.test(text) || /\brequire\(/.test(text) ? [`${file}: a computed import`] : [];
      const missed = transpilers[file.endsWith("x") ? "tsx" : "ts"]
        .scanImports(text)
        // JSX is compiled to an import that no file writes.
        .filter(({ path }) => !known.has(path) && !/^react(?:\/jsx|$)/.test(path));
      return [...computed, ...missed.map(({ path }) => `${file}: ${path}`)];
    });
    expect(unread).toEqual([]);
  });

  test("dependencies are pinned to one version", async () => {
    const parts = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
    const manifests = await Promise.all(
      ["package.json", "research/package.json", ...scan("scripts/*/package.json")].map(read),
    );
    const loose = manifests.flatMap((text) => {
      const manifest: unknown = JSON.parse(text);
      const versions = (part: string): unknown =>
        typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, part) : undefined;
      return parts
        .flatMap((part) => Object.entries(versions(part) ?? {}))
        .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)));
    });
    expect(loose).toEqual([]);
  });
});

describe("files", () => {
  const named = ["src", "test", "scripts", "research"].flatMap((folder) => scan(`${folder}/**/*`));
  const ours = named.filter((file) => !file.includes("node_modules/"));

  test("no file or folder has a name that says nothing", () => {
    const vague = /^(utils?|helpers?|manager|common|misc|constants)$/;
    const parts = ours.flatMap((file) => file.split("/").map((part) => ({ file, part: part.split(".")[0] ?? "" })));
    expect(parts.filter(({ part }) => vague.test(part)).map(({ file }) => file)).toEqual([]);
  });

  test("code files are kebab-case", () => {
    const code = ours.filter((file) => /\.tsx?$/.test(file));
    expect(code.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|d))?\.tsx?$/.test(basename(file)))).toEqual([]);
  });

  test("exports have names", () => {
    const unnamed = sources.filter(
      ({ file, text }) => !file.endsWith(".d.ts") && /^export\s+(default\b|\{[^}]*\bas default\b)/m.test(text),
    );
    expect(unnamed.map(({ file }) => file)).toEqual([]);
  });

  test("no file names a path of the machine that it was written on", async () => {
    // Written in two parts, so that this file does not match.
    const traces = [new RegExp(`\\.\\.${"/shared"}\\b`), new RegExp(`(?<![\\w.-])${"/wo"}rk/`)];
    const folders = ["src", "test", "scripts", "research", "data", "docs", "deploy", "examples", "client/src"];
    const files = [...folders.flatMap((folder) => scan(`${folder}/**/*`)), ...scan("*.md"), "package.json"];
    const found = await Promise.all(
      files
        .filter((file) => !file.includes("node_modules/"))
        .map(async (file) => {
          const text = await read(file);
          return traces.filter((trace) => trace.test(text)).map((trace) => `${file}: ${trace.source}`);
        }),
    );
    expect(found.flat()).toEqual([]);
  });
});
