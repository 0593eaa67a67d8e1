import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Detection, Evidence } from "../vocabulary/scan.ts";
import { SIGNALS } from "../vocabulary/signal.ts";
import { chanceOf, confidenceOf } from "./ledger.ts";
import { IMPLIES } from "./relations.ts";
import { LOWEST_THRESHOLD } from "./weights.ts";

/**
 * Detections that were stored, without what rules tell that were suppressed since, as the next scan will tell them: a
 * tool without another proof goes, and so does what it alone implied.
 *
 * @param suppressed `TOOL-ID/RULE-ID`
 * @param threshold tools below it go
 */
export function withoutRules<Told extends Detection>(
  detections: readonly Told[],
  suppressed: ReadonlySet<string>,
  catalogue: Catalogue,
  threshold: number,
): readonly Told[] {
  const gone = new Set(suppressed);
  let left = detections;
  for (let before = -1; gone.size !== before; ) {
    before = gone.size;
    left = left.flatMap((detection) => {
      const evidence = detection.evidence.filter(({ rule }) => !gone.has(rule));
      if (evidence.length === detection.evidence.length) return [detection];
      const confidence = Math.min(detection.confidence, confidenceIn(detection, evidence, catalogue));
      if (confidence >= Math.max(threshold, LOWEST_THRESHOLD)) return [{ ...detection, evidence, confidence }];
      gone.add(`${detection.id}/${IMPLIES}`);
      return [];
    });
  }
  return left;
}

/** What stands as implied was judged before and holds as long as it stands. */
function confidenceIn(detection: Detection, evidence: readonly Evidence[], catalogue: Catalogue): number {
  if (evidence.some(({ signal }) => signal === "implied")) return detection.confidence;
  const rules = new Map(catalogue.tools.get(detection.id)?.rules.map((rule) => [`${detection.id}/${rule.id}`, rule]));
  return confidenceOf(
    evidence.flatMap(({ signal, strength, rule }) =>
      signal === "implied"
        ? []
        : [
            {
              family: SIGNALS[signal].family,
              chance: chanceOf(strength, signal),
              means: rules.get(rule)?.means ?? detection.means,
            },
          ],
    ),
  );
}
