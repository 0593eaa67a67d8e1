import type { Command } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { createLine } from "../cli/progress.ts";
import { jsonText, minuteOf, plain, table } from "../cli/table.ts";
import type { Services } from "../compose.ts";
import type { Restored } from "./restore.ts";
import type { BackupFiles, BackupWork } from "./service.ts";

export interface BackupHost extends CliHost<Services> {
  /** The archives for the data directory of these flags, which is not opened. */
  backupFiles(flags: Readonly<Record<string, unknown>>): BackupFiles;
}

/** `casefile backup` and `casefile restore`: one file that holds what cannot be made again. */
export function addBackupCommands(program: Command, host: BackupHost): Command[] {
  const backup = program.command("backup").description("Make, list, check and restore backups.");
  const say = (command: Command, value: unknown, text: string) =>
    host.out(`${command.opts().json ? jsonText(value) : text}\n`);

  const create = backup
    .command("create")
    .description("Write one archive of all that is kept; a service may go on meanwhile.")
    .argument("[file]", "by default a name of its own in the data directory's backups");
  const list = backup
    .command("list", { isDefault: true })
    .description("List the backups in the data directory, newest first.");
  const verify = backup
    .command("verify")
    .description("Check all of an archive, and touch nothing else.")
    .argument("<file>")
    .option("--scratch <dir>", "folder with room for what the archive holds, by default the archive's own");
  const restores = [backup.command("restore"), program.command("restore")];

  create.action((file: string | undefined) =>
    withApp(host, create.optsWithGlobals(), async (app) => {
      const made = await told(host, (work) => app.backups.create({ ...work, ...(file === undefined ? {} : { file }) }));
      const where = file ?? `backups/${made.name} in the data directory`;
      say(create, made, `${where}: ${sizeOf(made.size)}\nsha256 ${made.sha256}`);
    }),
  );
  list.action(() =>
    withApp(host, list.optsWithGlobals(), async (app) => {
      const backups = await app.backups.list();
      const rows = backups.map(({ name, kind, size, created_at }) => [name, kind, sizeOf(size), minuteOf(created_at)]);
      say(
        list,
        { backups, total: backups.length, next_cursor: null },
        rows.length === 0 ? "There is no backup yet." : table(COLUMNS, rows, host.columns),
      );
    }),
  );
  verify.action(async (file: string) => {
    const { scratch } = verify.opts<{ scratch?: string }>();
    const manifest = await told(host, (work) =>
      host.backupFiles(verify.optsWithGlobals()).verify(file, { ...work, scratch }),
    );
    const { created_at, product_version, schema_version } = manifest;
    say(
      verify,
      manifest,
      `Whole: made at ${created_at} by release ${plain(product_version)}, schema ${schema_version}.`,
    );
  });
  for (const restore of restores) {
    restore
      .description("Put what an archive holds into the place of the data directory; what is there is kept beside it.")
      .argument("<file>")
      .action(async (file: string) => {
        const restored = await told(host, (work) => host.backupFiles(restore.optsWithGlobals()).restore(file, work));
        say(restore, restored, restoredText(restored));
      });
  }
  const commands = [create, list, verify, ...restores];
  for (const command of commands) command.option("--json", "print JSON");
  return commands;
}

const COLUMNS = [{ title: "NAME", yields: true }, { title: "KIND" }, { title: "SIZE" }, { title: "MADE (UTC)" }];

const restoredText = ({ manifest, kept }: Restored): string =>
  [
    `Restored to ${manifest.created_at}. Searches answer in full when the index is made anew, which serving does by itself.`,
    ...(kept === null
      ? []
      : [
          `What was there before, its own backups too, is kept as ${plain(kept)}; remove it when you no longer need it.`,
        ]),
  ].join("\n");

const STEPS = { copy: "copying the database", pack: "packing", read: "reading the archive", check: "checking" };

async function told<T>(host: CliHost, work: (options: BackupWork) => Promise<T>): Promise<T> {
  const line = createLine(host);
  let drawn = 0;
  try {
    return await work({
      signal: host.signal,
      onProgress(step, done, total) {
        const now = performance.now();
        if (done > 0 && now - drawn < 100) return;
        drawn = now;
        line.show(`${STEPS[step]}${total === null ? "" : `: ${sizeOf(done)} of ${sizeOf(total)}`} …`);
      },
    });
  } finally {
    line.end();
  }
}

const sizeOf = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1_024)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
