import type { Command } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { details, jsonText } from "../../cli/table.ts";
import type { IndexService } from "../index/service.ts";
import { indexNow } from "../index-now.ts";
import type { StarterService, StarterStatus } from "./service.ts";

/** `casefile starter`: the case studies that come with a release. */
export function addStarterCommands(
  program: Command,
  host: CliHost<{ starter: StarterService; index: IndexService }>,
): Command[] {
  const starter = program.command("starter").description("Show, remove and restore the built-in case studies.");

  const status = starter
    .command("status", { isDefault: true })
    .description("Show how many built-in case studies are in the index.")
    .option("--json", "print JSON");
  status.action((flags: { json?: boolean }) =>
    withApp(host, status.opts(), async (app) => {
      const result = await app.starter.status();
      host.out(`${flags.json ? jsonText(result) : statusText(result)}\n`);
    }),
  );

  const remove = starter
    .command("remove")
    .description("Remove the built-in case studies permanently. Imported and crawled case studies are kept.");
  remove.action(() =>
    withApp(host, remove.opts(), async (app) => {
      const removed = await app.starter.remove();
      await indexNow(app, host);
      host.out(`${removed} removed. To restore them: casefile starter restore\n`);
    }),
  );

  const restore = starter
    .command("restore")
    .description("Restore all built-in case studies, including those removed one by one. Corrections are kept.");
  restore.action(() =>
    withApp(host, restore.opts(), async (app) => {
      const changed = await app.starter.restore();
      await indexNow(app, host);
      host.out(`${changed} restored.\n`);
    }),
  );
  return [status, remove, restore];
}

const STATES: Readonly<Record<StarterStatus["state"], string>> = {
  absent: "not loaded yet",
  current: "up to date",
  outdated: "from another release; updated at the next start",
  removed: "removed",
};

function statusText({ state, enabled, records, kept, left_out, corrected, replaced }: StarterStatus): string {
  const unlessZero = (count: number) => (count === 0 ? null : String(count));
  return details([
    ["State", enabled ? STATES[state] : `${STATES[state]}; disabled in the configuration`],
    ["In this release", String(records)],
    ["In the index", String(kept)],
    ["Corrected", unlessZero(corrected)],
    ["Removed individually", unlessZero(left_out)],
    ["Replaced by imported or crawled", unlessZero(replaced)],
  ]);
}
