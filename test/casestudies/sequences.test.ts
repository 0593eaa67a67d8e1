import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createCompanyRepository } from "../../src/casestudies/companies/repository.ts";
import { createCaseStudyRepository } from "../../src/casestudies/repository.ts";
import type { NewCaseStudy } from "../../src/casestudies/types.ts";
import { connect, queriesOf } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { companyOf, fingerprintOf, outcomeOf, studyOf } from "./study-examples.ts";

const clock = () => new Date("2026-05-04T12:00:00.000Z");

/** Few values of each, so that addresses, ids, texts, companies and clients often meet. */
const study: fc.Arbitrary<NewCaseStudy> = fc
  .record({
    id: fc.integer({ min: 1, max: 6 }),
    address: fc.integer({ min: 1, max: 8 }),
    text: fc.integer({ min: 1, max: 12 }),
    company: fc.constantFrom("alpha", "beta"),
    client: fc.constantFrom(null, "Acme", "Bolt"),
    parts: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ id, address, text, company, client, parts }) =>
    studyOf({
      id: `story-${id}`,
      title: `Text ${text}`,
      url: `https://vendor.example/${address}`,
      company: companyOf(company),
      client: { name: client, domain: null },
      fingerprint: fingerprintOf(text),
      passages: Array.from({ length: parts }, (_, part) => ({ heading: null, text: `${text}, part ${part}` })),
      outcomes: Array.from({ length: parts }, (_, part) => outcomeOf("cost", part)),
    }),
  );

const step = fc.oneof(
  fc.array(study, { maxLength: 5 }).map((batch) => ({ save: batch })),
  fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 3 }).map((which) => ({ remove: which })),
);

const count = (database: Database, sql: string) =>
  database.query<{ n: number }, []>(`select count(*) n from ${sql}`).get()?.n;

test("after any saves and removals, totals are right, nothing is orphaned and every change is queued for the index", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const database = connect(":memory:");
      await migrate(database, { migrations: MIGRATIONS, dataDir: undefined, clock });
      const { queries } = queriesOf(database);
      const caseStudies = createCaseStudyRepository(queries, new Map(), clock);
      const companies = createCompanyRepository(queries, new Map(), caseStudies, clock);
      const expected = new Map<string, NewCaseStudy>();
      for (const one of steps) {
        const before = new Map(count(database, "outbox") ? outboxOf(database) : []);
        const changed: string[] = [];
        if ("save" in one) {
          const results = await caseStudies.save(one.save);
          for (const [index, { id, outcome }] of results.entries()) {
            const given = one.save[index];
            if (!given || outcome === "duplicate") continue;
            expected.set(id, given);
            if (outcome !== "unchanged") changed.push(id);
          }
        } else {
          const ids = [...expected.keys()].filter((_, index) => one.remove.includes(index));
          expect(await caseStudies.remove(ids)).toBe(ids.length);
          for (const id of ids) expected.delete(id);
          changed.push(...ids);
        }
        const after = new Map(outboxOf(database));
        for (const id of changed) expect(after.get(id) ?? 0).toBeGreaterThan(before.get(id) ?? 0);
        for (const [id, rows] of after) if (!changed.includes(id)) expect(rows).toBe(before.get(id) ?? 0);
      }

      const stored = await caseStudies.list({}, { limit: 100 });
      expect(stored.total).toBe(expected.size);
      expect(stored.studies.map(({ id }) => id).sort()).toEqual([...expected.keys()].sort());
      for (const { id, title, outcomes } of stored.studies) {
        expect(title).toBe(expected.get(id)?.title ?? "");
        expect(outcomes).toEqual([...(expected.get(id)?.outcomes ?? [])]);
      }
      const parts = [...expected.values()].reduce((sum, { passages }) => sum + passages.length, 0);
      expect(count(database, "passages")).toBe(parts);
      expect(count(database, "outcomes")).toBe(parts);
      expect(
        count(database, "clients where id not in (select client_id from case_studies where client_id is not null)"),
      ).toBe(0);
      const listed = (await companies.search({ limit: 10 })).companies;
      expect(listed.map(({ slug }) => slug)).toEqual(
        [...new Set([...expected.values()].map(({ company }) => company.slug))].sort(),
      );
      expect(listed.reduce((sum, { total_case_studies }) => sum + total_case_studies, 0)).toBe(expected.size);
      expect(count(database, "pragma_foreign_key_check")).toBe(0);
      database.close();
    }),
    { numRuns: 60 },
  );
});

/** How many rows each case study has in the outbox. */
const outboxOf = (database: Database): [string, number][] =>
  database
    .query<{ id: string; n: number }, []>("select case_study_id id, count(*) n from outbox group by case_study_id")
    .all()
    .map(({ id, n }) => [id, n]);
