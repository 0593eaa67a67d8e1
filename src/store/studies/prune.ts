import type { Transaction } from "kysely";
import type { Tables } from "../tables.ts";
import { inChunks } from "./in-chunks.ts";

/** Whose a case study was before it changed or went. */
export interface Owners {
  readonly company_id: number;
  readonly client_id: number | null;
}

/** Forgets those of the owners that no case study is left of. */
export async function prune(transaction: Transaction<Tables>, owners: readonly Owners[]): Promise<void> {
  await inChunks([...new Set(owners.map(({ company_id }) => company_id))], (chunk) =>
    transaction
      .deleteFrom("companies")
      .where("id", "in", chunk)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("case_studies").select("number").whereRef("company_id", "=", "companies.id"))),
      )
      .execute(),
  );
  await inChunks([...new Set(owners.flatMap(({ client_id }) => client_id ?? []))], (chunk) =>
    transaction
      .deleteFrom("clients")
      .where("id", "in", chunk)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("case_studies").select("number").whereRef("client_id", "=", "clients.id"))),
      )
      .execute(),
  );
}
