import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { generateKey, hashOf } from "../../src/accounts/service.ts";
import { connect } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { reportOf } from "../store/examples.ts";

export const NOW = "2026-05-04T12:00:00.000Z";
/** Only its hash is stored. */
export const KEY = generateKey();

const STUDIES = [
  [
    "northgate",
    "Northgate Savings leaves its mainframe",
    "A savings bank moved its ledger from a mainframe to the cloud.",
  ],
  ["brightpine", "Brightpine ships parcels a day sooner", "A parcel carrier plans its delivery routes every night."],
] as const;

/** A data directory as the release before submissions left it: two migrations, rows written by hand, no index. */
export async function ofSchemaTwo(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const database = connect(join(dataDir, "casefile.sqlite"));
  await migrate(database, { migrations: MIGRATIONS.slice(0, 2), dataDir, clock: () => new Date(NOW) });
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>) =>
    database.run(
      `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(() => "?")})`,
      Object.values(row),
    );
  insert("settings", { name: "colour", value: "red" });
  insert("scans", {
    ...{ domain: "acme.example", scanned_at: NOW, saved_at: NOW },
    report: JSON.stringify(reportOf(NOW, "gauge", "meter")),
  });
  insert("keys", {
    ...{ id: "key_old", email_folded: "ana@brightpine.test", hash: hashOf(KEY), hint: "0000" },
    ...{ monthly_limit: 5, created_at: NOW, revoked_at: null },
  });
  insert("usage", { key_id: "key_old", month: "2026-05", used: 3 });
  insert("companies", {
    ...{ id: 1, slug: "tidewell", name: "Tidewell", name_folded: "tidewell", domain: "tidewell.example" },
    ...{ created_at: NOW, updated_at: NOW },
  });
  for (const [at, [id, title, summary]] of STUDIES.entries()) {
    const number = at + 1;
    insert("case_studies", {
      ...{ number, id, url: `https://tidewell.example/${id}`, url_key: `tidewell.example/${id}`, company_id: 1 },
      ...{ country: "NO", published_at: "2024-03-05", language: "en", origin: "import", fingerprint: "0" },
      ...{ band_1: number, band_2: number, band_3: number, band_4: number, content_hash: id, revision: 1 },
      ...{ created_at: NOW, updated_at: NOW, indexed_at: NOW, title, summary, products: "[]", tools: "[]" },
    });
    insert("outcomes", {
      ...{ study_number: number, position: 0, metric: "cost", value: 42, unit: "%" },
      ...{ direction: "decrease", text: "42% lower cost" },
    });
    insert("passages", { study_number: number, position: 0, heading: null, text: summary });
    insert("embeddings", { study_number: number, model: "of then", revision: 1, embedded_at: NOW });
  }
  database.close();
}
