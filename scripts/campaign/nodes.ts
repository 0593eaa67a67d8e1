import { NoPostgres, startPair } from "../../test/postgres/server.ts";
import { NODES, openCluster } from "./cluster.ts";
import type { CampaignPart } from "./part.ts";

/** `CAMPAIGN_SECONDS` sets another duration. */
const FULL = { seconds: 1_800, longestMs: 8_000, failovers: 2, domains: 4_000 };
const SHORT = { seconds: 50, longestMs: 6_000, failovers: 1, domains: 60 };
const IMPORT_EVERY = 5;
/** Of the kills: the node comes back without its data directory. */
const REPLACE_EVERY = 4;
/** Parts of the time between which the object storage is stopped. */
const STOPPED = [0.4, 0.6] as const;
/** A failover manager needs this long to notice that the primary is gone, at best. */
const PROMOTION_MS = 1_000;
/** Of the requests that may be 503. */
const MAX_UNAVAILABLE = 0.01;

export const nodes: CampaignPart = {
  name: "nodes",
  about:
    "Kills three nodes behind HAProxy with kill -9, and their PostgreSQL, whose synchronous standby takes over, and stops the object storage; nothing is lost or doubled.",
  async run({ short, seed, onProgress }) {
    const size = short ? SHORT : FULL;
    const seconds = Number(process.env.CAMPAIGN_SECONDS ?? size.seconds);
    const skipped = (why: string) => ({ figures: {}, faults: [], skipped: why });
    if (Bun.which("haproxy") === null) return skipped("there is no haproxy here");
    const database = await startPair().catch((error) => {
      if (error instanceof NoPostgres) return undefined;
      throw error;
    });
    if (database === undefined) return skipped("there is no PostgreSQL here");
    const faults: string[] = [];
    try {
      const cluster = await openCluster({ database, seed, domains: size.domains });
      try {
        const { random, load } = cluster;
        const began = Date.now();
        const isOver = () => Date.now() - began >= seconds * 1_000;
        let kills = 0;
        let failovers = 0;
        let objects: "running" | "stopped" | "running again" = "running";
        const loads = load.start(isOver);
        while (!isOver()) {
          await Bun.sleep(2_000 + random() * size.longestMs);
          // At equal distances from each other and from both ends.
          const isDue = Date.now() - began >= ((failovers + 1) * seconds * 1_000) / (size.failovers + 1);
          if (isDue && failovers < size.failovers) {
            failovers += 1;
            await database.failOver(PROMOTION_MS);
            onProgress(`failover ${failovers}: ${load.summary()}`);
            continue;
          }
          const part = (Date.now() - began) / (seconds * 1_000);
          if (objects === "running" && part > STOPPED[0]) {
            objects = "stopped";
            await cluster.stopObjects();
          } else if (objects === "stopped" && part > STOPPED[1]) {
            objects = "running again";
            cluster.startObjects();
          }
          kills += 1;
          const isReplaced = kills % REPLACE_EVERY === 0;
          const node = isReplaced ? 1 + Math.floor(random() * (NODES - 1)) : Math.floor(random() * NODES);
          if (!isReplaced) await cluster.kill(node);
          await Promise.all([
            isReplaced ? cluster.replace(node) : cluster.start(node),
            kills % IMPORT_EVERY === 1 ? cluster.importStudies(kills) : undefined,
          ]);
          onProgress(`kill ${kills}, node ${node}${isReplaced ? ", replaced" : ""}: ${load.summary()}`);
        }
        await loads;
        faults.push(...(await cluster.check()));
        for (let node = 0; node < NODES; node++) faults.push(...(await cluster.end(node)));
        const { snapshot, database: fromDatabase, unfinished } = cluster.built;
        const built = { from_snapshot: snapshot, from_database: fromDatabase, unfinished_nodes: unfinished };
        const figures = { ...load.figures(), ...built };
        const { requests, unavailable, broken } = figures;
        if (broken > 0) faults.push(`${broken} requests got no answer`);
        if (unavailable > requests * MAX_UNAVAILABLE) faults.push(`${unavailable} of ${requests} requests got a 503`);
        return { figures: { seconds, kills, failovers, ...figures }, faults, skipped: null };
      } finally {
        await cluster.close();
      }
    } finally {
      await database.stop();
    }
  },
};
