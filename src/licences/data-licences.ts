import { dirname, join } from "node:path";

/** Whose work the data of the program rests on, and under which licence. */
export async function dataLicences(root: string): Promise<string> {
  const sources = await starterSources(join(root, "data/starter"));
  const rows = sources.map(({ upstream, licence, records }) => `  ${upstream}  ${licence}  ${records}`);
  return `The fingerprints, the taxonomies and the example are Casefile's own.

The case studies that come with the program are summaries in Casefile's own words of stories that these projects
publish; each record names its story's address, licence and source. Project on github.com, licence, records:

${rows.join("\n")}

The model that comes with the program was trained from scratch on open text; the texts themselves are not part of it.

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

/** The table of sources in the model's own description. */
async function trainingSources(root: string): Promise<string> {
  const text = await Bun.file(join(root, "models/casefile-static/README.md")).text();
  const table = text.split("\n").filter((line) => line.startsWith("|"));
  return table.slice(0, table.findLastIndex((line) => /CC|MIT|Apache|BSD|public domain/.test(line)) + 1).join("\n");
}
