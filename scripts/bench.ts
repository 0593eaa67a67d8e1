/** Measures speed: `bun run bench detection`. Medians of several runs; the machine's noise is shown as p95. */
import { benchDetection } from "./bench/detection.ts";

const [subject] = process.argv.slice(2);
if (subject !== "detection") {
  console.error("usage: bun run bench detection");
  process.exit(2);
}
benchDetection();
