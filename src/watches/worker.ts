import type { Handler } from "../jobs/runner.ts";
import type { Store } from "../store.ts";
import { type CompareOptions, compare, type Known, type Seen } from "./compare.ts";
import { changesMessage, TOOLS_CHANGED } from "./webhooks.ts";

export interface RescanParts {
  readonly store: Pick<Store, "watches" | "webhooks" | "feedback">;
  /** Scans anew. */
  readonly scan: (domain: string, signal: AbortSignal) => Promise<Seen & { readonly scanned_at: string }>;
  /** Digest of what judges a scan. */
  readonly rules: () => string;
  readonly needs: CompareOptions["needs"];
  readonly makeId: () => string;
  /** 0–1, for the jitter. */
  readonly random: () => number;
  /** There may be something to deliver. */
  readonly changed: () => void;
}

/** Up to a twentieth is added to each interval, so that what is watched from one hour on does not stay together. */
const MOST_STRETCH = 1 / 20;

/** Scans a watched domain anew, keeps what changed, and has it told. What the scan refuses is its failure. */
export const rescan =
  (parts: RescanParts): Handler =>
  async ({ payload }, signal) => {
    const { store, random } = parts;
    const found = await store.watches.find(String(payload.domain));
    if (!found || found.watch.paused) return undefined;
    const { domain } = found.watch;
    const scan = await parts.scan(domain, signal);
    const forgotten = new Set((await store.feedback.ofDomain(domain)).map(({ tool_id }) => tool_id));
    const { known, changes, baseline, unsure } = compare(knownIn(found.known), scan, {
      ...{ rules: parts.rules(), forgotten, needs: parts.needs },
    });
    const at = new Date(scan.scanned_at).toISOString();
    const toolsDetected = scan.detections.length;
    const body = changesMessage(domain, at, { changes, toolsDetected });
    const webhooks = (await store.webhooks.list()).filter(({ state }) => state !== "disabled");
    const deliveries = webhooks.map(({ id }) => ({ id: parts.makeId(), webhook: id, type: TOOLS_CHANGED, body }));
    signal.throwIfAborted();
    await store.watches.looked(
      domain,
      {
        ...{ at, follows: found.watch.last_scan_at, known, changes, toolsDetected, unsure },
        outcome: baseline ? "baseline" : changes.length > 0 ? "changed" : "unchanged",
        stretch: 1 + random() * MOST_STRETCH,
      },
      (transaction) => store.webhooks.deliver(deliveries, transaction),
    );
    if (changes.length > 0) parts.changed();
    return undefined;
  };

/** Our own JSON; of a row that something else wrote nothing is believed. */
function knownIn(value: unknown): Known | null {
  const isKnown = (known: unknown): known is Known =>
    typeof known === "object" && known !== null && "rules" in known && "looks" in known && "tools" in known;
  return isKnown(value) ? value : null;
}
