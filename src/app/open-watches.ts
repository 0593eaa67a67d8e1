import { createHash } from "node:crypto";
import { randomText } from "../accounts/keys.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Config } from "../config.ts";
import { type Runner, startRunner } from "../jobs/runner.ts";
import { type DoorSettings, openDoor } from "../net/door.ts";
import type { Store } from "../store/store.ts";
import { Failure } from "../vocabulary/failure.ts";
import { attempt, deliverDue } from "../watches/deliver.ts";
import { lookAgain } from "../watches/look.ts";
import type { EnrichmentVerbs } from "./enrichment.ts";
import { createWatches, MOST_WEBHOOKS } from "./watches.ts";

export interface WatchOptions {
  readonly config: Config;
  readonly store: Store;
  readonly settings: DoorSettings;
  readonly catalogue: Catalogue;
  readonly enrich: EnrichmentVerbs["enrich"];
  readonly version: string;
  readonly clock: () => Date;
  readonly onError: (work: string, error: unknown) => void;
}

/** Standard Webhooks asks senders to wait 15 to 30 seconds. */
const ANSWER_MS = 20_000;
/** Nobody reads more of an answer than its status. */
const ANSWER_BYTES = 4_096;
const LOOK_MS = 2_000;
const LEASE_SECONDS = 120;

/** Watched domains and webhooks, these over a door of their own: a receiver may take its time. */
export function openWatches(options: WatchOptions) {
  const { config, store, catalogue, clock, onError } = options;
  const door = openDoor({
    ...options.settings,
    ...{ firstByteMs: ANSWER_MS, exchangeMs: ANSWER_MS, pageBytes: ANSWER_BYTES, rawBytes: ANSWER_BYTES },
  });
  const random = Math.random;
  const makeId = (prefix: string, length: number) => `${prefix}${randomText(length)}`;
  const sending = { door, clock, random };
  let digest: string | undefined;
  let scans: Runner | undefined;
  /** Of all that makes one scan tell other tools than another of the same company. */
  const rules = (): string => {
    digest ??= createHash("sha256")
      .update(JSON.stringify([options.version, config.scan.threshold, config.sources, [...catalogue.tools.values()]]))
      .digest("hex");
    return digest;
  };

  const start = (): Pick<Runner, "stop"> => {
    const common = {
      ...{ pollMs: LOOK_MS, leaseSeconds: LEASE_SECONDS, random },
      onFailure: ({ kind, payload }: { kind: string; payload: object }, error: unknown) => {
        // A refusal is told by the list of the watches.
        if (!(error instanceof Failure)) onError(`${kind} of ${Object.values(payload)}`, error);
      },
    };
    const deliveries = startRunner({
      ...common,
      jobs: store.webhooks,
      handlers: { webhook: deliverDue({ ...sending, webhooks: store.webhooks }) },
      // An endpoint gets one message at a time, so none waits for another that is slow.
      concurrency: MOST_WEBHOOKS,
    });
    const running = startRunner({
      ...common,
      jobs: store.watches,
      handlers: {
        watch: lookAgain({
          store,
          scan: (domain, signal) => options.enrich(domain, { maxAgeSeconds: 0, signal }),
          rules,
          needs: (id) => catalogue.tools.get(id)?.requires ?? [],
          makeId: () => makeId("msg_", 24),
          random,
          changed: () => deliveries.wake(),
        }),
      },
      concurrency: config.watch.concurrent,
    });
    scans = running;
    return {
      async stop() {
        await Promise.all([running.stop(), deliveries.stop()]);
      },
    };
  };

  return {
    ...createWatches({
      ...{ store, clock, makeId, start },
      wake: () => scans?.wake(),
      everyHours: config.watch.everyHours,
      reservedNames: config.scan.reservedNames,
      policy: door.policy,
      send: (outgoing, signal, attempts) => attempt(sending, outgoing, attempts, signal),
    }),
    close: () => door.close(),
  };
}
