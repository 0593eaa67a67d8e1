import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { networkSettings } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { Catalogue } from "../../src/detection/fingerprints/catalogue.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import type { ScanProcesses } from "../../src/detection/isolation/scan-processes.ts";
import { SCANNERS } from "../../src/detection/scanners/registry.ts";
import type { Scanner } from "../../src/detection/scanners/scanner.ts";
import { createDetectionService, type DetectionService } from "../../src/detection/service.ts";
import type { Detection, Report, Step } from "../../src/detection/types.ts";
import { openNetworkClient } from "../../src/net/client.ts";
import { openStore, type Store } from "../../src/store.ts";
import { type Box, type Hit, openBox } from "../box/box.ts";
import type { World } from "../box/company.ts";

/** The whole way of a scan, from the verb to the socket, over an internet in a box. */
export interface Boxed extends DetectionService {
  readonly box: Box;
  readonly store: Store;
  readonly catalogue: Catalogue;
  /** What scanners broke on: no stranger's answer may ever add to it. */
  readonly bugs: readonly string[];
  /** Reports of the scans that ended. */
  readonly ended: readonly Report[];
  close(): Promise<void>;
}

export interface BoxedOptions {
  /** Flags, which override those for the box: `{ "scan-deadline-ms": 3000 }`. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly scanners?: readonly Scanner[];
  readonly processes?: ScanProcesses;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

let catalogue: Catalogue | undefined;
/** Compiled once for all tests of a file: it takes longer than most scans. */
export const sharedCatalogue = (): Catalogue => {
  catalogue ??= loadBuiltInCatalogue();
  return catalogue;
};

/** Close it in `afterEach`: the box keeps the process up. */
export async function openBoxed(world: World, options: BoxedOptions = {}): Promise<Boxed> {
  const { flags = {}, scanners = SCANNERS, processes, now = Date.now } = options;
  const box = await openBox(world);
  const folder = await mkdtemp(join(tmpdir(), "casefile-box-"));
  const authority = join(folder, "box.pem");
  await writeFile(authority, box.ca);
  const config = loadConfig({
    flags: {
      "net-resolvers": box.dns,
      "net-allow-cidrs": box.allow,
      "net-connect-ports": [...box.connectPorts].map((pair) => pair.join(":")),
      "net-ca-file": authority,
      "scan-allowed-reserved-tlds": "test",
      ...flags,
    },
    env: {},
    readFile: () => undefined,
  });
  const store = await openStore({ dataDir: ":memory:", clock: () => new Date(now()) });
  const door = openNetworkClient(networkSettings(config, "0.0.0"));
  const bugs: string[] = [];
  const ended: Report[] = [];
  const verbs = createDetectionService({
    network: door,
    dataSources: config.sources,
    scanners,
    processes,
    catalogue: sharedCatalogue(),
    scans: store.scans,
    discovery: store.discovery,
    feedback: store.feedback,
    settings: config.scan,
    agent: "casefile 0.0.0",
    now,
    onBug: (source, error) => bugs.push(`${source}: ${error}`),
    onUnsaved: (error) => bugs.push(`store: ${error}`),
    onScan: (report) => ended.push(report),
  });
  return {
    ...verbs,
    box,
    store,
    catalogue: sharedCatalogue(),
    bugs,
    ended,
    async close() {
      verbs.stop();
      door.close();
      await store.close();
      await box.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Every step, with the milliseconds after which it came. */
export async function stepsOf(steps: Promise<AsyncIterable<Step>>): Promise<{ step: Step; after: number }[]> {
  const began = performance.now();
  const all: { step: Step; after: number }[] = [];
  for await (const step of await steps) all.push({ step, after: performance.now() - began });
  return all;
}

export const idsOf = (detections: readonly Detection[]): string[] => detections.map(({ id }) => id).sort();

/** The requested URLs, one per request. */
export const requestsOf = (hits: readonly Hit[]): string[] =>
  hits.flatMap((hit) => (hit.kind === "http" ? hit.url : []));

/** How each source fared, by its id. */
export const statusesOf = ({ sources }: Pick<Report, "sources">): Record<string, string> =>
  Object.fromEntries(sources.map(({ source, status }) => [source, status]));
