import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs every `sh` block of the README and of `docs/` as a user would: in one shell a document, with `casefile` on the path and a
 * service on its port, with the recorded company in its data directory and without the internet. A block that cannot be run here has the comment
 * `<!-- not run: REASON -->` on the line above its fence.
 */

const ROOT = join(import.meta.dir, "../..");
const DOCUMENTS = ["README.md", ...[...new Bun.Glob("docs/*.md").scanSync({ cwd: ROOT })].sort()];
const BLOCK = /(?:<!-- not run: ([^\n]+?) -->\n+)?^ *```sh\n([\s\S]*?)^ *```$/gm;
/** The port that documents name; the service of a document listens on a free one. */
const DOCUMENTED_PORT = "7171";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-docs-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

for (const document of DOCUMENTS) {
  const text = await Bun.file(join(ROOT, document)).text();
  const blocks = [...text.matchAll(BLOCK)].map(([, reason, commands = ""]) => ({ reason, commands }));
  const runnable = blocks.filter(({ reason }) => reason === undefined);
  if (runnable.length === 0) continue;

  describe(document, () => {
    test(`its ${runnable.length} examples run`, async () => {
      const home = await prepare(document.replaceAll("/", "-"));
      const script = runnable.map(({ commands }, at) => `echo "## block ${at + 1}"\n${commands}`).join("\n");
      await keepRecording(home);
      const service = await serve(home);
      try {
        const shell = Bun.spawn(["bash", "-euo", "pipefail", "-c", script.replaceAll(DOCUMENTED_PORT, service.port)], {
          cwd: home,
          env: environment(home),
          stdin: "ignore",
          stdout: "pipe",
          stderr: "pipe",
        });
        const [out, err, code] = await Promise.all([
          new Response(shell.stdout).text(),
          new Response(shell.stderr).text(),
          shell.exited,
        ]);
        const failed = `${out.slice(-2_000)}\n${err.slice(-2_000)}`;
        expect(code === 0 ? "ran" : `exit ${code}: ${failed}`).toBe("ran");
      } finally {
        await service.stop();
      }
    }, 180_000);
  });
}

/** A folder as a user's: the repository's examples, and `casefile` on the path. */
async function prepare(name: string): Promise<string> {
  const home = join(folder, name);
  await Bun.write(join(home, ".keep"), "");
  for (const part of ["data", "examples", "src", "client", "package.json", "node_modules"]) {
    await symlink(join(ROOT, part), join(home, part));
  }
  const command = join(home, "bin/casefile");
  await Bun.write(command, `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, "src/main.ts")} "$@"\n`);
  await chmod(command, 0o755);
  return home;
}

/** What `npm start` does first. */
async function keepRecording(home: string): Promise<void> {
  const command = [join(home, "bin/casefile"), "enrich", "--from", "data/examples/harbourline.example.json", "--keep"];
  const run = Bun.spawn(command, { cwd: home, env: environment(home), stdout: "ignore", stderr: "inherit" });
  expect(await run.exited).toBe(0);
}

const environment = (home: string): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ),
  PATH: `${join(home, "bin")}:${process.env.PATH ?? ""}`,
  HOME: home,
  CASEFILE_DATA_DIR: join(home, "casefile-data"),
  // Nothing answers there: an example that needs the internet fails here.
  CASEFILE_NET_RESOLVERS: "127.0.0.1:9",
});

/** A service on a free port over the document's data directory. */
async function serve(home: string): Promise<{ readonly port: string; stop(): Promise<void> }> {
  const service = Bun.spawn([join(home, "bin/casefile"), "serve", "--port", "0"], {
    cwd: home,
    env: environment(home),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const reader = service.stdout.getReader();
  let banner = "";
  for (let port: string | undefined; ; ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the service ended before it listened: ${banner}`);
    banner += new TextDecoder().decode(value);
    port = /http:\/\/[\d.]+:(\d+)/.exec(banner)?.[1];
    if (port !== undefined) {
      return {
        port,
        async stop() {
          service.kill("SIGTERM");
          await service.exited;
        },
      };
    }
  }
}
