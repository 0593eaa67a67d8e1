import { expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../src/db/database.ts";
import { decodeEntry, encodeEntry, type Question } from "../../src/stack/entry.ts";
import { ANY_DAY, CHUNK_SIZE, changeChunk, decodeChunk, type Posting } from "../../src/stack/postings.ts";
import {
  type CompanyRecord,
  createStackRepository,
  type StackRepository,
  type Term,
} from "../../src/stack/repository.ts";
import { inFolder } from "./folders.ts";

/** Mulberry32. */
function randomOf(seed: number) {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { random, whole: (from: number, to: number) => from + Math.floor(random() * (to - from + 1)) };
}

const term = (tool: number): Term => ({ kind: "tool", key: `tool-${tool}`, name: `Tool ${tool}`, category: "CRM" });
const TOOLS = 30;

type Random = ReturnType<typeof randomOf>;

function recordOf(number: number, { random, whole }: Random): CompanyRecord {
  const scanned = whole(9_700, 9_800);
  const tools = Array.from({ length: TOOLS }, (_, tool) => tool)
    .filter((tool) => random() < 1 / (tool + 1.5))
    .map((tool) => {
      const first = whole(9_000, scanned);
      return {
        term: term(tool),
        confidence: whole(20, 100),
        first,
        last: random() < 0.7 ? scanned : whole(first, scanned),
      };
    });
  const events = () =>
    Array.from({ length: whole(0, 3) }, () => ({ term: term(whole(0, TOOLS - 1)), day: whole(9_000, scanned) }));
  return {
    domain: `company-${number}.test`,
    first_scanned_at: "2026-01-01T00:00:00.000Z",
    scanned_at: `2026-02-01T00:00:00.${String(number % 1_000).padStart(3, "0")}Z`,
    revision: null,
    scanned,
    tools,
    tools_detected: tools.length,
    terms: [{ kind: "top", key: number % 3 === 0 ? "de" : "com", name: "", category: "" }],
    appeared: events(),
    gone: events(),
  };
}

/** Whether a company answers a question: written anew, on the records themselves. */
function isMatch(record: CompanyRecord, question: Question, nameOf: ReadonlyMap<number, string>): boolean {
  const holds = ({ terms, list, filter }: Question["all"][number]) => {
    const keys = terms.map((id) => nameOf.get(id));
    if (terms.includes(0)) return record.scanned >= filter.since && record.scanned <= filter.until;
    if (list !== "use")
      return record[list].some(
        ({ term: { key }, day }) => keys.includes(key) && day >= filter.since && day <= filter.until,
      );
    return (
      record.terms.some(({ key }) => keys.includes(key)) ||
      record.tools.some(
        ({ term: { key }, confidence, first, last }) =>
          keys.includes(key) && confidence >= filter.minConfidence && last >= filter.since && first <= filter.until,
      )
    );
  };
  const { all, any, none, prefix = "" } = question;
  return (
    all.every(holds) && (any.length === 0 || any.some(holds)) && !none.some(holds) && record.domain.startsWith(prefix)
  );
}

async function numbersOf(stack: StackRepository): Promise<ReadonlyMap<number, string>> {
  const kinds = await Promise.all((["tool", "top"] as const).map((kind) => stack.termsWithPrefix(kind, "", 1_000)));
  return new Map(kinds.flat().map(({ id, key }) => [id, key]));
}

function questionOf(names: ReadonlyMap<number, string>, { random, whole }: Random): Question {
  const ids = [...names.keys()];
  const tools = ids.filter((id) => names.get(id)?.startsWith("tool-"));
  const condition = (): Question["all"][number] => {
    if (random() < 0.1)
      return { terms: [0], list: "use", filter: { minConfidence: 0, since: whole(9_650, 9_820), until: ANY_DAY } };
    if (random() < 0.1)
      return {
        terms: ids.filter((id) => names.get(id) === "de"),
        list: "use",
        filter: { minConfidence: 0, since: 0, until: ANY_DAY },
      };
    const list = (["use", "use", "use", "appeared", "gone"] as const)[whole(0, 4)] ?? "use";
    const from = random() < 0.5 ? whole(9_000, 9_800) : 0;
    return {
      terms: Array.from({ length: whole(1, 4) }, () => tools[whole(0, tools.length - 1)] ?? 0).filter((id) => id !== 0),
      list,
      filter: {
        minConfidence: list === "use" && random() < 0.7 ? whole(0, 100) : 0,
        since: from,
        until: random() < 0.5 ? whole(Math.max(from, 9_000), 9_800) : ANY_DAY,
      },
    };
  };
  const several = (most: number) => Array.from({ length: whole(0, most) }, condition);
  return {
    all: several(2),
    any: several(2),
    none: several(2),
    ...(random() < 0.1 ? { prefix: `company-${whole(1, 9)}` } : {}),
  };
}

test("random questions have the answers of a count over all companies, through saves, rescans and merges", async () => {
  const database = await openDatabase({ dataDir: ":memory:", clock: () => new Date() });
  const stack = createStackRepository(database.lazyQueries);
  await stack.reset();
  const random = randomOf(7);
  const records = new Map<string, CompanyRecord>();
  for (let round = 0; round < 6; round++) {
    const batch = Array.from({ length: 120 }, (_, index) =>
      recordOf(round % 2 === 0 ? index + round * 60 : random.whole(0, 400), random),
    );
    const distinct = [...new Map(batch.map((record) => [record.domain, record])).values()];
    await stack.save(distinct);
    for (const record of distinct) records.set(record.domain, record);
    // Some rounds ask while companies are pending.
    if (round % 3 !== 1) while (await stack.merge());
    const names = await numbersOf(stack);
    for (let asked = 0; asked < 60; asked++) {
      const question = questionOf(names, random);
      const expected = [...records.values()]
        .filter((record) => isMatch(record, question, names))
        .map(({ domain }) => domain);
      const found = await stack.find(question);
      const { rows } = await stack.page(found, { sort: "domain", limit: 1_000 });
      expect({ question, domains: rows.map(({ domain }) => domain) }).toEqual({ question, domains: expected.sort() });
      expect(found.total).toBe(expected.length);
    }
    const counts = new Map((await stack.toolCounts()).map(({ key, companies }) => [key, companies]));
    for (let tool = 0; tool < 5; tool++) {
      const users = [...records.values()].filter(({ tools }) =>
        tools.some((each) => each.term.key === `tool-${tool}` && each.confidence >= 50),
      );
      expect(counts.get(`tool-${tool}`)).toBe(users.length);
    }
  }
  await database.close();
});

test("pages in every order list each company once", async () => {
  const database = await openDatabase({ dataDir: ":memory:", clock: () => new Date() });
  const stack = createStackRepository(database.lazyQueries);
  await stack.reset();
  const random = randomOf(3);
  await stack.save(Array.from({ length: 50 }, (_, number) => recordOf(number, random)));
  const found = await stack.find({ all: [], any: [], none: [] });
  for (const sort of ["domain", "scanned_at", "tools"] as const)
    for (const within of [found, undefined]) {
      const domains: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page: Awaited<ReturnType<StackRepository["page"]>> = await stack.page(within, { sort, limit: 7, cursor });
        domains.push(...page.rows.map(({ domain }) => domain));
        cursor = page.next_cursor;
      }
      expect(new Set(domains).size).toBe(50);
      expect(domains).toHaveLength(50);
    }
  await database.close();
});

test("a chunk keeps its postings as an array and as a bitmap, and through changes", () => {
  const { whole } = randomOf(5);
  for (const count of [1, 900, 5_000]) {
    const positions = [...new Set(Array.from({ length: count }, () => whole(0, CHUNK_SIZE - 1)))].sort((a, b) => a - b);
    const postings: Posting[] = positions.map((position) => ({
      company: CHUNK_SIZE + position,
      confidence: whole(0, 100),
      first: whole(1, 9_000),
      last: whole(0, 1) * 9_001,
    }));
    const stored = changeChunk(undefined, new Set(), postings);
    expect(stored && decodeChunk(stored, 1)).toEqual(postings);
    const removed = new Set(postings.filter((_, index) => index % 3 === 0).map(({ company }) => company));
    const kept = postings.filter(({ company }) => !removed.has(company));
    const less = changeChunk(stored ?? undefined, removed, []);
    expect(less === null ? [] : decodeChunk(less, 1)).toEqual(kept);
    const again = changeChunk(
      less ?? undefined,
      new Set(),
      postings.filter(({ company }) => removed.has(company)),
    );
    expect(again && decodeChunk(again, 1)).toEqual(postings);
  }
});

test("an entry is read as it was written, and a damaged one is refused", () => {
  const entry = {
    scanned: 9_700,
    tools: [
      { term: 3, confidence: 90, first: 9_000, last: 9_700 },
      { term: 300, confidence: 20, first: 1, last: 9_600 },
    ],
    terms: [1, 70_000],
    appeared: [
      { term: 3, day: 9_000 },
      { term: 3, day: 9_500 },
    ],
    gone: [],
  };
  const bytes = encodeEntry(entry);
  expect(decodeEntry(bytes)).toEqual(entry);
  expect(() => decodeEntry(bytes.subarray(0, bytes.length - 3))).toThrow(RangeError);
});

test("a search in one process finds what another process saves and merges meanwhile", async () => {
  await inFolder(async (folder) => {
    const dataDir = join(folder, "data");
    const [one, other] = [
      await openDatabase({ dataDir, clock: () => new Date() }),
      await openDatabase({ dataDir, clock: () => new Date() }),
    ];
    const [first, second] = [createStackRepository(one.lazyQueries), createStackRepository(other.lazyQueries)];
    await first.reset();
    const random = randomOf(11);
    const everyone: Question = { all: [], any: [], none: [] };
    for (let round = 1; round <= 5; round++) {
      await second.save(Array.from({ length: 20 }, (_, index) => recordOf(round * 20 + index, random)));
      expect((await first.find(everyone)).total).toBe(round * 20);
      const [found] = await Promise.all([first.find(everyone), second.merge()]);
      expect(found.total).toBe(round * 20);
    }
    // Another process rebuilds the index: numbers of terms that this one knows are void.
    await second.reset();
    await first.save([recordOf(1, random)]);
    expect((await second.find(everyone)).total).toBe(1);
    const names = await numbersOf(second);
    const [row] = (await second.page(await second.find(everyone), { sort: "domain", limit: 1 })).rows;
    for (const { term: id } of row?.entry.tools ?? []) expect(names.has(id)).toBe(true);
    await Promise.all([one.close(), other.close()]);
  });
});
