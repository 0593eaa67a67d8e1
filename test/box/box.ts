import { openAuthority } from "./authority.ts";
import { sitesOf, type World } from "./company.ts";
import { type DnsHit, startDns } from "./dns-server.ts";
import { startWeb, type WebHit } from "./web-server.ts";
import { readZone } from "./zone.ts";

export type Hit = DnsHit | WebHit;

/** A test internet on loopback: real DNS over UDP and TCP, real HTTP and HTTPS, and an authority that signs for it. */
export interface Box {
  /** `127.0.0.1:PORT`, for the resolver setting. */
  readonly dns: string;
  /** From the port of a URL to the port to connect to: 80 and 443. */
  readonly connectPorts: ReadonlyMap<number, number>;
  /** Root certificate in PEM. */
  readonly ca: string;
  /** Address ranges that the network policy must allow, as CIDR. */
  readonly allow: readonly string[];
  /** Every DNS question and HTTP request so far, in order. */
  readonly hits: readonly Hit[];
  /** From now on answers by another description; certificates, ports and hits stay. */
  describe(world: World): void;
  /** Breaks what is under way and frees the ports. */
  close(): Promise<void>;
}

const HOME = "127.0.0.1";
/** Loopback too, and nothing listens there. */
const NOBODY = "127.0.0.9";

/**
 * Opens the box. Close it in `afterEach` or `afterAll`, or the test run does not end.
 *
 * @param keepsHits false leaves `hits` empty, for runs of hours
 */
export async function openBox(world: World, { keepsHits = true } = {}): Promise<Box> {
  const opened = performance.now();
  const hits: Hit[] = [];
  const saw = (hit: Omit<DnsHit, "at"> | Omit<WebHit, "at">) => {
    if (keepsHits) hits.push({ ...hit, at: Math.round(performance.now() - opened) });
  };
  let current = read(world);

  const authority = openAuthority();
  const dns = await startDns(
    {
      zone: () => current.zone,
      faults: () => current.world.faults ?? [],
      saw,
    },
    HOME,
  );
  const web = await startWeb(
    {
      world: () => current.world,
      sites: () => current.sites,
      saw,
    },
    authority,
    HOME,
  );

  return {
    dns: `${HOME}:${dns.port}`,
    connectPorts: new Map([
      [80, web.httpPort],
      [443, web.httpsPort],
    ]),
    ca: authority.root,
    allow: ["127.0.0.0/8"],
    hits,
    describe(next) {
      current = read(next);
    },
    async close() {
      await Promise.all([dns.close(), web.close()]);
    },
  };
}

function read(world: World) {
  const refusing = (world.faults ?? []).flatMap((each) =>
    "host" in each && each.fault === "refuse" ? [[each.host.toLowerCase(), NOBODY] as const] : [],
  );
  return { world, sites: sitesOf(world), zone: readZone(world, HOME, new Map(refusing)) };
}
