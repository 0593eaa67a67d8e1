import { expect, test } from "bun:test";
import fc from "fast-check";
import { HARBOURLINE } from "../services/fake-intake.ts";
import { managed } from "./managed.ts";
import { problemOf } from "./opened.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    ...["", " ", "\u0000", "\ud800", "\u202e", "__proto__", "' or 1=1 --", "tidewell", "quayline", "a@b.example"],
    ...["https://a.example/", "https://[::1]/", "https://a:b@a.example/", "http://10.0.0.1/", "http://a.example:0/"],
    ...["javascript:alert(1)", "//a.example", "https://a.example/%ff", "https://例え.example/", "NO", "2024-02-30"],
  ),
  fc.integer({ min: 190, max: 2_100 }).map((length) => "銀".repeat(length)),
);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value);
const outcome = fc.record({
  metric: text,
  value: orNull(fc.double({ noNaN: true })),
  unit: orNull(text),
  direction: fc.constantFrom("increase", "decrease", "absolute"),
  text,
});
/** Sometimes a value of another type. */
const or = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: value, weight: 9 }, { arbitrary: fc.constantFrom(5, true, [], {}, [null]), weight: 1 });
const some = (shape: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(shape, { requiredKeys: [] });

const ID = "{id}";
const asked = fc.oneof(
  fc
    .record({
      company_name: or(text),
      case_study_url: fc.oneof(
        text,
        text.map((path) => `https://a.example/${path}`),
      ),
      contact_email: fc.constantFrom("ana@a.example", "ana", "@"),
    })
    .map((json) => ({ path: "/v1/submit", method: "POST", json })),
  some({ company_name: or(text), company_slug: text, company_domain: orNull(text) }).map((json) => ({
    ...{ path: `/admin/submissions/${ID}`, method: "PATCH", json },
  })),
  fc.record({ reason: or(text) }).map((json) => ({ path: `/admin/submissions/${ID}/reject`, method: "POST", json })),
  fc.constant({ path: `/admin/submissions/${ID}/retry`, method: "POST", json: undefined }),
  some({
    title: or(text),
    client: orNull(fc.record({ name: orNull(text), domain: orNull(text) })),
    industry: orNull(text),
    summary: orNull(text),
    solution: orNull(text),
    outcomes: orNull(fc.array(outcome, { maxLength: 2 })),
    products: orNull(fc.array(text, { maxLength: 3 })),
    quote: orNull(fc.record({ text, person: orNull(text), role: orNull(text) })),
  }).map((json) => ({ path: "/admin/casestudies/tidewell-brightpine", method: "PATCH", json })),
  some({ name: or(text), domain: orNull(text), industry: orNull(text), logo_url: orNull(text) }).map((json) => ({
    ...{ path: "/admin/companies/tidewell", method: "PATCH", json },
  })),
  text.map((slug) => ({ path: "/admin/companies/quayline", method: "PATCH", json: { slug } })),
  text.map((into) => ({ path: "/admin/companies/quarrystone/merge", method: "POST", json: { into } })),
);

test("any submission, edit or correction is accepted or refused, never a 500", async () => {
  const { app, manage, logged } = await managed({ studies: true, keylessPerHour: 1e9 });
  const { id } = await app.intake.submit(HARBOURLINE);
  await fc.assert(
    fc.asyncProperty(asked, async ({ path, ...rest }) => {
      const answer = await manage(path.replace(ID, id), rest);
      expect([200, 202, 404, 409, 413, 422]).toContain(answer.status);
      if (answer.status < 300) JSON.parse(await answer.text());
      else await problemOf(answer);
    }),
    { numRuns: 2_000 },
  );
  expect(logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
}, 60_000);
