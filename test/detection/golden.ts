import type { DetectionService } from "../../src/detection/service.ts";
import { quarrystone } from "../box/companies/quarrystone.ts";
import { EXAMPLE_PATH } from "../box/example.ts";
import { snapshotOf } from "../box/snapshot-of.ts";
import { openBoxed } from "./boxed.ts";

/**
 * The tools reported for the two invented companies, as text for review when the catalogue changes.
 * Update it with `npx bun test/detection/golden.ts`, and review the difference before you commit it.
 */

/** `Category / Tool`, with its confidence. */
export type Golden = Readonly<Record<string, number>>;

const ADDRESS = "192.0.2.21";
const root = new URL("../..", import.meta.url);

export const COMPANIES = ["harbourline", "quarrystone"] as const;
export const goldenFile = (company: string) => Bun.file(new URL(`test/detection/golden/${company}.json`, root));

/** Analyses the example in the repository, and a generated recording of the other company. */
export async function goldenOf(company: (typeof COMPANIES)[number], verbs: DetectionService): Promise<Golden> {
  const snapshot =
    company === "harbourline"
      ? verbs.read(await Bun.file(new URL(EXAMPLE_PATH, root)).text(), { name: EXAMPLE_PATH, capturedAt: EPOCH })
      : snapshotOf(quarrystone({ top: "example", address: ADDRESS }), {
          address: ADDRESS,
          at: new Date("2026-11-02T09:00:00Z"),
          origin: "casefile 0.1.0",
        });
  const { detections } = await verbs.analyse(snapshot);
  return Object.fromEntries(detections.map(({ category, tool, confidence }) => [`${category} / ${tool}`, confidence]));
}

/** Every recording contains its time. */
const EPOCH = new Date(0).toISOString();

if (import.meta.main) {
  const boxed = await openBoxed({});
  for (const company of COMPANIES) {
    await goldenFile(company).write(`${JSON.stringify(await goldenOf(company, boxed), null, 2)}\n`);
  }
  await boxed.close();
}
