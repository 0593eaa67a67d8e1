import type { ToolChange } from "../vocabulary/watch.ts";

export const TOOLS_CHANGED = "domain.tools_changed";
export const TEST = "webhook.test";

/** Tools of each kind that a message tells; about 80 kB. */
const MOST_TOOLS = 100;

/** What a change is told as: the body of a message, which is signed as it is. */
export function changesMessage(
  domain: string,
  at: string,
  { changes, toolsDetected }: { readonly changes: readonly ToolChange[]; readonly toolsDetected: number },
): string {
  const told = (kind: ToolChange["change"]) =>
    changes
      .filter(({ change }) => change === kind)
      .slice(0, MOST_TOOLS)
      .map(({ change: _, ...tool }) => tool);
  const [appeared, disappeared] = [told("appeared"), told("disappeared")];
  return JSON.stringify({
    type: TOOLS_CHANGED,
    timestamp: at,
    data: {
      domain,
      appeared,
      disappeared,
      omitted: changes.length - appeared.length - disappeared.length,
      tools_detected: toolsDetected,
      scanned_at: at,
    },
  });
}

export const testMessage = (at: Date): string => JSON.stringify({ type: TEST, timestamp: at.toISOString(), data: {} });
