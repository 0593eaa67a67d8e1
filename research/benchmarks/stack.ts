import { mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { openDatabase } from "../../src/db/database.ts";
import { ALL_COMPANIES, type Condition, type Question } from "../../src/stack/entry.ts";
import { ANY_DAY } from "../../src/stack/postings.ts";
import { type CompanyRecord, createStackRepository, MAX_PENDING, type Term } from "../../src/stack/repository.ts";

/**
 * Measures the stack index: companies saved in a second, the time of random Boolean questions, and the size on the disk.
 * Each answer is compared with a count over plain arrays that share no code with the index.
 */

const TOOLS = 2_000;
const CATEGORIES = 60;
const HOSTS = 50_000;
const TOPS = 40;
const TOOLS_PER_COMPANY = 40;
const HOSTS_PER_COMPANY = 8;
const BATCH = 500;
const FIRST_DAY = 8_000;
const LAST_DAY = 9_800;

/** Processor time of this process in milliseconds: other work of the machine does not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A sampler of 0…count−1 with weights 1/(rank + 10)^0.9: the most common tool is at about half of all companies. */
function skewed(count: number, random: () => number): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) sums[rank] = sum += 1 / (rank + 10) ** 0.9;
  return () => {
    const wanted = random() * sum;
    let low = 0;
    for (let high = count - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** The plain copy: one row per posting, grouped by term after `sort`. */
class PlainRows {
  private readonly rows: Map<string, { company: number[]; confidence: number[]; first: number[]; last: number[] }> =
    new Map();
  add(key: string, company: number, confidence: number, first: number, last: number): void {
    let row = this.rows.get(key);
    if (!row) {
      row = { company: [], confidence: [], first: [], last: [] };
      this.rows.set(key, row);
    }
    row.company.push(company);
    row.confidence.push(confidence);
    row.first.push(first);
    row.last.push(last);
  }
  mark(marks: Uint8Array, key: string, minConfidence: number, since: number, until: number): void {
    const row = this.rows.get(key);
    if (!row) return;
    for (let index = 0; index < row.company.length; index++) {
      if ((row.confidence[index] ?? 0) < minConfidence) continue;
      if ((row.last[index] ?? 0) < since || (row.first[index] ?? 0) > until) continue;
      marks[row.company[index] ?? 0] = 1;
    }
  }
}

/** A condition by the names of its terms, for both sides. */
interface NamedCondition extends Omit<Condition, "terms"> {
  readonly keys: readonly string[];
}

const toolTerm = (tool: number): Term => ({
  kind: "tool",
  key: `tool-${tool}`,
  name: `Tool ${tool}`,
  category: `Category ${tool % CATEGORIES}`,
});
const hostTerm = (host: number): Term => ({
  kind: "script",
  key: `com.host-${host}.`,
  name: `host-${host}.com`,
  category: "",
});
const topTerm = (top: number): Term => ({ kind: "top", key: `top-${top}`, name: `top-${top}`, category: "" });

export interface StackFigures {
  readonly companies: number;
  readonly questions: number;
  readonly companies_per_second: number;
  readonly rescans_per_second: number;
  readonly bytes: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  readonly wrong: number;
  readonly memory_mb: number;
}

/** @param folder on the disk to measure */
export async function benchStack(options: {
  readonly folder: string;
  readonly companies: number;
  readonly questions: number;
}): Promise<StackFigures> {
  const { companies, questions } = options;
  const dir = await mkdtemp(join(resolve(options.folder), "casefile-stack-"));
  const database = await openDatabase({ dataDir: join(dir, "data"), clock: () => new Date() });
  try {
    const stack = createStackRepository(database.lazyQueries);
    await stack.reset();
    const random = randomOf(1);
    const anyTool = skewed(TOOLS, random);
    const anyHost = skewed(HOSTS, random);
    const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
    const plain = new PlainRows();
    const latest: CompanyRecord[] = [];

    const recordOf = (company: number): CompanyRecord => {
      const scanned = whole(LAST_DAY - 200, LAST_DAY);
      const chosen = new Set<number>();
      while (chosen.size < TOOLS_PER_COMPANY) chosen.add(anyTool());
      const tools = [...chosen].map((tool) => {
        const first = whole(FIRST_DAY, scanned);
        return {
          term: toolTerm(tool),
          confidence: whole(20, 100),
          first,
          last: random() < 0.8 ? scanned : whole(first, scanned),
        };
      });
      const hosts = new Set(Array.from({ length: HOSTS_PER_COMPANY }, anyHost));
      const appeared = tools.filter(() => random() < 0.1).map(({ term, first }) => ({ term, day: first }));
      const gone = Array.from({ length: 2 }, anyTool)
        .filter((tool, index, all) => !chosen.has(tool) && all.indexOf(tool) === index)
        .map((tool) => ({ term: toolTerm(tool), day: whole(FIRST_DAY, scanned) }));
      return {
        domain: `company-${company}.example`,
        first_scanned_at: "2026-01-01T00:00:00.000Z",
        scanned_at: new Date(Date.UTC(2026, 0, 1) + company * 1_000).toISOString(),
        revision: null,
        scanned,
        tools,
        tools_detected: tools.length,
        terms: [...[...hosts].map(hostTerm), topTerm(whole(0, TOPS - 1))],
        appeared,
        gone,
      };
    };
    const addPlain = (company: number, { tools, terms, appeared, gone, scanned }: CompanyRecord) => {
      plain.add("all", company, 0, scanned, scanned);
      for (const { term, confidence, first, last } of tools)
        plain.add(`use ${term.key}`, company, confidence, first, last);
      for (const term of terms) plain.add(`use ${term.key}`, company, 0, 0, ANY_DAY);
      for (const { term, day } of appeared) plain.add(`appeared ${term.key}`, company, 0, day, day);
      for (const { term, day } of gone) plain.add(`gone ${term.key}`, company, 0, day, day);
    };

    // Saved as the indexer does: some at a time, merged when enough are pending.
    let elapsed = 0;
    const saveAll = async (records: readonly CompanyRecord[], state: { pending: number }) => {
      const started = processorMs();
      await stack.save(records);
      state.pending += records.length;
      if (state.pending >= MAX_PENDING) {
        while (await stack.merge());
        state.pending = 0;
      }
      elapsed += processorMs() - started;
    };
    const state = { pending: 0 };
    for (let company = 0; company < companies; company += BATCH) {
      const records = Array.from({ length: Math.min(BATCH, companies - company) }, (_, index) =>
        recordOf(company + index),
      );
      await saveAll(records, state);
      for (const [index, record] of records.entries()) {
        addPlain(company + index + 1, record);
        if (latest.length < 5_000) latest.push(record);
      }
      if (company % 100_000 === 0) console.error(`${company} companies, ${Math.round(elapsed)} ms`);
    }
    const companies_per_second = (companies / elapsed) * 1_000;

    // The same stack a week later, spread over all chunks: what a rescan of known companies costs.
    elapsed = 0;
    const again = Array.from({ length: Math.min(5_000, latest.length) }, (_, index) => latest[index]).flatMap(
      (record) => (record ? { ...record, scanned_at: "2026-12-01T00:00:00.000Z" } : []),
    );
    for (let start = 0; start < again.length; start += BATCH) await saveAll(again.slice(start, start + BATCH), state);
    const rescans_per_second = (again.length / elapsed) * 1_000;

    const numbers = new Map<string, number>([["all", ALL_COMPANIES]]);
    for (const kind of ["tool", "script", "top"] as const)
      for (const { key, id } of await stack.termsWithPrefix(kind, "", 1_000_000)) numbers.set(key, id);

    const condition = (): NamedCondition => {
      const kind = random();
      const none = { minConfidence: 0, since: 0, until: ANY_DAY };
      if (kind < 0.05) return { keys: [hostTerm(anyHost()).key], list: "use", filter: none };
      if (kind < 0.1) return { keys: [topTerm(whole(0, TOPS - 1)).key], list: "use", filter: none };
      const tool = random() < 0.5 ? anyTool() : whole(0, TOOLS - 1);
      const isCategory = kind < 0.25;
      const keys = isCategory
        ? Array.from(
            { length: Math.ceil((TOOLS - (tool % CATEGORIES)) / CATEGORIES) },
            (_, index) => toolTerm((tool % CATEGORIES) + index * CATEGORIES).key,
          )
        : [toolTerm(tool).key];
      const from = whole(FIRST_DAY, LAST_DAY);
      if (kind < 0.35)
        return {
          keys,
          list: kind < 0.3 ? "appeared" : "gone",
          filter: { minConfidence: 0, since: from, until: from + whole(10, 400) },
        };
      return {
        keys,
        list: "use",
        filter: {
          minConfidence: random() < 0.7 ? 50 : whole(20, 95),
          since: random() < 0.2 ? from : 0,
          until: random() < 0.2 ? whole(from, LAST_DAY) : ANY_DAY,
        },
      };
    };
    const several = (least: number, most: number) => Array.from({ length: whole(least, most) }, condition);

    const times: number[] = [];
    const findTimes: number[] = [];
    let wrong = 0;
    const total = new Uint8Array(companies + 1);
    for (let question = 0; question < questions; question++) {
      const asked = { all: several(0, 3), any: random() < 0.4 ? several(1, 4) : [], none: several(0, 2) };
      const inNumbers = (list: readonly NamedCondition[]) =>
        list.map(({ keys, ...rest }) => ({ ...rest, terms: keys.flatMap((key) => numbers.get(key) ?? []) }));
      const numbered: Question = { all: inNumbers(asked.all), any: inNumbers(asked.any), none: inNumbers(asked.none) };
      const started = processorMs();
      const found = await stack.find(numbered);
      const foundMs = processorMs() - started;
      await stack.page(found, { sort: "domain", limit: 20 });
      times.push(processorMs() - started);
      findTimes.push(foundMs);

      const marksOf = ({ keys, list, filter }: NamedCondition) => {
        const marks = new Uint8Array(companies + 1);
        for (const key of keys) plain.mark(marks, `${list} ${key}`, filter.minConfidence, filter.since, filter.until);
        return marks;
      };
      total.fill(1);
      total[0] = 0;
      for (const marks of asked.all.map(marksOf))
        for (let at = 0; at <= companies; at++) total[at] = (total[at] ?? 0) & (marks[at] ?? 0);
      const any = asked.any.map(marksOf);
      if (any.length > 0)
        for (let at = 0; at <= companies; at++) if (!any.some((marks) => marks[at] === 1)) total[at] = 0;
      for (const marks of asked.none.map(marksOf))
        for (let at = 0; at <= companies; at++) if (marks[at] === 1) total[at] = 0;
      let count = 0;
      for (const value of total) count += value;
      if (count !== found.total) {
        wrong += 1;
        console.error(`wrong: ${found.total} instead of ${count}: ${JSON.stringify(asked)}`);
      }
      if (question % 1_000 === 999) console.error(`${question + 1} questions`);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) =>
      Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1));
    findTimes.sort((a, b) => a - b);
    console.error(`without the page: p95 ${findTimes[Math.floor(findTimes.length * 0.95)]} ms`);
    await database.backup(join(dir, "copy.sqlite"));
    return {
      companies,
      questions,
      companies_per_second: Math.round(companies_per_second),
      rescans_per_second: Math.round(rescans_per_second),
      bytes: Bun.file(join(dir, "copy.sqlite")).size,
      p50_ms: at(0.5),
      p95_ms: at(0.95),
      p99_ms: at(0.99),
      max_ms: at(1),
      wrong,
      memory_mb: Math.round(process.memoryUsage().rss / 1_000_000),
    };
  } finally {
    await database.close();
    await rm(dir, { recursive: true, force: true });
  }
}
