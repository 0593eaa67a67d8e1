import type { Command } from "commander";
import type { CliHost } from "../cli/host.ts";
import { loadLicences } from "./licences.ts";

/** `casefile licenses`: the licences of the program and of its parts. */
export function addLicenceCommand(program: Command, host: CliHost): void {
  program
    .command("licenses")
    .alias("licences")
    .description("Print the licences of Casefile and its third-party components.")
    .action(async () => {
      const text = await loadLicences();
      async function* whole() {
        yield text;
      }
      await host.write(undefined, whole());
    });
}
