import type { Command } from "commander";
import type { SourceHealth } from "../../app/app.ts";
import { minuteOf } from "./details.ts";
import type { CliHost } from "./host.ts";
import { jsonText, table } from "./table.ts";
import { withApp } from "./with-app.ts";

/** `casefile sources`: how each way of looking fared in the latest scans, and what it asks outside. */
export function addSources(program: Command, host: CliHost): Command {
  const sources = program
    .command("sources")
    .description("Tell how each way of looking fared in the latest scans, and which outside services are off.")
    .option("--json", "print the same JSON as GET /admin/sources");
  sources.action((flags: { json?: boolean }) =>
    withApp(host, sources.opts(), async (app) => {
      const health = await app.sourceHealth();
      const text = [
        table(SOURCES, health.sources.map(rowOf), host.columns),
        `${health.scans} scans were looked at.`,
      ].join("\n");
      host.out(`${flags.json ? jsonText(health) : text}\n`);
    }),
  );
  return sources;
}

const SOURCES = [
  { title: "SOURCE" },
  { title: "OK" },
  { title: "EMPTY" },
  { title: "TIMEOUT" },
  { title: "FAILED" },
  { title: "SKIPPED" },
  { title: "MEDIAN" },
  { title: "OFF" },
  { title: "LAST FAULT (UTC)", yields: true },
];

function rowOf({ source, ok, empty, timeout, failed, skipped, median_ms, services, last_fault }: SourceHealth) {
  const off = services.filter(({ state }) => state === "off");
  const fault = last_fault && [minuteOf(last_fault.scanned_at), last_fault.domain, last_fault.detail ?? ""].join(" ");
  return [
    source,
    ...[ok, empty, timeout, failed, skipped].map(String),
    median_ms === null ? "" : `${median_ms} ms`,
    off.length === 0 ? "" : `${off.length} of ${services.length}`,
    fault ?? "",
  ];
}
