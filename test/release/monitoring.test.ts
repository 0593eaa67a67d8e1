import { expect, test } from "bun:test";
import { join } from "node:path";
import { createMetrics } from "../../src/health/metrics.ts";
import { openFakeApp } from "../services/fake-app.ts";

const FOLDER = join(import.meta.dir, "../../deploy/monitoring");
const read = (name: string) => Bun.file(join(FOLDER, name)).text();

test.each(["alerts.yml", "alerts.test.yml", "grafana-dashboard.json"])(
  "%s reads metrics that the service has",
  async (name) => {
    const app = await openFakeApp({});
    const text = await createMetrics({ ...app, version: "1.2.3" }).text();
    await app.close();
    const known = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, metric = "", type]) =>
        type === "histogram" ? [`${metric}_bucket`, `${metric}_sum`, `${metric}_count`] : [metric],
      ),
    );
    const used = new Set((await read(name)).match(/\bcasefile_[a-z_]+/g));
    expect(used.size).toBeGreaterThan(2);
    expect([...used].filter((metric) => !known.has(metric))).toEqual([]);
  },
);

test.skipIf(Bun.which("promtool") === null)("promtool accepts the alerts and their tests", async () => {
  for (const [command, file] of [
    ["check", "alerts.yml"],
    ["test", "alerts.test.yml"],
  ] as const) {
    const child = Bun.spawn(["promtool", command, "rules", file], { cwd: FOLDER, stdout: "pipe", stderr: "pipe" });
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
  }
});

test("each alert has a severity, and says what happened and what to do", async () => {
  const { groups } = Bun.YAML.parse(await read("alerts.yml")) as {
    groups: { rules: { alert: string; labels: { severity: string }; annotations: Record<string, string> }[] }[];
  };
  for (const { labels, annotations } of groups.flatMap(({ rules }) => rules)) {
    expect(labels.severity).toMatch(/^(?:critical|warning)$/);
    expect(Object.keys(annotations).sort()).toEqual(["description", "summary"]);
  }
});

test("the panels of the dashboard do not overlap, and each has a query", async () => {
  const { panels } = JSON.parse(await read("grafana-dashboard.json")) as {
    panels: { gridPos: { x: number; y: number; w: number; h: number }; targets: { expr: string }[] }[];
  };
  const taken = new Set<string>();
  for (const {
    gridPos: { x, y, w, h },
    targets,
  } of panels) {
    expect(targets.length).toBeGreaterThan(0);
    for (let column = x; column < x + w; column += 1)
      for (let row = y; row < y + h; row += 1) {
        expect(taken.has(`${column},${row}`)).toBe(false);
        taken.add(`${column},${row}`);
      }
  }
});
