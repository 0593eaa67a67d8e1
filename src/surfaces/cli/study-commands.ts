import { type Command, Option } from "commander";
import type { App } from "../../app/app.ts";
import type { CliHost } from "./host.ts";
import { createCounter } from "./progress.ts";
import { withApp } from "./with-app.ts";

type Flags = Readonly<Record<string, unknown>>;

/** `casefile export` and `reindex`. */
export function addStudies(program: Command, host: CliHost): Command[] {
  const using = (flags: Flags, work: (app: App) => Promise<void>) => withApp(host, flags, work, { starter: true });

  const exporting = program
    .command("export")
    .description("Write every case study as text that can be imported again.")
    .option("-o, --output <file>", "where to write; standard output by default")
    .addOption(new Option("--format <format>", "of the text").choices(["jsonl", "csv"]).default("jsonl"));
  exporting.action((flags: { output?: string; format: "jsonl" | "csv" }) =>
    using(exporting.opts(), async (app) => {
      await host.write(flags.output, app.exportStudies(flags.format));
    }),
  );

  const reindex = program.command("reindex").description("Build the search index anew; searches go on meanwhile.");
  reindex.action(() =>
    using(reindex.opts(), async (app) => {
      const progress = createCounter(host, "indexed");
      const done = await app.reindex({ onProgress: (count) => progress.count(count), signal: host.signal });
      progress.end();
      host.out(`${done} case studies are indexed.\n`);
    }),
  );
  return [exporting, reindex];
}
