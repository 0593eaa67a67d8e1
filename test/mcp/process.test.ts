import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "../cli/fake-host.ts";
import { inDirectory } from "../store/examples.ts";
import { sessionFile, sessionOf } from "./session.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const SLOW = 60_000;

const INITIALIZE = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "a-test", version: "1" } },
};

/** A new process after a completed handshake. */
async function greeted(directory: string) {
  const child = Bun.spawn([process.execPath, MAIN, "mcp", "--no-starter"], {
    cwd: directory,
    env: { PATH: process.env.PATH ?? "", HOME: directory, TMPDIR: directory },
    ...({ stdin: "pipe", stdout: "pipe", stderr: "pipe" } as const),
  });
  // A process that exits during a write breaks the pipe; some tests do this on purpose.
  const say = async (text: string) => {
    try {
      await child.stdin.write(text);
      await child.stdin.flush();
    } catch {}
  };
  await say(`${JSON.stringify(INITIALIZE)}\n`);
  const reader = child.stdout.getReader();
  let heard = "";
  const hear = async (until: string) => {
    while (!heard.includes(until)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`it ended: ${await child.stderr.text()}`);
      heard += new TextDecoder().decode(value);
    }
    return heard;
  };
  await hear("\n");
  return { child, say, hear };
}

describe("casefile mcp", () => {
  test.each(["2026-07-28", "2024-11-05"] as const)(
    "in %s gives an agent the recorded responses, using only the data directory",
    async (revision) => {
      const session = await inDirectory((directory) => sessionOf(directory, revision));
      const recorded = await sessionFile.text();
      expect(session.replace(/^revision .+/, "revision 2026-07-28")).toBe(recorded);
      expect(session).toStartWith(`revision ${revision}\n`);
    },
    SLOW,
  );

  test(
    "writes only messages to standard output, and exits when its input ends",
    async () => {
      await inDirectory(async (directory) => {
        const { child, say, hear } = await greeted(directory);
        await say("nonsense\n{\n[]\n7\n");
        await say(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" })}\n`);
        const heard = await hear('"id":2');
        for (const line of heard.trim().split("\n")) expect(JSON.parse(line).jsonrpc).toBe("2.0");
        child.stdin.end();
        expect(await child.exited).toBe(0);
        const log = (await child.stderr.text()).trim().split("\n");
        for (const line of log) expect(JSON.parse(line).msg).toBe("invalid MCP message");
      });
    },
    SLOW,
  );

  test.each(["SIGTERM", "SIGINT"] as const)(
    "exits on %s",
    async (signal) => {
      await inDirectory(async (directory) => {
        const { child } = await greeted(directory);
        child.kill(signal);
        expect(await child.exited).toBe(0);
        expect(await child.stderr.text()).toBe("");
      });
    },
    SLOW,
  );

  test(
    "exits when a message never ends",
    async () => {
      await inDirectory(async (directory) => {
        const { child, say } = await greeted(directory);
        await say("a".repeat(2_000_000));
        expect(await child.exited).toBe(0);
      });
    },
    SLOW,
  );

  test("passes its flags to the host, and its help shows a client's settings", async () => {
    const served: unknown[] = [];
    const serveMcp = async (flags: unknown) => void served.push(flags);
    expect(await run(["mcp", "--data-dir", "d"], { host: { serveMcp } })).toMatchObject({ code: 0, out: "", err: "" });
    expect(served).toEqual([{ dataDir: "d" }]);
    expect((await run(["mcp", "--help"])).out).toContain('"mcpServers"');
  });
});
