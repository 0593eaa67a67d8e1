/**
 * Proves the executable where a user runs it: without a network where a namespace can be made, in an empty folder, with
 * an empty home and an empty directory for temporary files, beside an `.env` and a `bunfig.toml` that are not its
 * business. `bun run smoke [FILE]`; without a file it builds one first.
 */
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { answersAsRecorded, foundOverHttp, REVISIONS } from "./smoke/agents.ts";
import { runWithoutNetwork } from "./smoke/no-network.ts";

const ended = await runWithoutNetwork(process.argv.slice(1));
if (typeof ended === "number") process.exit(ended);
console.log(`  ${ended}`);

const root = resolve(import.meta.dir, "..");
const folder = await mkdtemp(join(tmpdir(), "casefile-smoke-"));
const binary = join(folder, "casefile");
const work = join(folder, "work");
const home = join(folder, "home");
const temporary = join(folder, "tmp");
const env = { HOME: home, TMPDIR: temporary, PATH: "/usr/bin:/bin" };
let checks = 0;

try {
  await Promise.all([mkdir(work), mkdir(home), mkdir(temporary)]);
  const given = process.argv[2];
  if (given) await cp(given, binary);
  else await run([process.execPath, `${root}/scripts/build.ts`, binary], root, process.env);
  await writeFile(join(work, ".env"), "CASEFILE_SERVER_PORT=not-a-port\n");
  await writeFile(join(work, "bunfig.toml"), 'preload = ["./absent.ts"]\n');
  await cp(`${root}/data/examples/harbourline.example.json`, join(work, "example.json"));

  const { version } = await Bun.file(`${root}/package.json`).json();
  check("tells its version", (await run([binary, "version"])).trim() === version);
  const licences = await run([binary, "licenses"]);
  check("tells its licences", licences.includes("Bun itself is MIT-licensed") && licences.length > 500_000);
  const compiled = JSON.parse(
    await run([binary, "enrich", "--from", "example.json", "--json", "--include", "evidence"]),
  );
  const example = join(work, "example.json");
  const fromSource = [
    process.execPath,
    `${root}/src/main.ts`,
    "enrich",
    "--from",
    example,
    "--json",
    "--include",
    "evidence",
  ];
  const source = JSON.parse(await run(fromSource, root, process.env));
  check("detects as the source does", Bun.deepEquals(compiled, source) && compiled.tools_detected >= 25);
  check("leaves nothing behind", (await readdir(work)).sort().join() === ".env,bunfig.toml,example.json");
  await searchAtFirst();
  await search();
  await serve();
  for (const revision of REVISIONS) {
    check(`answers an agent as recorded, in ${revision}`, await answersAsRecorded(binary, revision));
  }
  check("keeps its files in its data directory", (await readdir(work)).includes("casefile-data"));
  check("writes nothing into the home directory", (await readdir(home)).length === 0);
  check("writes nothing into the directory for temporary files", (await readdir(temporary)).length === 0);
  console.log(`smoke: ${checks} checks passed`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Who searches before anything was imported finds what comes with the program. */
async function searchAtFirst(): Promise<void> {
  const dir = ["--data-dir", join(work, "first")];
  const began = performance.now();
  const { results } = JSON.parse(await run([binary, "search", "cut the cost of the cloud", "--json", ...dir]));
  console.log(`  first search after ${Math.round(performance.now() - began)} ms`);
  check("finds something at first", results.length === 5 && results[0].origin === "starter");
  await rm(join(work, "first"), { recursive: true });
  // From here on what was imported stands alone.
  await writeFile(join(work, "casefile.toml"), "[starter]\nenabled = false\n");
}

/** Three invented stories: the executable's own model, search index and native parts must find the right one. */
async function search(): Promise<void> {
  const story = (slug: string, title: string, client: string, industry: string, body: string) =>
    JSON.stringify({ title, url: `https://tidewell.example/${slug}`, company: "Tidewell", client, industry, body });
  const stories = [
    story(
      "pilots",
      "Harbour pilots plan their turns",
      "Fjordpilot",
      "Transport",
      "Paper lists gave way to a shared board. Ships wait 40 % less.",
    ),
    story(
      "ledger",
      "A bank leaves its old machine room",
      "Grainbank",
      "Banking",
      "The ledger ran on ageing mainframes. Hosting costs fell by half.",
    ),
    story(
      "bakery",
      "Shifts that bakers like",
      "Crumb",
      "Food",
      "Fewer bakers leave since shifts are planned with them.",
    ),
  ];
  await writeFile(join(work, "stories.jsonl"), stories.join("\n"));
  const summary = JSON.parse(await run([binary, "import", "stories.jsonl", "--json"]));
  check("imports case studies", summary.added === 3 && summary.bad_lines === 0);
  const found = async (...words: string[]) =>
    JSON.parse(await run([binary, "search", ...words, "--json"])).results[0]?.url;
  check(
    "finds by words",
    (await found("ageing mainframes", "--mode", "keyword")) === "https://tidewell.example/ledger",
  );
  check(
    "finds by meaning",
    (await found("employee retention", "--mode", "semantic")) === "https://tidewell.example/bakery",
  );
  check("builds its index anew", (await run([binary, "reindex"])).startsWith("3 "));
}

async function serve(): Promise<void> {
  await run([binary, "enrich", "--from", "example.json", "--keep"]);
  const began = performance.now();
  const server = Bun.spawn([binary, "serve", "--port", "0", "--scan-reserved-names", "example"], {
    cwd: work,
    env,
    stdout: "pipe",
    stderr: "pipe",
  });
  const url = await firstMatch(server.stdout, /serves (http:\S+)/);
  const ready = await fetch(`${url}/readyz`);
  check("is ready", ready.status === 200);
  console.log(`  ready after ${Math.round(performance.now() - began)} ms`);
  const issued = await fetch(`${url}/v1/keys`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "ana@brightpine.example" }),
  });
  check("issues a key", issued.status === 201);
  const { api_key }: { api_key: string } = JSON.parse(await issued.text());
  const headers = { "x-api-key": api_key };
  const result = await fetch(`${url}/v1/enrich/harbourline.example?max_age=31536000`, { headers });
  check("answers from the kept result", result.status === 200 && JSON.parse(await result.text()).tools_detected >= 25);
  const stream = await fetch(`${url}/v1/enrich-stream/harbourline.example?max_age=31536000`, { headers });
  check("streams it", (await stream.text()).includes('"done":true'));
  check("refuses a missing key", (await fetch(`${url}/v1/enrich/harbourline.example`)).status === 401);
  for (const revision of REVISIONS) {
    const found = await foundOverHttp(url, api_key, revision, "employee retention");
    check(`finds for an agent over /mcp, in ${revision}`, found === "https://tidewell.example/bakery");
  }
  for (const path of ["/docs", "/docs/reference.js", "/docs/reference.css", "/openapi.json", "/v1/stats", "/metrics"]) {
    const answer = await fetch(`${url}${path}`);
    check(`serves ${path}`, answer.status === 200 && (await answer.text()).length > 100);
  }
  server.kill("SIGTERM");
  check("stops when asked to", (await server.exited) === 0);
}

async function run(
  command: string[],
  cwd = work,
  environment: Record<string, string | undefined> = env,
): Promise<string> {
  const child = Bun.spawn(command, { cwd, env: environment, stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${err}`);
  return out;
}

async function firstMatch(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const found = pattern.exec(text)?.[1];
    if (found) return found;
  }
  throw new Error(`the service ended before it said where it is:\n${text}`);
}

function check(what: string, holds: boolean): void {
  if (!holds) throw new Error(`the executable fails: ${what}`);
  checks += 1;
  console.log(`  ${what}`);
}
