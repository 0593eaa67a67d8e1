import type { Command } from "commander";
import type { CliHost } from "../cli/host.ts";
import { loadLicences } from "./licences.ts";

/** `casefile licenses`: what the program is made of, and under which licence each part is. */
export function addLicenceCommand(program: Command, host: CliHost): void {
  program
    .command("licenses")
    .alias("licences")
    .description("Print the licences of this program and of everything in it.")
    .action(async () => {
      const text = await loadLicences();
      async function* whole() {
        yield text;
      }
      await host.write(undefined, whole());
    });
}
