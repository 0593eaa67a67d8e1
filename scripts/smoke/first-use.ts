import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Machine } from "./machine.ts";

const root = resolve(import.meta.dir, "../..");

/** What a user sees first, with no data directory yet. */
export async function firstUse({ ok, json, work, check }: Machine): Promise<void> {
  const { version } = await Bun.file(`${root}/package.json`).json();
  check("prints its version", (await ok(["version"])).trim() === version);
  const licences = await ok(["licenses"]);
  check("prints its licences", licences.includes("Bun itself is MIT-licensed") && licences.length > 500_000);

  const enrich = ["enrich", "--from", join(work, "example.json"), "--include", "evidence"];
  const compiled = await json(enrich);
  const source = Bun.spawn([process.execPath, "src/main.ts", ...enrich, "--json"], { cwd: root });
  check(
    "detects as the source does",
    Bun.deepEquals(compiled, await source.stdout.json()) && compiled.tools_detected >= 25,
  );
  check("leaves no files", (await readdir(work)).sort().join() === ".env,bunfig.toml,example.json");

  const first = ["--data-dir", join(work, "first")];
  const began = performance.now();
  const { results } = await json(["search", "cut the cost of the cloud", ...first]);
  console.log(`  first search after ${Math.round(performance.now() - began)} ms`);
  check("finds starter case studies at the first start", results.length === 5 && results[0].origin === "starter");
  await rm(join(work, "first"), { recursive: true });
}

/** Three invented stories: the executable's own model, search index and native parts must find the right one. */
export async function search({ ok, json, work, check }: Machine): Promise<void> {
  // From here on, only the imported case studies exist.
  await Bun.write(join(work, "casefile.toml"), "[starter]\nenabled = false\n");
  await Bun.write(join(work, "stories.jsonl"), STORIES.map((story) => JSON.stringify(story)).join("\n"));
  const summary = await json(["import", "stories.jsonl"]);
  check("imports case studies", summary.added === 3 && summary.bad_lines === 0);
  const found = async (...words: string[]) => (await json(["search", ...words])).results[0]?.url;
  check(
    "finds by words",
    (await found("ageing mainframes", "--mode", "keyword")) === "https://tidewell.example/ledger",
  );
  check("finds by meaning", (await found("employee retention", "--mode", "semantic")) === BAKERY);
  check("rebuilds its index", (await ok(["reindex"])).startsWith("3 "));
}

export const BAKERY = "https://tidewell.example/bakery";
const STORIES = [
  {
    title: "Harbour pilots plan their turns",
    url: "https://tidewell.example/pilots",
    client: "Fjordpilot",
    industry: "Transport",
    body: "Paper lists gave way to a shared board. Ships wait 40% less.",
  },
  {
    title: "A bank leaves its old machine room",
    url: "https://tidewell.example/ledger",
    client: "Grainbank",
    industry: "Banking",
    body: "The ledger ran on ageing mainframes. Hosting costs fell by half.",
  },
  {
    title: "Shifts that bakers like",
    url: BAKERY,
    client: "Crumb",
    industry: "Food",
    body: "Fewer bakers leave since shifts are planned with them.",
  },
].map((story) => ({ ...story, company: "Tidewell" }));
