import { join } from "node:path";
import { answersAsRecorded, foundOverHttp, REVISIONS } from "./agents.ts";
import { BAKERY } from "./first-use.ts";
import type { Machine } from "./machine.ts";

/** A running service: its answers, over the command line too, and its end. */
export async function serving(machine: Machine): Promise<void> {
  const { ok, check, serve, binary } = machine;
  await ok(["enrich", "--from", "example.json", "--keep"]);
  const began = performance.now();
  const { url, stop } = await serve(["--scan-allowed-reserved-tlds", "example", "--scan-cache-seconds", "31622400"]);
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });
  check("is ready", (await ask("/readyz")).status === 200);
  console.log(`  ready after ${Math.round(performance.now() - began)} ms`);

  const issued = await fetch(`${url}/v1/keys`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "ana@brightpine.example" }),
  });
  check("issues a key", issued.status === 201);
  const { api_key }: { api_key: string } = JSON.parse(await issued.text());
  const key = { "x-api-key": api_key };
  const result = await ask("/v1/enrich/harbourline.example", key);
  check("answers from the kept result", result.status === 200 && JSON.parse(await result.text()).tools_detected >= 25);
  check("streams it", (await (await ask("/v1/enrich-stream/harbourline.example", key)).text()).includes('"done":true'));
  check("refuses a missing key", (await ask("/v1/enrich/harbourline.example")).status === 401);
  for (const revision of REVISIONS) {
    const found = await foundOverHttp(url, api_key, revision, "employee retention");
    check(`finds for an agent over /mcp, in ${revision}`, found === BAKERY);
  }
  for (const path of ["/docs", "/docs/reference.js", "/docs/reference.css", "/openapi.json", "/v1/stats", "/metrics"]) {
    const answer = await ask(path);
    check(`serves ${path}`, answer.status === 200 && (await answer.text()).length > 100);
  }
  await asksIt(machine, url, api_key);

  const { token } = JSON.parse(await ok(["operator", "reset-token", "--json"]));
  const opened = await ask("/admin/keys", { authorization: `Bearer ${token}` });
  check("takes an operator token that was just made beside it", opened.status === 200);
  const held = await machine.run(["restore", "example.json"]);
  check(
    "says who holds the data directory that is to be replaced",
    held.code === 1 && /has .*casefile-data open; stop the service/.test(held.err),
  );
  check("stops when asked to", (await stop()) === 0);
  for (const revision of REVISIONS) {
    check(`answers an agent as recorded, in ${revision}`, await answersAsRecorded(binary, revision));
  }
}

/** The command line in another folder, with the key of its environment. */
async function asksIt({ run, check, work }: Machine, url: string, key: string): Promise<void> {
  const cwd = join(work, "elsewhere");
  await Bun.write(join(cwd, "domains.txt"), "");
  const ask = (argv: string[], stdin?: string, own = key) =>
    run([...argv, "--server", url], {
      cwd,
      ...(stdin === undefined ? {} : { stdin }),
      variables: { CASEFILE_API_KEY: own },
    });
  const one = await ask(["enrich", "harbourline.example", "--json"]);
  check("asks a service with the key of its environment", one.code === 0 && JSON.parse(one.out).tools_detected >= 25);
  const list = "harbourline.example\nno domain\n";
  const first = await ask(["enrich", "-", "--output", "found.jsonl"], list);
  // What a run left half is asked for again, and nothing else.
  const written = await Bun.file(join(cwd, "found.jsonl")).text();
  await Bun.write(join(cwd, "found.jsonl"), written.slice(0, -20));
  const again = await ask(["enrich", "-", "--output", "found.jsonl"], list);
  const lines = (await Bun.file(join(cwd, "found.jsonl")).text()).trimEnd().split("\n");
  const inputs = lines.flatMap((line) => inputOf(line) ?? []);
  check(
    "reads domains, writes a line of JSON for each, and goes on where it was",
    first.code === 0 && again.code === 0 && inputs.sort().join() === "harbourline.example,no domain",
  );
  const refused = await ask(["search", "bank"], undefined, "nonsense");
  check("says how to get a key that is taken", refused.code === 1 && refused.err.includes("set CASEFILE_API_KEY"));
  const nobody = await run(["search", "bank", "--server", "http://127.0.0.1:9"], { cwd });
  check("says that nothing answers", nobody.code === 1 && nobody.err.includes("Nothing answers at http://127.0.0.1:9"));
  const names = [...new Bun.Glob("**/*").scanSync({ cwd })].sort().join();
  check("leaves no data where a service is asked", names === "domains.txt,found.jsonl");
}

function inputOf(line: string): string | undefined {
  try {
    return JSON.parse(line).input;
  } catch {
    return undefined;
  }
}
