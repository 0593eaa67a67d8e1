import { type Baseline, compare } from "../detection/compare.ts";
import type { DetectionService } from "../detection/service.ts";
import type { Handler } from "../jobs/runner.ts";
import type { WatchRepository, WebhookRepository } from "./repository.ts";
import { changesMessage, TOOLS_CHANGED } from "./webhooks.ts";

export interface RescanOptions {
  readonly watches: Pick<WatchRepository, "find" | "recordScan">;
  readonly webhooks: Pick<WebhookRepository, "list" | "enqueue">;
  /** Lists the false positives that the operator reported for a domain. */
  readonly falsePositives: (domain: string) => Promise<readonly { readonly tool_id: string }[]>;
  readonly enrich: DetectionService["enrich"];
  /** Digest of everything that decides which tools a scan detects. */
  readonly rules: () => string;
  /** Tools without which a tool is not detected. */
  readonly requires: (toolId: string) => readonly string[];
  readonly makeMessageId: () => string;
  /** 0–1, for the jitter. */
  readonly random: () => number;
  /** Called when deliveries were added. */
  readonly onChange: () => void;
}

/** Up to 5% is added to each interval, so that watches added together spread out. */
const MAX_JITTER = 1 / 20;

/** Handles a due watch: rescans the domain, stores the changes and queues a message for every active webhook. */
export const rescan =
  ({ watches, webhooks, enrich, random, ...options }: RescanOptions): Handler =>
  async ({ payload }, signal) => {
    const found = await watches.find(String(payload.domain));
    if (!found || found.watch.paused) return undefined;
    const { domain } = found.watch;
    const scan = await enrich(domain, { maxAgeSeconds: 0, acceptStale: false, signal });
    const { baseline, changes, isFirst, needsVerification } = compare(parseBaseline(found.baseline), scan, {
      rules: options.rules(),
      falsePositives: new Set((await options.falsePositives(domain)).map(({ tool_id }) => tool_id)),
      requires: options.requires,
    });
    const at = new Date(scan.scanned_at).toISOString();
    const toolsDetected = scan.detections.length;
    const body = changesMessage(domain, at, { changes, toolsDetected });
    const active = (await webhooks.list()).filter(({ state }) => state !== "disabled");
    const deliveries = active.map(({ id }) => ({
      id: options.makeMessageId(),
      webhook: id,
      type: TOOLS_CHANGED,
      body,
    }));
    signal.throwIfAborted();
    await watches.recordScan(
      domain,
      {
        at,
        previousAt: found.watch.last_scan_at,
        outcome: isFirst ? "baseline" : changes.length > 0 ? "changed" : "unchanged",
        toolsDetected,
        baseline,
        changes,
        needsVerification,
        intervalFactor: 1 + random() * MAX_JITTER,
      },
      (transaction) => webhooks.enqueue(deliveries, transaction),
    );
    if (changes.length > 0) options.onChange();
    return undefined;
  };

/** A stored value of another shape is ignored: the scan becomes a new baseline. */
function parseBaseline(value: unknown): Baseline | null {
  const isBaseline = (stored: unknown): stored is Baseline =>
    typeof stored === "object" && stored !== null && "rules" in stored && "coverage" in stored && "tools" in stored;
  return isBaseline(value) ? value : null;
}
