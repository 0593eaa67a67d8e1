import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Origin and licence of the data that ships with the program. */
export async function dataLicences(root: string): Promise<string> {
  const sources = await starterSources(join(root, "data/starter"));
  const rows = sources.map(({ upstream, licence, records }) => `  ${upstream}  ${licence}  ${records}`);
  return `The fingerprints, the taxonomies and the example were written for Casefile.

The built-in case studies are summaries, written for Casefile, of stories that these projects publish; each record names
the URL, licence and source of its story. Project on github.com, licence, records:

${rows.join("\n")}

The built-in model was trained from scratch on open text, which it does not contain.

${await trainingSources(root)}`;
}

async function starterSources(folder: string) {
  const counts = new Map<string, number>();
  for await (const name of new Bun.Glob("*/*.yaml").scan(folder)) {
    const text = await Bun.file(join(folder, name)).text();
    const of = (key: string) => new RegExp(`^${key}: (\\S+)$`, "m").exec(text)?.[1] ?? `unknown (${dirname(name)})`;
    const key = `${of("upstream")}\t${of("licence")}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort().map(([key, records]) => {
    const [upstream = "", licence = ""] = key.split("\t");
    return { upstream, licence, records };
  });
}

/** The table of training sources in the README of the model. */
async function trainingSources(root: string): Promise<string> {
  const text = await Bun.file(join(root, "models/casefile-static/README.md")).text();
  const table = text.split("\n").filter((line) => line.startsWith("|"));
  return table.slice(0, table.findLastIndex((line) => /CC|MIT|Apache|BSD|public domain/.test(line)) + 1).join("\n");
}

/** A bundled npm package. */
interface Package {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier from the package's manifest. */
  readonly licence: string;
  readonly from: string;
  readonly texts: readonly string[];
}

/** Flags of a package in the lock file that is not a runtime dependency. */
interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|ofl)|third.?party/i;
/** Notes on packages that bundle others without their licence files. */
const NOTES: Readonly<Record<string, string>> = {
  "onnxruntime-node":
    "Its library includes others, listed in ThirdPartyNotices.txt of https://github.com/microsoft/onnxruntime.",
};
const RULE = "=".repeat(80);

/**
 * Collects the licences of the program, its runtime, its packages and its data from the files of each. A text that
 * several packages share is printed once.
 *
 * @param root root of the source tree, with `node_modules`
 */
export async function gatherLicences(root: string): Promise<string> {
  const { version } = await Bun.file(join(root, "package.json")).json();
  const own = await Bun.file(join(root, "LICENSE")).text();
  const packages = await findPackages(root, own);
  return [
    `Casefile ${version} is licensed under Apache-2.0. It contains Bun, ${packages.length} packages and third-party data, each under the licence below.`,
    section("Casefile", own),
    section(`Bun ${Bun.version} and the libraries linked into it`, await runtimeLicence(root)),
    ...sections(packages),
    section("Data", await dataLicences(root)),
  ].join("\n\n");
}

const section = (title: string, text: string) => `${RULE}\n${title}\n${RULE}\n\n${text.trim()}\n`;

function sections(packages: readonly Package[]): string[] {
  const first = new Map<string, string>();
  return packages.map(({ name, version, licence, from, texts }) => {
    const parts = texts.map((text) => {
      const earlier = first.get(text);
      first.set(text, earlier ?? name);
      return earlier === undefined ? text : `Same text as for ${earlier}.`;
    });
    const notes = NOTES[name] === undefined ? [] : [NOTES[name]];
    return section(`${name} ${version}`, [`Licence: ${licence}\nFrom: ${from}`, ...notes, ...parts].join("\n\n"));
  });
}

/** Bun's licence document without its front matter. */
async function runtimeLicence(root: string): Promise<string> {
  const text = await Bun.file(join(root, "node_modules/bun-types/docs/project/license.mdx")).text();
  return text.replace(/^---\n[\s\S]*?\n---\n/, "");
}

/** The installed runtime and peer dependencies of the lock file, sorted by name. */
async function findPackages(root: string, apache: string): Promise<Package[]> {
  const { packages } = await Bun.file(join(root, "package-lock.json")).json();
  const found = new Map<string, Package>();
  for (const [place, { dev, devOptional, link }] of Object.entries<Locked>(packages)) {
    // The root and the workspaces are this repository.
    if (!place.startsWith("node_modules/") || link || dev || devOptional) continue;
    const manifest = Bun.file(join(root, place, "package.json"));
    if (!(await manifest.exists())) continue;
    const { name, version, license, author, homepage } = await manifest.json();
    const texts = await licenceTexts(join(root, place));
    const licence = typeof license === "string" ? license : (license?.type ?? "see below");
    const holder = typeof author === "string" ? author : (author?.name ?? `the authors of ${name}`);
    found.set(`${name} ${version}`, {
      name,
      version,
      licence,
      from: homepage ?? `https://www.npmjs.com/package/${name}`,
      texts: texts.length > 0 ? texts : standardText(name, licence, holder, apache),
    });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

async function licenceTexts(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { withFileTypes: true })).filter(
    (entry) => entry.isFile() && LICENCE_FILE.test(entry.name) && !/\.(?:m?js|ts|json|map)$/.test(entry.name),
  );
  const texts = names
    .map(({ name }) => name)
    .sort()
    .map(async (name) => {
      const text = await Bun.file(join(folder, name)).text();
      return (name.endsWith(".html") ? plainText(text) : text).replaceAll("\r\n", "\n").trim();
    });
  return await Promise.all(texts);
}

/** For packages that name a licence but have no licence file. @throws Error for a licence without a standard text */
function standardText(name: string, licence: string, holder: string, apache: string): string[] {
  if (licence === "Apache-2.0") return [apache.trim()];
  if (licence === "MIT") return [`Copyright (c) ${holder}\n\n${MIT}`];
  throw new Error(`${name} has no licence file, and no standard text is known for ${licence}`);
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
};

function plainText(html: string): string {
  return html
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<a [^>]*?href="(https?:[^"]+)"[^>]*>/g, " $1 ")
    .replace(/<[^>]+>/g, "")
    .replace(/&#(x?)([0-9a-fA-F]+);/g, (_, hex, digits) => String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)))
    .replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole)
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n");
}
