import type { Command } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { createLine } from "../cli/progress.ts";
import { jsonText, minuteOf, plain, sizeOf, table } from "../cli/table.ts";
import type { BackupWork } from "./manifest.ts";
import type { Restored } from "./restore.ts";
import type { BackupFiles, BackupService } from "./service.ts";

export interface BackupHost {
  /** Access to archives without opening the data directory of these flags. */
  backupFiles(flags: Readonly<Record<string, unknown>>): BackupFiles;
}

/** `casefile backup`, `casefile restore` and `casefile store`. */
export function addBackupCommands(
  program: Command,
  host: CliHost<{ readonly backups: BackupService }> & BackupHost,
): Command[] {
  const backup = program.command("backup").description("Create, list, verify and restore backups.");
  const print = (command: Command, value: unknown, text: string) =>
    host.out(`${command.opts().json ? jsonText(value) : text}\n`);

  const create = backup
    .command("create")
    .description("Back up all data to an archive; the service can keep running.")
    .argument("[file]", "output file (default: a new file in the folder backups of the data directory)");
  const list = backup
    .command("list", { isDefault: true })
    .description("List the backups in the data directory, newest first.");
  const verify = backup
    .command("verify")
    .description("Verify an archive completely without restoring it.")
    .argument("<file>")
    .option("--scratch <dir>", "folder for temporary files (default: the folder of the archive)");
  const restores = [backup.command("restore"), program.command("restore")];

  create.action((file: string | undefined) =>
    withApp(host, create.optsWithGlobals(), async (app) => {
      const made = await withProgress(host, (work) => app.backups.create({ ...work, file }));
      const where = file ?? `backups/${made.name} in the data directory`;
      print(create, made, `${where}: ${sizeOf(made.size)}\nsha256 ${made.sha256}`);
    }),
  );
  list.action(() =>
    withApp(host, list.optsWithGlobals(), async (app) => {
      const backups = await app.backups.list();
      const rows = backups.map(({ name, kind, size, created_at }) => [name, kind, sizeOf(size), minuteOf(created_at)]);
      print(
        list,
        { backups, total: backups.length, next_cursor: null },
        rows.length === 0 ? "No backups." : table(COLUMNS, rows, host.columns),
      );
    }),
  );
  verify.action(async (file: string) => {
    const { scratch } = verify.opts<{ scratch?: string }>();
    const manifest = await withProgress(host, (work) =>
      host.backupFiles(verify.optsWithGlobals()).verify(file, { ...work, scratch }),
    );
    const { created_at, product_version, schema_version } = manifest;
    print(
      verify,
      manifest,
      `Valid: created at ${created_at} by release ${plain(product_version)}, schema ${schema_version}.`,
    );
  });
  for (const restore of restores) {
    restore
      .description("Replace the data directory with an archive; the previous directory is kept under another name.")
      .argument("<file>")
      .action(async (file: string) => {
        const restored = await withProgress(host, (work) =>
          host.backupFiles(restore.optsWithGlobals()).restore(file, work),
        );
        print(restore, restored, restoredText(restored));
      });
  }
  const move = program
    .command("store")
    .description("Copy all data to another database.")
    .command("migrate")
    .description(
      "Copy all data to an empty PostgreSQL database, or from one into a new data directory. Stop the service first.",
    )
    .requiredOption("--to <target>", "URL of a PostgreSQL database, or path of a directory");
  move.action(async () => {
    const { to } = move.opts<{ to: string }>();
    const line = createLine(host);
    const tables = await host
      .backupFiles(move.optsWithGlobals())
      .migrate(to, { signal: host.signal, onTable: (table, rows) => line.show(`copying ${table}: ${rows} …`) })
      .finally(() => line.end());
    const rows = tables.map(({ table, rows, sha256 }) => [table, String(rows), sha256.slice(0, 16)]);
    print(
      move,
      { tables },
      `${table(COPIED, rows, host.columns)}\nBoth have the same content. Casefile uses it after the change of database.url or data_dir.`,
    );
  });
  const commands = [create, list, verify, ...restores, move];
  for (const command of commands) command.option("--json", "print JSON");
  return commands;
}

const COLUMNS = [{ title: "NAME", yields: true }, { title: "KIND" }, { title: "SIZE" }, { title: "CREATED (UTC)" }];

const COPIED = [{ title: "TABLE" }, { title: "ROWS" }, { title: "SHA-256" }];

function restoredText({ manifest, kept }: Restored): string {
  const lines = [
    `Restored the backup of ${manifest.created_at}. The service rebuilds the search index when it starts.`,
  ];
  if (kept !== null)
    lines.push(
      `The previous data directory, with its backups, is now ${plain(kept)}; remove it when you no longer need it.`,
    );
  return lines.join("\n");
}

const STEPS = { copy: "copying the database", pack: "packing", read: "reading the archive", check: "checking" };

async function withProgress<T>(host: CliHost, work: (options: BackupWork) => Promise<T>): Promise<T> {
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
