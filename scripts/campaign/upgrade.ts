import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { NoPostgres, startPair } from "../../test/postgres/server.ts";
import { type Cluster, NODES, openCluster } from "./cluster.ts";
import type { CampaignPart } from "./part.ts";

const ROOT = resolve(import.meta.dir, "../..");
/** What a node reads when it runs from source. */
const NEEDED = ["src", "scripts", "data", "models", "client", "package.json", "package-lock.json", "tsconfig.json"];
const FULL = { pauseMs: 30_000, domains: 1_000 };
const SHORT = { pauseMs: 1_000, domains: 60 };
/** Longer than HAProxy needs to notice: two checks, a second apart. */
const FLAGS = { "server-shutdown-delay-ms": 4_000 };

export const upgrade: CampaignPart = {
  name: "upgrade",
  about: "Replaces three nodes behind HAProxy by those of this tree, on one schema; no request fails.",
  async run({ short, seed, onProgress }) {
    const size = short ? SHORT : FULL;
    const skipped = (why: string) => ({ figures: {}, faults: [], skipped: why });
    if (Bun.which("haproxy") === null) return skipped("there is no haproxy here");
    const folder = await mkdtemp(join(tmpdir(), "casefile-release-"));
    try {
      const before = await checkOutBefore(folder);
      if (typeof before === "string") return skipped(before);
      const database = await startPair().catch((error) => {
        if (error instanceof NoPostgres) return undefined;
        throw error;
      });
      if (database === undefined) return skipped("there is no PostgreSQL here");
      try {
        const options = { database, seed, domains: size.domains, flags: FLAGS, main: before.main };
        const cluster = await openCluster(options);
        try {
          const { load } = cluster;
          const sql = database.connect();
          const schema = async () => Number((await sql.unsafe("select max(id) as id from migrations"))[0].id);
          const faults: string[] = [];
          const schemas = [await schema()];
          let isOver = false;
          const loads = load.start(() => isOver);
          const replace = async (node: number, main: string | undefined, what: string) => {
            await Bun.sleep(size.pauseMs);
            faults.push(...(await cluster.end(node)));
            await cluster.start(node, main);
            onProgress(`node ${node} ${what}: ${load.summary()}`);
          };
          await replace(0, undefined, "upgraded");
          schemas.push(await schema());
          await replace(1, before.main, "started again in the release before");
          if (!short) {
            await replace(1, undefined, "upgraded");
            await replace(1, before.main, "taken back");
          }
          await cluster.importStudies(1);
          for (const node of [1, 2]) await replace(node, undefined, "upgraded");
          await Bun.sleep(size.pauseMs);
          isOver = true;
          await loads;
          await sql.close();
          faults.push(...(await endOf(cluster)));
          if (schemas[0] !== before.schema || schemas[1] !== MIGRATIONS.length)
            faults.push(
              `the schema went from ${schemas.join(" to ")}, not from ${before.schema} to ${MIGRATIONS.length}`,
            );
          const figures = load.figures();
          const { unavailable, broken } = figures;
          if (unavailable + broken > 0) faults.push(`${unavailable} requests got a 503, ${broken} no answer`);
          return {
            figures: { schema_before: before.schema, schema: MIGRATIONS.length, ...figures },
            faults,
            skipped: null,
          };
        } finally {
          await cluster.close();
        }
      } finally {
        await database.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function endOf(cluster: Cluster): Promise<readonly string[]> {
  const faults = [...(await cluster.check())];
  for (let node = 0; node < NODES; node++) faults.push(...(await cluster.end(node)));
  return faults;
}

/**
 * Unpacks the latest commit whose schema was another one, with the packages of this tree. `CAMPAIGN_RELEASE_BEFORE` names
 * a commit or tag instead.
 *
 * @returns why there is none
 */
async function checkOutBefore(folder: string): Promise<{ readonly main: string; readonly schema: number } | string> {
  const git = async (...args: string[]): Promise<string | undefined> => {
    const child = Bun.spawn(["git", ...args], { cwd: ROOT, stdout: "pipe", stderr: "ignore" });
    const text = await child.stdout.text();
    return (await child.exited) === 0 ? text : undefined;
  };
  if (Bun.which("git") === null) return "there is no git here";
  const migrations = "src/db/migrations.ts";
  const schemaOf = async (commit: string) =>
    [...((await git("show", `${commit}:${migrations}`)) ?? "").matchAll(/^ +id: (\d+),$/gm)].length;
  const named = process.env.CAMPAIGN_RELEASE_BEFORE;
  const changes = named ? [] : ((await git("log", "--format=%H", "--", migrations)) ?? "").split("\n").filter(Boolean);
  for (const commit of named ? [named] : ["HEAD", ...changes.map((change) => `${change}~1`)]) {
    const schema = await schemaOf(commit);
    if (schema === 0 || (schema === MIGRATIONS.length && !named)) continue;
    const needed = MIGRATIONS.slice(schema).find(({ requires = 0 }) => requires > schema);
    if (needed) return `nodes of ${commit} cannot run with migration ${needed.id} (${needed.name})`;
    const archive = join(folder, "source.tar");
    if ((await git("archive", "-o", archive, commit, ...NEEDED)) === undefined) return `git cannot archive ${commit}`;
    const source = join(folder, "source");
    await mkdir(source);
    const unpacked = Bun.spawn(["tar", "-xf", archive, "-C", source], { stderr: "inherit" });
    if ((await unpacked.exited) !== 0) return "tar cannot unpack the release before";
    await symlink(join(ROOT, "node_modules"), join(source, "node_modules"));
    return { main: join(source, "src/main.ts"), schema };
  }
  return "git has no commit of another schema";
}
