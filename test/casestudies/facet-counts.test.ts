import { expect, test } from "bun:test";
import { sql } from "kysely";
import type { Claim, ClaimStatus } from "../../src/casestudies/claims.ts";
import { createFacetCounter } from "../../src/casestudies/facet-counts.ts";
import type { Facets, ListedClaim, ResolvedFilter } from "../../src/casestudies/repository.ts";

const NONE: Facets = { vendors: [], industries: [], countries: [], years: [], clients: [], tools: [], figures: 0 };
const claimOf = (status: ClaimStatus): Claim => ({ status, since: null, evidence: null, checked_at: null });

function counterOf(studies: number) {
  const asked: number[] = [];
  let [version, time, counted, turns] = ["1", 0, 0, 0];
  const listed = Array.from(
    { length: studies },
    (_, number): ListedClaim => ({
      ...{ id: `study-${number}`, number, published_order: "", company: { slug: "vendor" }, products: [] },
      client: { domain: `client-${number}.example` },
    }),
  );
  const counter = createFacetCounter(
    {
      caseStudies: {
        version: async () => version,
        async facets({ among }) {
          counted += 1;
          return { ...NONE, figures: among?.numbers.length ?? 0 };
        },
        claimed: async (_, limit) => listed.slice(0, limit),
        setOf: (numbers) => ({ numbers, query: sql<number>`` }),
      },
      claims: {
        async of(those) {
          asked.push(those.length);
          setImmediate(() => {
            turns += 1;
          });
          return new Map(those.map(({ id }, at) => [id, claimOf(at % 4 === 0 ? "corroborated" : "not_checked")]));
        },
      },
    },
    () => time,
  );
  const count = (key: string, filter: ResolvedFilter, claims: boolean, claim?: ClaimStatus) =>
    counter(key, async () => filter, { claims, claim });
  return {
    count,
    counter,
    asked,
    counted: () => counted,
    turns: () => turns,
    change: () => {
      version = "2";
    },
    wait: (ms: number) => {
      time += ms;
    },
  };
}

test("claims are counted in small batches between which other requests are answered", async () => {
  const { count, asked, turns } = counterOf(100);
  expect((await count("{}", {}, true)).claims).toEqual({
    values: [
      { value: "corroborated", count: 25 },
      { value: "not_checked", count: 75 },
    ],
    counted: 100,
    complete: true,
  });
  expect(asked).toEqual([20, 20, 20, 20, 20]);
  expect(turns()).toBeGreaterThanOrEqual(4);
});

test("at most 500 claims are counted, and the answer says so", async () => {
  const { count, asked } = counterOf(501);
  expect((await count("{}", {}, true)).claims).toMatchObject({ counted: 500, complete: false });
  expect(asked.reduce((sum, each) => sum + each, 0)).toBe(500);
});

test("a claim limits what is counted, of all case studies, and not the counts of the claims", async () => {
  const { count } = counterOf(600);
  const all = await count("{}", {}, true);
  expect(all.figures).toBe(0);
  expect(await count("{}", {}, true, "corroborated")).toEqual({ ...all, figures: 150 });
  expect((await count("{}", {}, true, "not_checked")).figures).toBe(450);
});

test("claims are not counted where they are hidden", async () => {
  const { count, asked } = counterOf(3);
  expect(await count("{}", {}, false)).toEqual({ ...NONE, claims: null });
  expect(asked).toEqual([]);
});

test("counts are kept for a minute, or until a case study changes", async () => {
  const { count, counted, change, wait } = counterOf(3);
  await count("{}", {}, false);
  await count("{}", {}, false);
  expect(counted()).toBe(1);
  await count('{"country":"DE"}', { country: "DE" }, false);
  await count("{}", {}, true);
  expect(counted()).toBe(3);
  wait(59_000);
  await count("{}", {}, false);
  expect(counted()).toBe(3);
  wait(2_000);
  await count("{}", {}, false);
  expect(counted()).toBe(4);
  change();
  await count("{}", {}, false);
  expect(counted()).toBe(5);
});

test("counts of a filter that was read before a change are not kept for the version after it", async () => {
  const { counter, counted, change } = counterOf(3);
  const changing = async () => {
    change();
    return {};
  };
  await counter("{}", changing, { claims: false });
  await counter("{}", async () => ({}), { claims: false });
  expect(counted()).toBe(2);
});
