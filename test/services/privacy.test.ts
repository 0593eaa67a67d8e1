import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Box, openBox } from "../box/box.ts";
import { inDirectory, refusalOf } from "../store/examples.ts";
import { openBoxedApp, until } from "./boxed-app.ts";
import { fill, RECORDS } from "./study-records.ts";

let box: Box | undefined;
afterEach(async () => {
  await box?.close();
  box = undefined;
});

/** Every text of every table, and every compressed value, that contains one of the words. */
async function holding(dataDir: string, words: readonly string[]): Promise<string[]> {
  const database = new Database(join(dataDir, "casefile.sqlite"), { readonly: true });
  const tables = database.query<{ name: string }, []>("select name from sqlite_schema where type = 'table'").all();
  const found: string[] = [];
  for (const { name } of tables)
    for (const row of database.query<Record<string, unknown>, []>(`select * from ${name}`).all())
      for (const [column, value] of Object.entries(row)) {
        const bytes = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
        const isZstd = bytes.subarray(0, 4).toString("hex") === "28b52ffd";
        const text = (isZstd ? Buffer.from(await Bun.zstdDecompress(Uint8Array.from(bytes))) : bytes).toString(
          "latin1",
        );
        if (words.some((word) => text.includes(word))) found.push(`${name}.${column}`);
      }
  database.close();
  return [...new Set(found)].sort();
}

const PAGE = '<title>Brightpine</title><script src="https://js.stripe.com/v3/"></script>';

test("after an erasure no table holds the domain or the address, and others keep theirs", async () => {
  box = await openBox({
    companies: [
      { domain: "brightpine.test", pages: { "/": PAGE, "www/": PAGE, "www/customers": PAGE } },
      { domain: "quarrystone.test", pages: { "/": PAGE, "www/": PAGE } },
    ],
  });
  const inBox = box;
  await inDirectory(async (dataDir) => {
    const app = await openBoxedApp(inBox, dataDir);
    try {
      for (const domain of ["brightpine.test", "quarrystone.test"]) {
        await app.detection.enrich(domain);
        await app.watches.watch(domain);
      }
      const owner = { owner: "ana@keyholder.example" };
      await app.accounts.issue("ana@keyholder.example");
      const url = "https://www.brightpine.test/customers";
      const request = { company_name: "Brightpine", case_study_url: url, contact_email: "bo@contact.example" };
      await app.intake.submit(request);
      const [record] = RECORDS;
      await fill(app, [{ ...record, client: { name: "Brightpine", domain: "brightpine.test" } }]);
      const working = app.batches.startWorker();
      const { id } = await app.batches.create(
        owner,
        [
          { input: "https://brightpine.test/" },
          {
            input: "quarrystone.test",
            cells: {
              partner: "See\nhttps://www.Brightpine.TEST/x",
              host: "a\nbrightpine.test",
              owner: "Cy",
              size: "5",
            },
          },
          { input: "(brightpine.test is our partner)" },
          { input: "", fault: "Line 4: brightpine.test cannot be read." },
        ],
        { name: "Partners of brightpine.test" },
      );
      const others = await app.batches.create(
        { owner: "" },
        [{ input: "quarrystone.test", cells: { contact: "bo@contact.example", other: "jo@contacts.example" } }],
        { name: "Asked by Bo@contact.example" },
      );
      await until(async () => (await app.batches.get(owner, id)).state === "done");
      await until(async () => (await app.batches.get({ owner: "" }, others.id)).state === "done");
      await working.stop();
      await app.stack.catchUp();

      const held = await holding(dataDir, ["brightpine.test"]);
      expect(held).toContain("snapshots.content");
      const { data, references } = await app.privacy.export("https://brightpine.test/x");
      expect(Object.keys(data)).toEqual(
        expect.arrayContaining(["scans", "snapshots", "observations", "watches", "batch_items", "submissions", "jobs"]),
      );
      expect([data.batches?.length, data.batch_items?.length]).toEqual([1, 4]);
      expect(references.map(({ role }) => role)).toEqual(["client"]);

      // Parts of its name are other names.
      for (const part of ["pine.test", "o@contact.example"]) expect((await app.privacy.export(part)).data).toEqual({});

      const kept = await app.privacy.erase("brightpine.test");
      expect(kept.references).toHaveLength(1);
      const { sha256, ...receipt } = kept;
      expect(sha256).toBe(createHash("sha256").update(JSON.stringify(receipt)).digest("hex"));
      expect(Object.fromEntries(kept.erased.map(({ table, rows }) => [table, rows]))).toMatchObject({
        ...{ scans: 1, snapshots: 1, watches: 1, batches: 1, batch_items: 4, submissions: 1, stack_companies: 1 },
      });
      await app.privacy.erase("brightpine.test", { caseStudies: true });
      const items = await app.batches.page({ owner: "" }, others.id, { after: -1, limit: 5 });
      expect(items.map(({ input }) => input)).toEqual(["quarrystone.test"]);
      expect(await holding(dataDir, ["brightpine.test", "Brightpine.TEST"])).toEqual([]);
      const [, second] = await app.batches.page(owner, id, { after: -1, limit: 5 });
      expect(second?.cells).toEqual({ owner: "Cy", size: "5" });
      expect((await app.batches.get(owner, id)).progress).toMatchObject({ done: 1 });
      expect((await app.privacy.export("quarrystone.test")).data.scans).toHaveLength(1);
      expect((await app.privacy.erase("brightpine.test")).total).toBe(0);

      expect(Object.keys((await app.privacy.export("Ana@keyholder.example")).data)).toEqual([
        "keys",
        "batches",
        "batch_items",
      ]);
      await app.privacy.erase("ana@keyholder.example");
      expect(Object.keys((await app.privacy.export("bo@contact.example")).data)).toContain("batch_items");
      await app.privacy.erase("bo@contact.example");
      expect(await holding(dataDir, ["keyholder.example", "contact.example"])).toEqual([]);
      const [row] = await app.batches.page({ owner: "" }, others.id, { after: -1, limit: 1 });
      expect(row?.cells).toEqual({ other: "jo@contacts.example" });
      for (const shared of ["co.uk", "https://github.io/x", "com"])
        expect((await refusalOf(app.privacy.erase(shared))).code).toBe("domain.invalid");
    } finally {
      await app.close();
    }
  });
}, 60_000);
