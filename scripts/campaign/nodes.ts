import { NoPostgres, startPair } from "../../test/postgres/server.ts";
import { NODES, openCluster } from "./cluster.ts";
import type { CampaignPart } from "./part.ts";

/** `CAMPAIGN_SECONDS` sets another duration. */
const FULL = { seconds: 1_800, longestMs: 8_000, failovers: 2, domains: 4_000 };
const SHORT = { seconds: 50, longestMs: 6_000, failovers: 1, domains: 60 };
const IMPORT_EVERY = 5;
/** A failover manager needs this long to notice that the primary is gone, at best. */
const PROMOTION_MS = 1_000;
/** Of the requests that may be 503. */
const MAX_UNAVAILABLE = 0.01;

export const nodes: CampaignPart = {
  name: "nodes",
  about:
    "Kills three nodes behind HAProxy with kill -9, and their PostgreSQL, whose synchronous standby takes over; nothing is lost or doubled.",
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
          kills += 1;
          const node = Math.floor(random() * NODES);
          await cluster.kill(node);
          await Promise.all([
            cluster.start(node),
            kills % IMPORT_EVERY === 1 ? cluster.importStudies(kills) : undefined,
          ]);
          onProgress(`kill ${kills}, node ${node}: ${load.summary()}`);
        }
        await loads;
        faults.push(...(await cluster.check()));
        for (let node = 0; node < NODES; node++) faults.push(...(await cluster.end(node)));
        const figures = load.figures();
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
