import { randomText } from "../accounts/service.ts";
import { parseIsoInstant } from "../core/dates.ts";
import { parseDomain } from "../core/domain.ts";
import { Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import type { DetectionService } from "../detection/service.ts";
import { type Runner, startRunner } from "../jobs/runner.ts";
import type { NetworkClient } from "../net/client.ts";
import { assertNotOptedOut, type OptOuts } from "../net/opt-outs.ts";
import { POLICY_SETTINGS, type Policy } from "../net/policy.ts";
import type { WatchRepository, WebhookRepository } from "./repository.ts";
import type { ChangePage, Delivery, DeliveryPage, DeliveryState, Watch, WatchPage, Webhook } from "./types.ts";
import { BATCH_FINISHED, batchMessage, deliver, makeSecret, send, TEST, testMessage } from "./webhooks.ts";
import { type RescanOptions, rescan } from "./worker.ts";

/** A webhook with its secret, which is shown only once. */
interface IssuedWebhook extends Webhook {
  readonly secret: string;
}

interface PageOptions {
  /** 1–100, by default 20. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Domains that are scanned regularly, and the webhooks that are notified of changes. */
export interface WatchService {
  /**
   * Watches a domain or changes its watch; options that are undefined keep their values.
   *
   * @throws Failure `domain.invalid`, `domain.reserved`, `domain.opted_out`, `watch.limit`
   */
  watch(
    domain: string,
    options?: { readonly everyHours?: number | undefined; readonly paused?: boolean | undefined },
  ): Promise<Watch>;
  /** Returns the removed watch; its changes stay listed. @throws Failure `watch.not_found`, `domain.invalid` */
  unwatch(domain: string): Promise<Watch>;
  /** By domain. @throws Failure `cursor.invalid` */
  listWatches(page?: PageOptions): Promise<WatchPage>;
  /**
   * Newest first.
   *
   * @param filter `since`: a date or timestamp, ISO 8601
   * @throws Failure `cursor.invalid`, `query.invalid`, `domain.invalid`
   */
  listChanges(
    filter?: { readonly domain?: string | undefined; readonly since?: string | undefined },
    page?: PageOptions,
  ): Promise<ChangePage>;

  /** @throws Failure `webhook.invalid` for an address that is not allowed, `webhook.exists`, `webhook.limit` */
  addWebhook(url: string): Promise<IssuedWebhook>;
  /** Oldest first. */
  listWebhooks(): Promise<readonly Webhook[]>;
  /** Returns the removed webhook; its waiting deliveries are dropped. @throws Failure `webhook.not_found` */
  removeWebhook(id: string): Promise<Webhook>;
  /** Issues a new secret; the old one also signs for a day. @throws Failure `webhook.not_found` */
  rotateWebhook(id: string): Promise<IssuedWebhook>;
  /** Sends a test message once. A successful test activates the webhook. @throws Failure `webhook.not_found` */
  testWebhook(id: string, signal?: AbortSignal): Promise<Delivery>;
  /** Newest first. @throws Failure `cursor.invalid` */
  listDeliveries(
    filter?: { readonly webhook?: string | undefined; readonly state?: DeliveryState | undefined },
    page?: PageOptions,
  ): Promise<DeliveryPage>;
  /** Starts to scan due watches and to send due deliveries. Stop it before the services are closed. */
  startWatching(): Pick<Runner, "stop">;
}

export interface WatchServiceOptions {
  readonly watches: WatchRepository;
  readonly webhooks: WebhookRepository;
  readonly falsePositives: RescanOptions["falsePositives"];
  readonly detection: Pick<DetectionService, "enrich">;
  /** Sends the messages; closed with the service. */
  readonly network: Pick<NetworkClient, "http" | "policy" | "close">;
  readonly requires: RescanOptions["requires"];
  readonly rules: RescanOptions["rules"];
  readonly allowedReservedTlds: readonly string[];
  readonly optOuts?: OptOuts | undefined;
  /** The default interval. */
  readonly everyHours: number;
  /** Scans that run at the same time. */
  readonly concurrency: number;
  readonly clock: () => Date;
  readonly random?: () => number;
  readonly onError: (task: string, error: unknown) => void;
}

const MAX_WATCHES = 1_000;
const MAX_WEBHOOKS = 20;
const MAX_URL_LENGTH = 2_048;
const PAGE_SIZE = 20;
const OLD_SECRET_SECONDS = 86_400;
/** When the process ends while it sends a test, the delivery is sent again after this time. */
const TEST_RETRY_SECONDS = 600;
const POLL_MS = 2_000;

const makeId = (prefix: string, length: number) => `${prefix}${randomText(length)}`;
const makeMessageId = () => makeId("msg_", 24);

export function createWatchService(options: WatchServiceOptions): WatchService & {
  /** The id of the webhook with this id or URL. @throws Failure `webhook.not_found` */
  findWebhook(idOrUrl: string): Promise<string>;
  /** Queues the message about a finished batch; nothing when the webhook was removed or is disabled. */
  notifyBatchFinished(
    webhook: string,
    at: string,
    data: Readonly<Record<string, unknown>>,
    transaction: Parameters<WebhookRepository["enqueueOne"]>[1],
  ): Promise<void>;
  /** Sentences about webhooks that need the operator. */
  alarms(): Promise<string[]>;
  close(): void;
} {
  const { watches, webhooks, network, clock, random = Math.random } = options;
  const domainName = (domain: string) => parseDomain(domain, options.allowedReservedTlds).name;
  const pageOf = ({ limit = PAGE_SIZE, cursor }: PageOptions = {}) => ({ limit, cursor });
  let scans: Runner | undefined;
  let deliveries: Runner | undefined;

  return {
    async watch(domain, settings = {}) {
      const name = domainName(domain);
      await assertNotOptedOut(options.optOuts, name);
      const watch = await watches.put(name, settings, {
        everyHours: options.everyHours,
        max: MAX_WATCHES,
      });
      if (!watch) throw new Failure("watch.limit", `At most ${MAX_WATCHES} domains can be watched; remove one first.`);
      scans?.wake();
      return watch;
    },
    async unwatch(domain) {
      const name = domainName(domain);
      const watch = await watches.remove(name);
      if (!watch) throw new Failure("watch.not_found", `${name} is not watched; list the watches to see which are.`);
      return watch;
    },
    listWatches: (page) => watches.list(pageOf(page)),
    async listChanges({ domain, since } = {}, page) {
      const filter = {
        domain: domain === undefined ? undefined : domainName(domain),
        since: since === undefined ? undefined : parseSince(since),
      };
      return await watches.listChanges(filter, pageOf(page));
    },

    async addWebhook(url) {
      const { href } = parseTarget(url, network.policy);
      // A receiver would take the two messages of one change for two changes.
      const existing = (await webhooks.list()).find((webhook) => webhook.url === href);
      if (existing) {
        throw new Failure(
          "webhook.exists",
          `Webhook ${existing.id} already has this URL; rotate its secret if you lost it, or remove it first.`,
        );
      }
      const secret = makeSecret();
      const webhook = await webhooks.add({ id: makeId("wh_", 20), url: href, secret }, MAX_WEBHOOKS);
      if (!webhook)
        throw new Failure("webhook.limit", `At most ${MAX_WEBHOOKS} webhooks are allowed; remove one first.`);
      return { ...webhook, secret };
    },
    listWebhooks: () => webhooks.list(),
    removeWebhook: async (id) => assertFound(id, await webhooks.remove(id)),
    async rotateWebhook(id) {
      const secret = makeSecret();
      return { ...assertFound(id, await webhooks.rotate(id, secret, OLD_SECRET_SECONDS)), secret };
    },
    async testWebhook(id, signal = new AbortController().signal) {
      assertFound(
        id,
        (await webhooks.list()).find((webhook) => webhook.id === id),
      );
      const message = makeMessageId();
      const body = testMessage(clock());
      await webhooks.enqueue([{ id: message, webhook: id, type: TEST, body, waitSeconds: TEST_RETRY_SECONDS }]);
      const outgoing = assertFound(id, await webhooks.findOutgoing(message));
      const attempt = await send({ network, clock, random }, outgoing, 1, signal);
      const state = attempt.state === "waiting" ? "failed" : attempt.state;
      return assertFound(id, await webhooks.recordAttempt(message, { ...attempt, state, retryInSeconds: null }));
    },
    async findWebhook(idOrUrl) {
      const all = await webhooks.list();
      return assertFound(
        idOrUrl,
        all.find(({ id, url }) => id === idOrUrl || url === URL.parse(idOrUrl)?.href),
      ).id;
    },
    async notifyBatchFinished(webhook, at, data, transaction) {
      const body = batchMessage(at, data);
      await webhooks.enqueueOne({ id: makeMessageId(), webhook, type: BATCH_FINISHED, body }, transaction);
      deliveries?.wake();
    },
    listDeliveries: (filter = {}, page) => webhooks.listDeliveries(filter, pageOf(page)),

    startWatching() {
      const common = {
        pollMs: POLL_MS,
        random,
        onFailure({ kind, payload }: { kind: string; payload: object }, error: unknown) {
          // The watch itself shows an expected failure.
          if (!(error instanceof Failure)) options.onError(`${kind} of ${Object.values(payload)}`, error);
        },
        onQueueError: options.onError,
      };
      const sending = startRunner({
        ...common,
        queue: webhooks,
        handlers: { webhook: deliver(webhooks, { network, clock, random }) },
        // Each endpoint receives one message at a time, so a slow endpoint delays no other.
        concurrency: MAX_WEBHOOKS,
      });
      const running = startRunner({
        ...common,
        queue: watches,
        handlers: {
          watch: rescan({
            watches,
            webhooks,
            falsePositives: options.falsePositives,
            enrich: options.detection.enrich,
            rules: options.rules,
            requires: options.requires,
            makeMessageId,
            random,
            onChange: sending.wake,
          }),
        },
        concurrency: options.concurrency,
      });
      scans = running;
      deliveries = sending;
      return {
        async stop() {
          await Promise.all([running.stop(), sending.stop()]);
        },
      };
    },

    async alarms() {
      const failing = (await webhooks.list()).filter(({ state }) => state !== "active");
      return failing.map(({ id, state }) =>
        state === "disabled"
          ? `Webhook ${id} is disabled because its endpoint answered 410; remove it, or test it.`
          : `Webhook ${id} does not accept its messages; list the deliveries to see why.`,
      );
    },
    close: () => network.close(),
  };
}

/**
 * Checks all that can be checked without DNS; the addresses of a host name are checked whenever a message is sent.
 *
 * @throws Failure `webhook.invalid`
 */
function parseTarget(url: string, policy: Pick<Policy, "refusal" | "remedy">): URL {
  const isTooLong = url.length > MAX_URL_LENGTH;
  const parsed = isTooLong ? null : URL.parse(url.trim());
  if (!parsed) {
    const reason = isTooLong ? `longer than ${MAX_URL_LENGTH} characters` : "not a URL";
    throw invalidTarget(
      `${quoted(url)} is ${reason}: give an http or https URL, such as https://hooks.acme.com/casefile.`,
    );
  }
  const refusal = policy.refusal(parsed);
  if (refusal === null) return parsed;
  const remedy = policy.remedy(parsed);
  const advice =
    remedy === null ? " Give another http or https URL." : ` To allow it, change ${POLICY_SETTINGS[remedy]}.`;
  throw invalidTarget(`Cannot use this URL: ${refusal}.${advice}`);
}

const invalidTarget = (detail: string) =>
  new Failure("webhook.invalid", detail, { problems: [{ pointer: "/url", detail }] });

/** @throws Failure `webhook.not_found` */
function assertFound<T>(id: string, found: T | undefined): T {
  if (found === undefined)
    throw new Failure("webhook.not_found", `No webhook has the id ${quoted(id)}; list the webhooks to find it.`);
  return found;
}

/** @throws Failure `query.invalid` */
function parseSince(text: string): string {
  const instant = parseIsoInstant(text);
  if (instant !== undefined) return instant;
  const detail = `Unknown since ${quoted(text)}: give a date or a timestamp, such as 2026-05-04.`;
  throw new Failure("query.invalid", detail, { problems: [{ pointer: "/since", detail }] });
}
