import { expect, test } from "bun:test";
import { join } from "node:path";
import { filled } from "../http/filled.ts";
import { inDirectory } from "../store/examples.ts";

const ROOT = join(import.meta.dir, "../..");

const SCRIPT = `
import { CasefileProblem, createClient } from "./client.js";
const [baseUrl, apiKey] = process.argv.slice(2);
const casefile = createClient({ baseUrl, apiKey });
const told = [(await casefile.enrich("brightpine.test")).tools_detected];
for await (const { phase } of casefile.enrichStream("brightpine.test")) told.push(phase);
await casefile.getCompany("nobody").catch((error) => told.push(error instanceof CasefileProblem && error.code));
console.log(JSON.stringify(told));
`;

test("the client works in Node over a real connection", async () => {
  const { handler, key } = await filled();
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => handler(request, "127.0.0.1") });
  try {
    await inDirectory(async (directory) => {
      const built = await Bun.build({
        entrypoints: [join(ROOT, "client/src/index.ts")],
        outdir: directory,
        naming: "client.js",
        target: "browser",
      });
      expect(built.success).toBe(true);
      await Bun.write(join(directory, "package.json"), '{"type":"module"}');
      await Bun.write(join(directory, "ask.js"), SCRIPT);
      const child = Bun.spawn(["node", "ask.js", server.url.origin, await key("noor@brightpine.test")], {
        cwd: directory,
        stderr: "pipe",
      });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      expect([code, err]).toEqual([0, ""]);
      expect(JSON.parse(out)).toEqual([3, "identity", "website", "complete", "company.not_found"]);
    });
  } finally {
    await server.stop(true);
  }
}, 60_000);
