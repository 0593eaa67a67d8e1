import { describe, expect, test } from "bun:test";
import { basename, dirname, join } from "node:path";

/** Rooms in the order in which data walks through them, and what each may import. Never up, never sideways. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  vocabulary: [],
  net: ["vocabulary"],
  scanners: ["vocabulary", "net"],
  packing: [],
  catalogue: ["vocabulary", "packing"],
  detect: ["vocabulary", "net", "scanners", "catalogue"],
  captures: ["vocabulary", "net"],
  licences: [],
  natives: ["vocabulary"],
  embed: ["vocabulary", "natives"],
  store: ["vocabulary", "natives"],
  accounts: ["vocabulary", "store"],
  backup: ["vocabulary", "store"],
  jobs: ["vocabulary", "store"],
  studies: ["vocabulary", "net", "embed", "store", "jobs", "packing"],
  watches: ["vocabulary", "net", "store", "jobs"],
  config: ["vocabulary"],
  app: [
    "vocabulary",
    "net",
    "scanners",
    "catalogue",
    "detect",
    "captures",
    "natives",
    "embed",
    "store",
    "accounts",
    "backup",
    "jobs",
    "studies",
    "watches",
  ],
  surfaces: ["vocabulary", "app", "licences"],
  // It alone builds: the reader of files is an argument of the command line's host.
  main: ["vocabulary", "app", "config", "surfaces", "captures"],
};

/** Rooms that may know the shape of the configuration and nothing else of it. */
const TYPE_ONLY: Readonly<Record<string, readonly string[]>> = { app: ["config"], surfaces: ["config"] };

/** Each package and built-in module that is kept in its place. A package that is missing here may be imported nowhere. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@elysiajs/openapi": ["surfaces/http"],
  "@huggingface/tokenizers": ["embed"],
  "@lancedb/lancedb": ["store"],
  "@modelcontextprotocol/server": ["surfaces/mcp"],
  "@sinclair/typebox": ["catalogue", "net", "captures", "studies/starter", "surfaces/http", "surfaces/mcp"],
  "apache-arrow": ["store"],
  bun: ["catalogue", "captures", "config", "main", "studies"],
  "bun:ffi": ["natives"],
  "bun:sqlite": ["store"],
  commander: ["surfaces/cli"],
  "d3-scale": ["surfaces/console"],
  "csv-parse": ["studies"],
  "dns-packet": ["net"],
  elysia: ["surfaces/http"],
  htmlparser2: ["scanners", "studies"],
  "ipaddr.js": ["net", "accounts", "config", "scanners"],
  kysely: ["store"],
  nodemailer: ["net"],
  "onnxruntime-node": ["embed"],
  pino: ["main"],
  "pino-pretty": ["main"],
  preact: ["surfaces/console"],
  "prom-client": ["surfaces/http"],
  re2js: ["catalogue/own"],
  "robots-parser": ["studies"],
  stemmer: ["studies"],
  "swagger-ui-dist": ["surfaces/http"],
  tldts: ["vocabulary", "scanners"],
  unpdf: ["studies"],
  "node:child_process": [],
  "node:dgram": ["net"],
  "node:dns": ["net"],
  "node:dns/promises": ["net"],
  "node:http": ["net"],
  "node:https": ["net"],
  "node:http2": [],
  "node:net": ["net"],
  "node:tls": ["net"],
  "node:vm": [],
};
const PACKAGE_TYPES: Readonly<Record<string, readonly string[]>> = {
  pino: ["app", "surfaces"],
  "@sinclair/typebox": ["surfaces/console"],
};
/** Runs in a browser. Of the program it may know shapes and nothing else. */
const BROWSER = "src/surfaces/console/ui/";
/** The one file there that asks the service. */
const BROWSER_DOOR = `${BROWSER}ask.ts`;
/** Programs for others, as text. */
const BROWSER_SAMPLES = `${BROWSER}key/samples.ts`;

const NETWORK = [
  /(?<![.\w#])fetch\((?![^)]*\)\s*[:{])/,
  /\bglobalThis\.fetch\b/,
  /\bBun\.(fetch|connect|udpSocket|dns)\b/,
  /\bnew (WebSocket|EventSource|XMLHttpRequest)\b/,
];

const MAX_LINES = 300;
const ROOT = join(import.meta.dir, "..");

interface Import {
  readonly file: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

async function read(path: string): Promise<string> {
  return await Bun.file(join(ROOT, path)).text();
}

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

/** `src/config/config.ts` → `config`, `src/net/resolver.ts` → `net`. */
function roomOf(file: string): string {
  return (/^src\/([^/]+?)(?:\.d)?(?:\.ts)?(?:\/|$)/.exec(file)?.[1] ?? "").replace(/\.[a-z]+$/, "");
}

/** `surfaces/http/x.ts` lies in `surfaces/http` and in `surfaces`. */
const placesOf = (file: string) => {
  const parts = file
    .replace(/^src\//, "")
    .replace(/\.tsx?$/, "")
    .split("/");
  return [parts[0] ?? "", parts.slice(0, 2).join("/")];
};

const packageOf = (specifier: string) => {
  if (/^(node|bun):/.test(specifier)) return specifier;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
};

const isRelative = (specifier: string) => specifier.startsWith(".");
const targetOf = ({ file, specifier }: Import) => join(dirname(file), specifier);
const say = ({ file, specifier }: Import) => `${file} imports ${specifier}`;

describe("rooms", () => {
  test("every file lies in a room of the table", () => {
    expect(sources.map(({ file }) => file).filter((file) => !(roomOf(file) in ROOMS))).toEqual([]);
  });

  test("a room imports only the rooms that the table gives it", () => {
    const wrong = imports.filter((found) => {
      const target = targetOf(found);
      if (!isRelative(found.specifier) || !target.startsWith("src/")) return false;
      const [from, to] = [roomOf(found.file), roomOf(target)];
      if (from === to || ROOMS[from]?.includes(to)) return false;
      return !(found.typeOnly && TYPE_ONLY[from]?.includes(to));
    });
    expect(wrong.map(say)).toEqual([]);
  });

  test("no file of one surface imports one of another", () => {
    const wrong = imports.filter((found) => {
      const [, from] = /^src\/surfaces\/([^/]+)\//.exec(found.file) ?? [];
      const [, to] = /^src\/surfaces\/([^/]+)\//.exec(targetOf(found)) ?? [];
      if (found.typeOnly && found.file.startsWith(BROWSER)) return false;
      return isRelative(found.specifier) && to !== undefined && from !== to && from !== undefined;
    });
    expect(wrong.map(say)).toEqual([]);
  });

  test("what every surface shares knows none of them", () => {
    const wrong = imports.filter(
      (found) =>
        dirname(found.file) === "src/surfaces" &&
        isRelative(found.specifier) &&
        /^src\/surfaces\/[^/]+\//.test(targetOf(found)),
    );
    expect(wrong.map(say)).toEqual([]);
  });

  test("a browser is given no code of the program", () => {
    const wrong = imports.filter(
      (found) =>
        found.file.startsWith(BROWSER) &&
        isRelative(found.specifier) &&
        !targetOf(found).startsWith(BROWSER) &&
        !found.typeOnly,
    );
    expect(wrong.map(say)).toEqual([]);
  });

  test("nothing in src comes from test or scripts", () => {
    const outside = imports.filter(
      (found) =>
        isRelative(found.specifier) &&
        !/^(src|client\/src|data|models|node_modules\/swagger-ui-dist|package\.json)/.test(targetOf(found)),
    );
    expect(outside.map(say)).toEqual([]);
  });
});

describe("packages", () => {
  const isAllowed = (found: Import) => {
    const name = packageOf(found.specifier);
    const places = placesOf(found.file);
    const allowed = [...(PACKAGES[name] ?? []), ...(found.typeOnly ? (PACKAGE_TYPES[name] ?? []) : [])];
    if (name in PACKAGES) return allowed.some((place) => places.includes(place));
    return name.startsWith("node:");
  };

  test("a package is imported only in its room", () => {
    const wrong = imports.filter((found) => !isRelative(found.specifier) && !isAllowed(found));
    expect(wrong.map(say)).toEqual([]);
  });

  test("only net reaches outside", () => {
    const wrong = sources.flatMap(({ file, text }) => {
      if (roomOf(file) === "net" || file === BROWSER_DOOR || file === BROWSER_SAMPLES) return [];
      const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
      return NETWORK.flatMap((pattern) => {
        const [call] = pattern.exec(code) ?? [];
        return call === undefined ? [] : [`${file}: ${call}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  test("every import is one that this test can read", () => {
    const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
    const unread = sources.flatMap(({ file, text }) => {
      const read = new Set(imports.filter((found) => found.file === file).map(({ specifier }) => specifier));
      const computed =
        /\bimport\(\s*[^"'\s)]/.test(text) || /\brequire\(/.test(text) ? [`${file}: a computed import`] : [];
      const missed = transpilers[file.endsWith("x") ? "tsx" : "ts"]
        .scanImports(text)
        // What JSX becomes is not written in the file.
        .filter(({ path }) => !read.has(path) && !/^react(?:\/jsx|$)/.test(path));
      return [...computed, ...missed.map(({ path }) => `${file}: ${path}`)];
    });
    expect(unread).toEqual([]);
  });

  test("dependencies are pinned to one version", async () => {
    const manifest: unknown = JSON.parse(await read("package.json"));
    const loose = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].flatMap((part) => {
      const versions: unknown = typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, part) : {};
      return Object.entries(versions ?? {}).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)));
    });
    expect(loose).toEqual([]);
  });
});

describe("files", () => {
  const named = [...scan("src/**/*"), ...scan("test/**/*"), ...scan("scripts/**/*")];

  test("no file or folder has a name that says nothing", () => {
    const vague = /^(utils?|helpers?|manager|service|types|constants)$/;
    const parts = named.flatMap((file) => file.split("/").map((part) => ({ file, part: part.split(".")[0] ?? "" })));
    expect(parts.filter(({ part }) => vague.test(part)).map(({ file }) => file)).toEqual([]);
  });

  test("code files are kebab-case", () => {
    const code = named.filter((file) => /\.tsx?$/.test(file));
    expect(code.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|d))?\.tsx?$/.test(basename(file)))).toEqual([]);
  });

  test(`a source file has at most ${MAX_LINES} lines`, () => {
    const long = sources.filter(({ text }) => text.split("\n").length - 1 > MAX_LINES);
    expect(long.map(({ file }) => file)).toEqual([]);
  });

  test("exports have names", () => {
    const unnamed = sources.filter(
      ({ file, text }) => !file.endsWith(".d.ts") && /^export\s+(default\b|\{[^}]*\bas default\b)/m.test(text),
    );
    expect(unnamed.map(({ file }) => file)).toEqual([]);
  });

  test("nothing tells of the machine or the folders that it was written on", async () => {
    // Put together here, or this file would be found itself.
    const traces = [new RegExp(`\\.\\.${"/shared"}\\b`), new RegExp(`(?<![\\w.-])${"/wo"}rk/`)];
    const files = ["src/**/*", "test/**/*", "scripts/**/*", "data/**/*", "docs/**/*", "*.md", "package.json"].flatMap(
      scan,
    );
    const found = await Promise.all(
      files.map(async (file) => {
        const text = await read(file);
        return traces.filter((trace) => trace.test(text)).map((trace) => `${file}: ${trace.source}`);
      }),
    );
    expect(found.flat()).toEqual([]);
  });
});
