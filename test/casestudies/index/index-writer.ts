import { openPassageIndex } from "../../../src/casestudies/index/passage-index.ts";
import { DIMENSIONS, studyRows } from "./passage-examples.ts";

/** Upserts batches until it is killed: `bun index-writer.ts DIR`. Says `N` when batch N was kept. */

const dir = process.argv[2] ?? "";
const index = await openPassageIndex({ dir, dimensions: DIMENSIONS, model: "a", clock: () => new Date() });
for (let batch = 0; ; batch++) {
  const rows = Array.from({ length: 10 }, (_, at) => studyRows(`study-${batch * 10 + at}`, batch * 100 + at * 10, 3));
  await index.upsert(rows.flat());
  process.stdout.write(`${batch}\n`);
  if (batch % 4 === 3) await index.optimise();
}
