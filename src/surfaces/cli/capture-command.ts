import type { Command } from "commander";
import type { CliHost } from "./host.ts";
import { createProgress } from "./progress.ts";

/** `casefile capture`: everything that a visit sees, as one file that detection can run on later, elsewhere. */
export function addCapture(program: Command, host: CliHost): Command {
  const command = program
    .command("capture")
    .description("Visit a company and write all that was seen as one snapshot file.")
    .argument("<domain>", "company domain, such as acme.com")
    .option("-o, --output <file>", "where to write; standard output by default")
    .addHelpText("after", "\nExample:\n  casefile capture acme.com -o acme.json");
  return command.action(async (domain: string, flags: { output?: string }) => {
    const app = await host.open(command.opts(), { inMemory: true });
    const progress = createProgress(host, domain);
    try {
      const snapshot = await app.capture(domain, {
        signal: host.signal,
        onProgress: ({ phase, detections }) => progress.step(phase, detections.length),
      });
      const text = app.write(snapshot);
      progress.end();
      if (flags.output === undefined || flags.output === "-") return host.out(text);
      await host.writeFile(flags.output, text);
      host.err(
        `${flags.output}: ${snapshot.dns.length} DNS answers, ${snapshot.http.length} HTTP exchanges, ${snapshot.certificates.length} certificates of ${snapshot.domain}\n`,
      );
    } finally {
      progress.end();
      await app.close();
    }
  });
}
