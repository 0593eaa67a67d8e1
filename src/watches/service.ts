import { createHash } from "node:crypto";
import { randomText } from "../accounts/service.ts";
import type { Config } from "../config/keys.ts";
import { parseIsoInstant } from "../core/dates.ts";
import { parseDomain } from "../core/domain.ts";
import { Failure } from "../core/errors.ts";
import type { Catalogue } from "../detection/fingerprints/catalogue.ts";
import type { DetectionService } from "../detection/service.ts";
import { type Runner, startRunner } from "../jobs/runner.ts";
import { type NetworkSettings, openNetworkClient } from "../net/client.ts";
import type { Policy } from "../net/policy.ts";
import type { Store } from "../store.ts";
import type { Attempt, ChangePage, DeliveryPage, Outgoing, WatchPage } from "./repository.ts";
import type { Delivery, DeliveryState, Watch, Webhook } from "./types.ts";
import { attempt, deliverDue, makeSecret, TEST, testMessage } from "./webhooks.ts";
import { rescan } from "./worker.ts";

/** An endpoint with its secret, which is shown this once. */
interface IssuedWebhook extends Webhook {
  readonly secret: string;
}

interface Page {
  /** 1–100, by default 20. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** Companies that are looked at again and again, and who is told what changed. */
export interface WatchService {
  /**
   * Watches a domain from now on, or changes how it is watched; what is not given stays as it is.
   *
   * @throws Failure `domain.invalid`, `domain.reserved`, `watch.limit`
   */
  watch(domain: string, how?: { readonly everyHours?: number; readonly paused?: boolean }): Promise<Watch>;
  /** Answers what it was; its changes stay listed. @throws Failure `watch.not_found`, `domain.invalid` */
  unwatch(domain: string): Promise<Watch>;
  /** By domain. @throws Failure `cursor.invalid` */
  listWatches(page?: Page): Promise<WatchPage>;
  /**
   * Newest first.
   *
   * @param filter `since`: a day or an instant, ISO 8601
   * @throws Failure `cursor.invalid`, `query.invalid`, `domain.invalid`
   */
  listChanges(filter?: { readonly domain?: string; readonly since?: string }, page?: Page): Promise<ChangePage>;

  /** @throws Failure `webhook.invalid` for an address that may not be reached, `webhook.exists`, `webhook.limit` */
  addWebhook(url: string): Promise<IssuedWebhook>;
  /** Oldest first. */
  listWebhooks(): Promise<readonly Webhook[]>;
  /** Answers what it was; what waits for it is not sent. @throws Failure `webhook.not_found` */
  removeWebhook(id: string): Promise<Webhook>;
  /** A new secret; the former one signs beside it for a day. @throws Failure `webhook.not_found` */
  rotateWebhook(id: string): Promise<IssuedWebhook>;
  /** Sends a test now, once. An endpoint that takes it is active again. @throws Failure `webhook.not_found` */
  testWebhook(id: string, signal?: AbortSignal): Promise<Delivery>;
  /** Newest first. @throws Failure `cursor.invalid` */
  listDeliveries(
    filter?: { readonly webhook?: string; readonly state?: DeliveryState },
    page?: Page,
  ): Promise<DeliveryPage>;
  /** From now on scans and tells what is due, as a service does. Stop it before the application is closed. */
  startWatching(): Pick<Runner, "stop">;
}

interface WatchParts {
  readonly store: Pick<Store, "watches" | "webhooks">;
  readonly clock: () => Date;
  readonly everyHours: number;
  readonly reservedNames: readonly string[];
  /** Of the door through which messages go. */
  readonly policy: Pick<Policy, "refusal" | "remedy">;
  /** Sends a message once; the last argument counts the attempts. */
  readonly send: (outgoing: Outgoing, signal: AbortSignal, attempts: number) => Promise<Attempt>;
  /** An id that nobody can guess: the prefix and as many characters. */
  readonly makeId: (prefix: string, length: number) => string;
  readonly start: () => Pick<Runner, "stop">;
  /** There may be something to scan. */
  readonly wake: () => void;
}

const MOST_WATCHES = 1_000;
const MOST_WEBHOOKS = 20;
const MOST_URL = 2_048;
const PAGE = 20;
const GRACE_SECONDS = 86_400;
/** Should we end while a test is sent, it is sent again then. */
const TEST_AGAIN_SECONDS = 600;

export function createWatchService(parts: WatchParts): {
  readonly verbs: WatchService;
  /** What the operator should look at. */
  readonly alarms: () => Promise<string[]>;
} {
  const { watches, webhooks } = parts.store;
  const nameOf = (domain: string) => parseDomain(domain, parts.reservedNames).name;
  const paged = ({ limit = PAGE, cursor }: Page = {}) => ({ limit, ...(cursor === undefined ? {} : { cursor }) });

  const verbs: WatchService = {
    async watch(domain, how = {}) {
      const watch = await watches.put(nameOf(domain), how, { everyHours: parts.everyHours, most: MOST_WATCHES });
      if (!watch) throw new Failure("watch.limit", `At most ${MOST_WATCHES} domains are watched; remove one first.`);
      parts.wake();
      return watch;
    },
    async unwatch(domain) {
      const name = nameOf(domain);
      const watch = await watches.remove(name);
      if (!watch) throw new Failure("watch.not_found", `${name} is not watched; list the watches to find what is.`);
      return watch;
    },
    listWatches: (page) => watches.list(paged(page)),
    async listChanges({ domain, since } = {}, page) {
      return await watches.changes(
        { ...(domain === undefined ? {} : { domain: nameOf(domain) }), ...(since ? { since: instantOf(since) } : {}) },
        paged(page),
      );
    },

    async addWebhook(url) {
      const parsed = readTarget(url, parts.policy);
      // Told twice under two ids, a change would look like two to the receiver.
      const known = (await webhooks.list()).find((one) => one.url === parsed.href);
      if (known) {
        throw new Failure(
          "webhook.exists",
          `${known.id} is told at this address already; rotate its secret if it was lost, or remove it first.`,
        );
      }
      const secret = makeSecret();
      const webhook = await webhooks.add({ id: parts.makeId("wh_", 20), url: parsed.href, secret }, MOST_WEBHOOKS);
      if (!webhook)
        throw new Failure("webhook.limit", `At most ${MOST_WEBHOOKS} endpoints are told; remove one first.`);
      return { ...webhook, secret };
    },
    listWebhooks: () => webhooks.list(),
    removeWebhook: async (id) => found(await webhooks.remove(id)),
    async rotateWebhook(id) {
      const secret = makeSecret();
      return { ...found(await webhooks.rotate(id, secret, GRACE_SECONDS)), secret };
    },
    async testWebhook(id, signal = new AbortController().signal) {
      found((await webhooks.list()).find((webhook) => webhook.id === id));
      const message = parts.makeId("msg_", 24);
      await webhooks.deliver([
        {
          ...{ id: message, webhook: id, type: TEST, body: testMessage(parts.clock()) },
          waitSeconds: TEST_AGAIN_SECONDS,
        },
      ]);
      const outgoing = await webhooks.outgoing(message);
      if (!outgoing) throw gone();
      const { againInSeconds: _, ...result } = await parts.send(outgoing, signal, 1);
      const state = result.state === "waiting" ? "failed" : result.state;
      const delivery = await webhooks.attempted(message, { ...result, state, againInSeconds: null });
      if (!delivery) throw gone();
      return delivery;
    },
    listDeliveries: (filter = {}, page) => webhooks.deliveries(filter, paged(page)),
    startWatching: parts.start,
  };

  return {
    verbs,
    async alarms() {
      const failing = (await webhooks.list()).filter(({ state }) => state !== "active");
      return failing.map(({ id, state }) =>
        state === "disabled"
          ? `Webhook ${id} wants no more messages (410) and is disabled; remove it, or test it.`
          : `Webhook ${id} does not take its messages; list the deliveries to see why.`,
      );
    },
  };
}

/**
 * Judges all that can be told without a look-up; a name is judged again by its addresses whenever a message is sent.
 *
 * @throws Failure `webhook.invalid`
 */
function readTarget(url: string, policy: WatchParts["policy"]): URL {
  const isTooLong = url.length > MOST_URL;
  const parsed = isTooLong ? null : URL.parse(url.trim());
  if (!parsed) {
    const why = isTooLong ? `longer than ${MOST_URL} characters` : "not a URL";
    throw notTold("Give an http or https URL, such as https://hooks.acme.com/casefile.", why);
  }
  const refusal = policy.refusal(parsed);
  if (refusal === null) return parsed;
  const remedy = policy.remedy(parsed);
  const wider = remedy === null ? "" : ` The setting ${SETTINGS[remedy]} can allow it.`;
  throw notTold(`Give an http or https URL that may be reached: ${refusal}.${wider}`, refusal);
}

const SETTINGS = { allowCidrs: "net.allow_cidrs", extraPorts: "net.extra_ports" };

const notTold = (advice: string, why: string) =>
  new Failure("webhook.invalid", advice, { problems: [{ pointer: "/url", detail: `Cannot be used: ${why}.` }] });

const gone = () => new Failure("webhook.not_found", "No webhook has this id; list the webhooks to find it.");

function found<T>(webhook: T | undefined): T {
  if (webhook === undefined) throw gone();
  return webhook;
}

/** @throws Failure `query.invalid` */
function instantOf(text: string): string {
  const instant = parseIsoInstant(text);
  if (instant !== undefined) return instant;
  throw new Failure("query.invalid", "Give since as a day or an instant, such as 2026-05-04.", {
    problems: [{ pointer: "/since", detail: "Give a day or an instant, such as 2026-05-04." }],
  });
}

interface WatchOptions {
  readonly config: Config;
  readonly store: Store;
  readonly settings: NetworkSettings;
  readonly catalogue: Catalogue;
  readonly enrich: DetectionService["enrich"];
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
  const door = openNetworkClient({
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
      .update(
        JSON.stringify([options.version, config.scan.minConfidence, config.sources, [...catalogue.tools.values()]]),
      )
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
      queue: store.webhooks,
      handlers: { webhook: deliverDue({ ...sending, webhooks: store.webhooks }) },
      // An endpoint gets one message at a time, so none waits for another that is slow.
      concurrency: MOST_WEBHOOKS,
    });
    const running = startRunner({
      ...common,
      queue: store.watches,
      handlers: {
        watch: rescan({
          store,
          scan: (domain, signal) => options.enrich(domain, { maxAgeSeconds: 0, signal }),
          rules,
          needs: (id) => catalogue.tools.get(id)?.requires ?? [],
          makeId: () => makeId("msg_", 24),
          random,
          changed: () => deliveries.wake(),
        }),
      },
      concurrency: config.watch.concurrency,
    });
    scans = running;
    return {
      async stop() {
        await Promise.all([running.stop(), deliveries.stop()]);
      },
    };
  };

  return {
    ...createWatchService({
      ...{ store, clock, makeId, start },
      wake: () => scans?.wake(),
      everyHours: config.watch.everyHours,
      reservedNames: config.scan.allowedReservedTlds,
      policy: door.policy,
      send: (outgoing, signal, attempts) => attempt(sending, outgoing, attempts, signal),
    }),
    close: () => door.close(),
  };
}
