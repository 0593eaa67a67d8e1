import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { openStore } from "../../src/store.ts";
import { companyOf, outcomeOf, studyOf } from "../casestudies/study-examples.ts";

/** Texts of any characters, and batches of any size, in the repositories on PostgreSQL. */
let store: Awaited<ReturnType<typeof openStore>>;
beforeAll(async () => {
  store = await openStore({ dataDir: ":memory:", clock: () => new Date("2026-05-04T12:00:00.000Z") });
});
afterAll(async () => await store.close());

/** Of any UTF-16 units: NUL, lone surrogates, and what sorts and folds in odd ways. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\0", "\ud800", "\udfff", "😀", "İ", "ß", "\u00ad", "\u2028", "'", '"', "\\", "%", "_", "$1", "?"),
    fc.string({ minLength: 1, maxLength: 3, unit: "binary" }),
  ),
  minLength: 1,
  maxLength: 12,
});
const stored = (given: string): string => given.replaceAll("\0", "\ufffd").toWellFormed();

test("case studies return with their texts, and are replaced by the same ids", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ title: text, summary: text, product: text, passage: text }), { minLength: 1, maxLength: 6 }),
      async (given) => {
        const studies = given.map(({ title, summary, product, passage }, n) =>
          studyOf({
            id: `text-${n}`,
            url: `https://vendor.example/texts/${n}`,
            title,
            summary,
            products: [product],
            outcomes: [outcomeOf(title, n)],
            passages: [{ heading: title, text: passage }],
          }),
        );
        await store.caseStudies.save(studies);
        for (const [n, { title, summary, product }] of given.entries()) {
          const found = await store.caseStudies.find(`text-${n}`);
          expect(found).toMatchObject({
            title: stored(title),
            summary: stored(summary),
            products: [jsonStored(product)],
          });
          expect(found?.outcomes[0]?.metric).toBe(stored(title));
        }
      },
    ),
    { numRuns: 30 },
  );
});

/** Lists are stored as JSON, which has a way of its own to write what PostgreSQL refuses. */
const jsonStored = (given: string): string => JSON.parse(JSON.stringify(given));

test("settings are found by any name", async () => {
  await fc.assert(
    fc.asyncProperty(text, text, async (name, value) => {
      await store.settings.set(name, value);
      expect(await store.settings.find(name)).toBe(stored(value));
      expect(await store.settings.setIfAbsent(stored(name), "other")).toBe(false);
    }),
    { numRuns: 50 },
  );
});

test("a batch has more values than one statement of PostgreSQL may have parameters", async () => {
  const many = 4_000;
  const studies = Array.from({ length: many }, (_, n) =>
    studyOf({
      id: `many-${n}`,
      url: `https://many.example/${n}`,
      company: companyOf(`company-${n % 300}`),
      client: { name: `Client ${n}`, domain: null },
      passages: Array.from({ length: 3 }, (_, part) => ({ heading: null, text: `${n}.${part}` })),
    }),
  );
  const results = await store.caseStudies.save(studies);
  expect(results.map(({ outcome }) => outcome)).toEqual(Array.from({ length: many }, () => "added"));
  const ids = studies.map(({ id }) => id);
  expect(await store.caseStudies.byIds(ids)).toHaveLength(many);
  const passages = await store.caseStudies.passagesOf(ids);
  expect(passages).toHaveLength(3 * many);
  expect(await store.caseStudies.passages(passages.map(({ id }) => id))).toHaveLength(3 * many);
  expect(await store.caseStudies.remove(ids)).toBe(many);
});
