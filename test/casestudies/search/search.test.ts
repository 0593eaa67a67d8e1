import { describe, expect, test } from "bun:test";
import type { FoundPassage } from "../../../src/casestudies/search/ranking.ts";
import type { RelevanceModel } from "../../../src/casestudies/search/relevance.ts";
import { createSearch, type SearchAnswer } from "../../../src/casestudies/search/search.ts";
import type { CaseStudy, SearchMode } from "../../../src/casestudies/types.ts";
import type { NumberedTexts } from "../../../src/embedding/encoder.ts";

const study = (id: string, client: string | null = null): CaseStudy => ({
  id,
  title: `Story of ${id}`,
  url: `https://tidewell.example/${id}`,
  company: { name: "Tidewell", slug: "tidewell" },
  client: { name: client, domain: null },
  industry: null,
  country: null,
  summary: null,
  challenge: null,
  solution: null,
  outcomes: [],
  products: [],
  tools: [],
  quote: null,
  published_at: null,
  language: null,
  indexed_at: null,
  origin: "imported",
});

/** Passages 1, 2, 3 … of stories `s1`, `s2`, `s3` …, each worse than the one before. */
const list = (count: number): FoundPassage[] =>
  Array.from({ length: count }, (_, at) => ({ study: `s${at + 1}`, passage: at + 1, score: 1 - at / 1_000 }));

interface Opened {
  readonly keyword?: readonly FoundPassage[];
  readonly semantic?: readonly FoundPassage[];
  readonly gone?: ReadonlySet<string>;
  /** How much of the question each text says; without it the model cannot compare. */
  readonly compared?: (text: string) => number;
  /** What of the index cannot be read. */
  readonly broken?: readonly ("open" | "keyword" | "nearest")[];
  /** Case studies that wait for the index. */
  readonly pending?: number;
  /** What the words in the database find. */
  readonly stored?: readonly FoundPassage[];
  readonly relevance?: RelevanceModel;
  readonly fingerprints?: Readonly<Record<string, string>>;
  readonly clients?: Readonly<Record<string, string>>;
}

/** Id of the model that compares. */
const MODEL = "test-model";

function opened({
  keyword = list(30),
  semantic = list(30),
  gone = new Set(),
  compared,
  broken = [],
  pending = 0,
  stored = list(2),
  relevance,
  fingerprints = {},
  clients = {},
}: Opened = {}) {
  const isBroken = new Set(broken);
  const reported: unknown[] = [];
  const asked: string[] = [];
  const read: number[] = [];
  const search = createSearch({
    relevance,
    caseStudies: {
      withFingerprints: async (ids) =>
        ids
          .filter((id) => !gone.has(id))
          .map((id) => ({ study: study(id, clients[id]), fingerprint: fingerprints[id] ?? null })),
      async passages(ids) {
        read.push(...ids);
        return ids.map((id) => ({
          id,
          heading: null,
          text: `Passage ${id} tells of harbours.`,
          title: "Story",
          client: "Quay",
          industry: "Ports",
          summary: "A quay went digital.",
        }));
      },
      newestPassage: async () => 0,
      sample: async () => [],
    },
    fallback: {
      async storedWords(query, { limit, filter }) {
        asked.push(`stored ${query} ${limit} ${filter.company ?? ""}`);
        return stored.slice(0, limit);
      },
      pending: async () => pending,
      watchSearch: () => (error) => reported.push(error),
    },
    async use(work) {
      if (isBroken.has("open")) throw new Error("no manifest");
      return await work({
        index: {
          state: "ready",
          async nearest(_, { limit, filter }) {
            if (isBroken.has("nearest")) throw new Error("no vectors");
            asked.push(`nearest ${limit} ${filter?.company ?? ""}`);
            return semantic.slice(0, limit);
          },
          async keyword(query, { limit, filter }) {
            if (isBroken.has("keyword")) throw new Error("no words");
            asked.push(`keyword ${query} ${limit} ${filter?.company ?? ""}`);
            return keyword.slice(0, limit);
          },
        },
        encoder: async () => ({
          id: MODEL,
          async encode(queries) {
            asked.push(`embed ${queries.join("|")}`);
            return queries.map(() => new Float32Array(4));
          },
          ...(compared
            ? {
                async interact(query: string, passages: readonly string[] | NumberedTexts) {
                  if (!("numbers" in passages)) throw new Error("passages have no numbers");
                  const { numbers } = passages;
                  asked.push(`interact ${query} ${numbers.length}`);
                  const texts = await passages.read(numbers);
                  const scores = numbers.map((number) => compared(texts.get(number) ?? ""));
                  const matches = scores.map((score) => [score]);
                  return { scores, weights: [1], matches, nearest: matches };
                },
              }
            : {}),
        }),
      });
    },
  });
  const question = (query: string, limit = 5, mode: SearchMode = "hybrid", company?: string) => ({
    query,
    limit,
    mode,
    filter: company === undefined ? {} : { company },
  });
  return { search, asked, read, question, reported };
}

const NOTHING: SearchAnswer = { hits: [], noGoodMatch: false, degraded: null };

describe("a search", () => {
  test("returns the requested number of case studies, best first, with the matching sentence", async () => {
    const { search, question } = opened();
    const [{ hits } = NOTHING] = await search([question("harbours", 3)]);
    expect(hits.map((hit) => hit.study.id)).toEqual(["s1", "s2", "s3"]);
    expect(hits[0]?.passage).toEqual({ text: "Passage 1 tells of harbours.", highlights: [[19, 27]] });
  });

  test("embeds all queries of a batch in one call and answers in their order", async () => {
    const { search, asked, question } = opened();
    const answers = await search([question("one", 1), question("two", 2), question("harbour", 3, "keyword")]);
    expect(asked.filter((ask) => ask.startsWith("embed"))).toEqual(["embed one|two"]);
    expect(answers.map(({ hits }) => hits.length)).toEqual([1, 2, 3]);
  });

  test.each([
    ["keyword", ["keyword q"]],
    ["semantic", ["embed q", "interact q", "nearest"]],
    ["hybrid", ["embed q", "interact q", "keyword q", "nearest"]],
  ] as const)("of mode %s queries no other side", async (mode, sides) => {
    const { search, asked, question } = opened({ compared: () => 0.5 });
    await search([question("q", 5, mode)]);
    expect(asked.map((ask) => ask.replace(/ \d+( .*)?$/, "")).sort()).toEqual([...sides].sort());
  });

  test("reranks the passages that it found token by token, with their context", async () => {
    const told: string[] = [];
    const { search, asked, question } = opened({
      compared(text) {
        told.push(text);
        return text.includes("Passage 7 ") ? 1 : 0.1;
      },
    });
    const [{ hits } = NOTHING] = await search([question("q", 3, "semantic")]);
    expect(hits[0]?.study.id).toBe("s7");
    expect(asked).toContain("interact q 30");
    expect(told[0]).toBe("Story — Quay. Passage 1 tells of harbours. Ports A quay went digital.");
  });

  const byInteraction: RelevanceModel = {
    model: MODEL,
    rate: ([interaction = 0]) => ({ level: interaction > 0.5 ? "strong" : "weak", probability: interaction }),
  };

  test("moves results that hardly answer behind the others, with scores that still descend", async () => {
    const { search, question } = opened({
      relevance: byInteraction,
      compared: (text) => (text.includes("Passage 7 ") ? 0.6 : text.includes("Passage 1 ") ? 0.4 : 0.1),
    });
    const [{ hits, noGoodMatch } = NOTHING] = await search([question("q", 3)]);
    expect(hits.map(({ study, relevance }) => [study.id, relevance?.level])).toEqual([
      ["s7", "strong"],
      ["s1", "weak"],
      ["s2", "weak"],
    ]);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(noGoodMatch).toBe(false);
  });

  test("reports when no result is good", async () => {
    const { search, question } = opened({ relevance: byInteraction, compared: () => 0.1 });
    const [{ noGoodMatch } = NOTHING] = await search([question("q", 3)]);
    expect(noGoodMatch).toBe(true);
  });

  test.each([
    ["in keyword mode", "keyword", byInteraction],
    ["with another model than the one that the ratings were fitted to", "hybrid", { ...byInteraction, model: "other" }],
  ] as const)("rates nothing %s", async (_, mode, relevance) => {
    const { search, question } = opened({ relevance, compared: () => 0.1 });
    const [{ hits, noGoodMatch } = NOTHING] = await search([question("harbours", 3, mode)]);
    expect(hits.map((hit) => hit.relevance)).toEqual([null, null, null]);
    expect(noGoodMatch).toBe(false);
  });

  test("reads no passage twice", async () => {
    const { search, read, question } = opened({ compared: () => 0.5 });
    await search([question("q")]);
    expect(read.toSorted((a, b) => a - b)).toEqual([...new Set(read)].toSorted((a, b) => a - b));
    expect(read.length).toBeGreaterThan(0);
  });

  test("shares the work of equal questions that are asked at once", async () => {
    const { search, asked, question } = opened();
    const [first, second, other] = await Promise.all([
      search([question("q")]),
      search([question("q")]),
      search([question("q", 6)]),
    ]);
    expect(asked.filter((ask) => ask.startsWith("embed"))).toEqual(["embed q", "embed q"]);
    expect(second).toEqual(first!);
    expect(other?.[0]?.hits).toHaveLength(6);
    await search([question("q")]);
    expect(asked.filter((ask) => ask.startsWith("embed"))).toHaveLength(3);
  });

  test("continues for the other callers when one of them disconnects", async () => {
    const { search, question } = opened();
    const control = new AbortController();
    const [left, kept] = [search([question("q")], control.signal), search([question("q")])];
    control.abort(new Error("left"));
    expect(left).rejects.toThrow("left");
    expect((await kept)[0]?.hits).toHaveLength(5);
  });

  test("reranks only the best candidates", async () => {
    const { search, asked, question } = opened({ keyword: list(500), semantic: list(500), compared: () => 0.5 });
    await search([question("q", 5), question("r", 50)]);
    expect(asked.filter((ask) => ask.startsWith("interact"))).toEqual(["interact q 40", "interact r 200"]);
  });

  test("passes the filter to both sides, so that it applies before ranking", async () => {
    const { search, asked, question } = opened();
    await search([question("q", 5, "hybrid", "tidewell")]);
    expect(asked.filter((ask) => ask.endsWith(" tidewell"))).toHaveLength(2);
  });

  test("fetches more passages when one case study has them all", async () => {
    const crowded = [
      ...Array.from({ length: 400 }, (_, at) => ({ study: "s1", passage: at, score: 1 - at / 10_000 })),
      ...Array.from({ length: 10 }, (_, at) => ({ study: `t${at}`, passage: 1_000 + at, score: 0.5 - at / 1_000 })),
    ];
    const { search, question } = opened({ keyword: crowded, semantic: crowded });
    const [{ hits } = NOTHING] = await search([question("q", 5)]);
    expect(hits).toHaveLength(5);
  });

  test("of mode keyword drops what has no word of the question: the index compares hashes", async () => {
    const { search, question } = opened();
    const [{ hits } = NOTHING] = await search([question("lighthouse", 3, "keyword")]);
    expect(hits).toEqual([]);
  });

  test("skips results that the store no longer has, and fills their places", async () => {
    const { search, question } = opened({ gone: new Set(["s1", "s3"]) });
    const [{ hits } = NOTHING] = await search([question("q", 3)]);
    expect(hits.map((hit) => hit.study.id)).toEqual(["s2", "s4", "s5"]);
  });

  test("folds case studies with nearly the same text into the best, and fills their places", async () => {
    const text = "c9511a3cae2bf7ec";
    const { search, question } = opened({
      // s2 differs from s1 in three bits, s3 in four.
      fingerprints: { s1: text, s2: "c9511a3cae2bf7eb", s3: "c9511a3cae2bf7e3", s4: text, s5: text, s6: text },
      clients: { s1: "Northgate", s4: "northgate", s5: "Brightpine" },
    });
    const [{ hits } = NOTHING] = await search([question("q", 3)]);
    expect(hits.map(({ study: { id }, also_in }) => [id, also_in.map((other) => other.id)])).toEqual([
      ["s1", ["s2", "s4", "s6"]],
      ["s3", []],
      ["s5", []],
    ]);
  });

  test("returns as many results as requested behind many copies of one story", async () => {
    const copies = Object.fromEntries(list(20).map(({ study: id }) => [id, "c9511a3cae2bf7ec"]));
    const { search, question } = opened({ fingerprints: copies });
    const [{ hits } = NOTHING] = await search([question("q", 3)]);
    expect(hits.map((hit) => hit.study.id)).toEqual(["s1", "s21", "s22"]);
    expect(hits[0]?.also_in).toHaveLength(19);
  });

  test("without results is an empty answer", async () => {
    const { search, question } = opened({ keyword: [], semantic: [] });
    expect(await search([question("q")])).toEqual([NOTHING]);
  });

  test("ends when its caller disconnects", async () => {
    const { search, question } = opened();
    await expect(search([question("q")], AbortSignal.abort(new Error("left")))).rejects.toThrow("left");
  });
});

describe("a search with an index that cannot be read", () => {
  const BY_KEYWORD = "these results match by keyword only.";
  test.each([
    [["open"], "hybrid", ["stored"], `The search index cannot be read: ${BY_KEYWORD}`],
    [["open"], "semantic", ["stored"], `The search index cannot be read: ${BY_KEYWORD}`],
    [["keyword", "nearest"], "hybrid", ["stored"], `The search index cannot be read: ${BY_KEYWORD}`],
    [["keyword", "nearest"], "semantic", ["stored"], `The search index cannot be read: ${BY_KEYWORD}`],
    [["keyword", "nearest"], "keyword", ["stored"], `The search index cannot be read: ${BY_KEYWORD}`],
    [["nearest"], "hybrid", ["keyword"], `The vectors of the search index cannot be read: ${BY_KEYWORD}`],
    [["nearest"], "semantic", ["keyword"], `The vectors of the search index cannot be read: ${BY_KEYWORD}`],
    [["nearest"], "keyword", ["keyword"], null],
    [
      ["keyword"],
      "hybrid",
      ["nearest"],
      "The words of the search index cannot be read: these results match by meaning only.",
    ],
    [["keyword"], "semantic", ["nearest"], null],
    [["keyword"], "keyword", ["stored"], `The search index cannot be read: ${BY_KEYWORD}`],
  ] as const)("answers without %p in mode %s from %p", async (broken, mode, sides, degraded) => {
    const { search, asked, reported, question } = opened({ broken });
    const [answer = NOTHING] = await search([question("harbours", 2, mode, "tidewell")]);
    expect(answer.hits.map(({ study }) => study.id)).toEqual(["s1", "s2"]);
    expect(answer.degraded).toBe(degraded);
    const sidesOf = asked.filter((ask) => !ask.startsWith("embed")).map((ask) => ask.split(" ")[0]);
    expect([...new Set(sidesOf)]).toEqual([...sides]);
    expect(asked.filter((ask) => ask.endsWith(" tidewell"))).toHaveLength(1);
    if (degraded !== null) expect(reported.length).toBeGreaterThan(0);
  });

  test("compares the stored words token by token when the model can", async () => {
    const compared = (text: string) => (text.includes("Passage 2 ") ? 1 : 0.1);
    const { search, question } = opened({ broken: ["keyword", "nearest"], compared });
    const [answer = NOTHING] = await search([question("harbours", 2)]);
    expect(answer.hits.map(({ study }) => study.id)).toEqual(["s2", "s1"]);
  });

  test("answers from the database while the index is being built and finds nothing", async () => {
    const building = opened({ keyword: [], semantic: [], pending: 3 });
    const [answer = NOTHING] = await building.search([building.question("harbours", 2)]);
    expect(answer.hits.map(({ study }) => study.id)).toEqual(["s1", "s2"]);
    expect(answer.degraded).toBe(`The search index is being built: ${BY_KEYWORD}`);
    expect(building.reported).toEqual([]);
  });
});
