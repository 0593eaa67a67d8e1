import type { Command } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { details, jsonText } from "../../cli/table.ts";
import type { Services } from "../../compose.ts";
import { indexNow } from "../index-now.ts";
import type { StarterStatus } from "./service.ts";

/** `casefile starter`: the case studies that come with the program. */
export function addStarter(program: Command, host: CliHost<Services>): Command[] {
  const starter = program
    .command("starter")
    .description("See, remove and restore the case studies that come with the program.");

  const status = starter
    .command("status", { isDefault: true })
    .description("Tell what of them is in the index.")
    .option("--json", "print JSON");
  status.action((flags: { json?: boolean }) =>
    withApp(host, status.opts(), async (app) => {
      const told = await app.starter.starterStatus();
      host.out(`${flags.json ? jsonText(told) : statusText(told)}\n`);
    }),
  );

  const remove = starter.command("remove").description("Remove them for good; what you imported or had crawled stays.");
  remove.action(() =>
    withApp(host, remove.opts(), async (app) => {
      const removed = await app.starter.removeStarter();
      await indexNow(app, host);
      host.out(`${removed} removed; casefile starter restore brings them back.\n`);
    }),
  );

  const restore = starter
    .command("restore")
    .description("Take them all in again, those too that were removed one by one; corrections hold.");
  restore.action(() =>
    withApp(host, restore.opts(), async (app) => {
      const changed = await app.starter.restoreStarter();
      await indexNow(app, host);
      host.out(`${changed} restored.\n`);
    }),
  );
  return [status, remove, restore];
}

const STATES: Readonly<Record<StarterStatus["state"], string>> = {
  absent: "not taken in yet",
  current: "up to date",
  outdated: "of another release; brought up to date at the next start",
  removed: "removed",
};

function statusText({ state, enabled, records, kept, left_out, corrected, replaced }: StarterStatus): string {
  const some = (count: number) => (count === 0 ? null : String(count));
  return details([
    ["State", enabled ? STATES[state] : `${STATES[state]}; turned off in the settings`],
    ["Come with this release", String(records)],
    ["In the index", String(kept)],
    ["Corrected", some(corrected)],
    ["Removed one by one", some(left_out)],
    ["Replaced by your own", some(replaced)],
  ]);
}
