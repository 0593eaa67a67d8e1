import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ofSchemaTwo } from "../../test/services/schema-two.ts";
import type { Machine } from "./machine.ts";

/** A data directory of an earlier release: it is backed up and migrated without loss. */
export async function upgrade({ json, check, work }: Machine): Promise<void> {
  const dataDir = join(work, "earlier");
  await ofSchemaTwo(dataDir);
  const flags = ["--data-dir", dataDir, "--no-starter"];
  const { results } = await json(["search", "a bank and its mainframe", ...flags]);
  check("finds case studies of an earlier release", results[0]?.id === "northgate");
  const { keys } = await json(["keys", "list", ...flags]);
  check("keeps its keys", keys.length === 1 && keys[0].id === "key_old");
  const copies = await readdir(join(dataDir, "backups"));
  check("backed up its database first", copies.length === 1 && /^before-migration-3-/.test(copies[0] ?? ""));
}
