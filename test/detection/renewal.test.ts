import { expect, test } from "bun:test";
import { networkSettings } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { Catalogue } from "../../src/detection/fingerprints/catalogue.ts";
import { createRenewal } from "../../src/detection/renewal.ts";
import { createDetectionService } from "../../src/detection/service.ts";
import { openNetworkClient } from "../../src/net/client.ts";
import type { Snapshot } from "../../src/net/snapshot.ts";
import { createStackService } from "../../src/stack/service.ts";
import { openStore } from "../../src/store.ts";
import { catalogueOf, hosted } from "./catalogue-of.ts";

const page = (domain: string, day: number, origin: string): Snapshot => ({
  ...{ format: "casefile-snapshot", version: 1, domain, captured_at: `2026-05-0${day}T00:00:00.000Z`, origin },
  ...{ dns: [], certificates: [], requests: [], zone: false },
  http: [
    {
      ...{ method: "GET", url: `https://${domain}/`, status: "ok", code: 200 },
      headers: [["content-type", "text/html"]],
      body: '<title>Company</title><script src="https://js.widget.test/v1.js"></script>',
    },
  ],
});

test("under a new catalogue stored snapshots are analysed again, and history and index follow", async () => {
  const store = await openStore({ dataDir: ":memory:" });
  const config = loadConfig({ flags: { scanAllowedReservedTlds: "test" }, env: {}, readFile: () => undefined });
  const network = openNetworkClient(networkSettings(config, "0"));
  const failed = (task: string, error: unknown) => {
    throw new Error(task, { cause: error });
  };
  const under = (rules: string, catalogue: Catalogue) => {
    const detection = createDetectionService({
      ...{ network, dataSources: config.sources, catalogue, scans: store.scans, discovery: store.discovery },
      ...{ feedback: store.feedback, settings: config.scan, agent: "casefile 0", rules: () => rules, now: Date.now },
      onBug: failed,
      onUnsaved() {},
      onScan() {},
    });
    const { scans, settings, jobs, feedback } = store;
    const renewal = createRenewal({ detection, scans, settings, jobs, rules: () => rules, onError: failed });
    const stack = createStackService({
      ...{ stack: store.stack, scans, feedback, catalogue, allowedReservedTlds: ["test"], onError: failed },
      minConfidence: config.scan.minConfidence,
    });
    return { detection, renewal, stack };
  };
  const waiting = async () => (await store.jobs.counts()).waiting;
  const old = under("1", catalogueOf(hosted("gadget")));
  await old.renewal.queueDue();
  await old.detection.analyse(page("acme.test", 1, "casefile 0"), { keep: true });
  await old.detection.analyse(page("acme.test", 3, "casefile 0"), { keep: true });
  await old.detection.analyse(page("brightpine.test", 2, "warc"), { keep: true });
  await old.renewal.queueDue();
  expect(await waiting()).toBe(0);
  expect((await old.stack.search({ all: ["gadget"] })).total).toBe(0);

  const renewed = under("2", catalogueOf(hosted("gadget"), hosted("widget")));
  await renewed.renewal.queueDue();
  await renewed.renewal.queueDue();
  expect(await waiting()).toBe(1);
  const [run] = Object.values(renewed.renewal.handlers);
  const job = { id: 1, kind: "scans.renew", subject: "2", payload: {}, attempts: 1 };
  await run?.(job as never, new AbortController().signal);

  const { domains } = await renewed.stack.search({ all: ["widget"] });
  expect(domains.map(({ domain, matched }) => [domain, matched[0]?.first_seen, matched[0]?.last_seen])).toEqual([
    ["acme.test", "2026-05-01", "2026-05-03"],
    ["brightpine.test", "2026-05-02", "2026-05-02"],
  ]);
  const { observations, changes } = await renewed.stack.history("acme.test");
  expect([observations, changes]).toEqual([2, []]);
  expect(await store.scans.history("acme.test", 10)).toHaveLength(2);
  await store.jobs.claim(["scans.renew"], 30);
  await renewed.renewal.queueDue();
  expect(await waiting()).toBe(0);
});
