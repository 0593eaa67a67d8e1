import { join } from "node:path";
import { answersAsRecorded, foundOverHttp, REVISIONS } from "./agents.ts";
import { BAKERY } from "./first-use.ts";
import type { Machine } from "./machine.ts";

/** A running service: its responses, the command line with `--server`, and shutdown. */
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
  check("returns the stored result", result.status === 200 && JSON.parse(await result.text()).tools_detected >= 25);
  check("streams it", (await (await ask("/v1/enrich-stream/harbourline.example", key)).text()).includes('"done":true'));
  check("refuses a missing key", (await ask("/v1/enrich/harbourline.example")).status === 401);
  for (const revision of REVISIONS) {
    const found = await foundOverHttp(url, api_key, revision, "employee retention");
    check(`finds for an agent over /mcp, in ${revision}`, found === BAKERY);
  }
  for (const path of ["/docs", "/llms.txt", "/openapi.json", "/v1/stats", "/metrics"]) {
    const answer = await ask(path);
    check(`serves ${path}`, answer.status === 200 && (await answer.text()).length > 100);
  }
  await remoteCommands(machine, url, api_key);

  const { token } = JSON.parse(await ok(["operator", "reset-token", "--json"]));
  const opened = await ask("/admin/keys", { authorization: `Bearer ${token}` });
  check("accepts an operator token created by another process", opened.status === 200);
  const refused = await machine.run(["restore", "example.json"]);
  check(
    "refuses to restore into a data directory in use",
    refused.code === 1 && /uses .*casefile-data; stop the service/.test(refused.err),
  );
  check("stops on SIGTERM", (await stop()) === 0);
  for (const revision of REVISIONS) {
    check(`answers an agent as recorded, in ${revision}`, await answersAsRecorded(binary, revision));
  }
}

/** Commands with `--server` in another folder, with the key from the environment. */
async function remoteCommands({ run, check, work }: Machine, url: string, key: string): Promise<void> {
  const cwd = join(work, "elsewhere");
  await Bun.write(join(cwd, "domains.txt"), "");
  const ask = (argv: string[], stdin?: string, apiKey = key) =>
    run([...argv, "--server", url], {
      cwd,
      ...(stdin === undefined ? {} : { stdin }),
      variables: { CASEFILE_API_KEY: apiKey },
    });
  const one = await ask(["enrich", "harbourline.example", "--json"]);
  check(
    "queries a service with the key from the environment",
    one.code === 0 && JSON.parse(one.out).tools_detected >= 25,
  );
  const list = "harbourline.example\nno domain\n";
  const first = await ask(["enrich", "-", "--output", "found.jsonl"], list);
  // Only the truncated line is requested again.
  const written = await Bun.file(join(cwd, "found.jsonl")).text();
  await Bun.write(join(cwd, "found.jsonl"), written.slice(0, -20));
  const again = await ask(["enrich", "-", "--output", "found.jsonl"], list);
  const lines = (await Bun.file(join(cwd, "found.jsonl")).text()).trimEnd().split("\n");
  const inputs = lines.flatMap((line) => inputOf(line) ?? []);
  check(
    "reads domains, writes a line of JSON for each, and resumes an interrupted run",
    // One of the two is no domain, so the exit status says that some failed.
    first.code === 1 && again.code === 1 && inputs.sort().join() === "harbourline.example,no domain",
  );
  const refused = await ask(["search", "bank"], undefined, "nonsense");
  check("says how to get a valid key", refused.code === 1 && refused.err.includes("Set CASEFILE_API_KEY"));
  const unreachable = await run(["search", "bank", "--server", "http://127.0.0.1:9"], { cwd });
  check(
    "reports a service that cannot be reached",
    unreachable.code === 1 && unreachable.err.includes("Cannot connect to http://127.0.0.1:9."),
  );
  const names = [...new Bun.Glob("**/*").scanSync({ cwd })].sort().join();
  check("creates no data directory with --server", names === "domains.txt,found.jsonl");
}

function inputOf(line: string): string | undefined {
  try {
    return JSON.parse(line).input;
  } catch {
    return undefined;
  }
}
