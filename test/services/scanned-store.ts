import { openStore, type Store } from "../../src/store.ts";
import { SCANNED_AT, seenOf } from "./fake-app.ts";

/** A store with a scan of `acme.test` that detects Widget and has an unmatched signal. */
export async function scannedStore(clock = () => new Date(SCANNED_AT)): Promise<Store> {
  const store = await openStore({ dataDir: ":memory:", clock });
  const { first_seen: _, last_seen: __, product_of: ___, roles: ____, ...widget } = seenOf("Widget", "Analytics");
  await store.scans.save({
    domain: "acme.test",
    report: { domain: "acme.test", detections: [widget], sources: [], scanned_at: SCANNED_AT, duration_ms: 5 },
  });
  await store.discovery.replace("acme.test", SCANNED_AT, [
    { kind: "script", value: "stranger.test", example: "cdn.stranger.test" },
    { kind: "verification", value: "stranger-verify=", example: "stranger-verify=" },
  ]);
  return store;
}
