import type { Command } from "commander";
import type { CliHost } from "./host.ts";
import { jsonText } from "./table.ts";
import { withApp } from "./with-app.ts";

/** `casefile operator`: a new token in place of one that was lost, or that somebody saw. */
export function addOperator(program: Command, host: CliHost): Command {
  const operator = program.command("operator").description("Look after the token that opens /admin and the console.");
  const reset = operator
    .command("reset-token")
    .description("Make a new operator token and show it this once; the former one and its sessions end at once.")
    .option("--json", "print JSON");
  reset.action(() =>
    withApp(host, reset.opts(), async (app) => {
      const made = await app.operator.replaceOperatorToken();
      const told =
        "Keep it: only a hash is stored. The former token no longer counts, and its sessions in the console end.";
      host.out(`${reset.opts().json ? jsonText(made) : `${made.token}\n${told}`}\n`);
    }),
  );
  return reset;
}
