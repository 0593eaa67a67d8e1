import { openStore } from "../../src/store.ts";
import { reportOf } from "./examples.ts";

/** Runs while another process has the store open: prints a setting and saves scans. */

const store = await openStore({ dataDir: process.argv[2] ?? "", clock: () => new Date() });
process.stdout.write((await store.settings.find("colour")) ?? "");
for (let index = 0; index < 50; index++) {
  const report = reportOf(new Date().toISOString(), "one", "two");
  await store.scans.save({ domain: `second-${index}.example`, report });
}
await store.close();
