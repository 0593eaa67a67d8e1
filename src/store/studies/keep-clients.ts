import type { Transaction } from "kysely";
import type { Tables } from "../tables.ts";
import { folded } from "./folded.ts";
import { inChunks } from "./in-chunks.ts";

interface Client {
  readonly name: string | null;
  readonly domain: string | null;
}

/** Two ways to write one client have one key; undefined for nobody. */
export function clientKey({ name, domain }: Client): string | undefined {
  const parts = [folded(name ?? ""), folded(domain ?? "")];
  return parts.some((part) => part !== "") ? JSON.stringify(parts) : undefined;
}

/**
 * Makes the clients that are missing. A client keeps the spelling that came first.
 *
 * @returns ids by key
 */
export async function keepClients(
  transaction: Transaction<Tables>,
  clients: readonly Client[],
): Promise<ReadonlyMap<string, number>> {
  const byKey = new Map<string, Client>();
  for (const client of clients) {
    const key = clientKey(client);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, client);
  }
  const rows = await inChunks([...byKey.values()], (chunk) =>
    transaction
      .insertInto("clients")
      .values(
        chunk.map(({ name, domain }) => ({
          name: name || null,
          name_folded: folded(name ?? ""),
          domain: domain?.toLowerCase() || null,
          domain_folded: folded(domain ?? ""),
        })),
      )
      // Changes nothing; without it the rows that are there would not be answered.
      .onConflict((conflict) =>
        conflict
          .columns(["name_folded", "domain_folded"])
          .doUpdateSet((eb) => ({ name_folded: eb.ref("excluded.name_folded") })),
      )
      .returning(["id", "name_folded", "domain_folded"])
      .execute(),
  );
  return new Map(rows.map((row) => [JSON.stringify([row.name_folded, row.domain_folded]), row.id]));
}
