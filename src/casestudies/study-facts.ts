import type { Kysely } from "kysely";
import { createTurns } from "../core/async.ts";
import { normaliseName } from "../core/text.ts";
import type { Tables } from "../db/schema.ts";

/** What no column of a case study answers: which tools it names, and whether one of its outcomes has a figure. */
export interface StudyFacts {
  /** Row numbers of the case studies that name a tool, in any case. */
  naming(tool: string): readonly number[];
  /**
   * Tools by the number of case studies that name them, most first, under their most frequent spelling.
   *
   * @param within row numbers; without them all case studies count
   */
  countTools(most: number, within?: readonly number[]): readonly { readonly name: string; readonly count: number }[];
  /** How many case studies have an outcome with a figure. */
  countFigures(within?: readonly number[]): number;
}

/** Reads the facts of all case studies once, and then of those that changed. */
export interface FactReader {
  /** Changes with every change of the case studies. */
  version(): Promise<string>;
  read(): Promise<StudyFacts>;
}

/** Rows in one query: other requests are answered between two. */
const BATCH = 500;
/** Changed case studies that are kept apart; with more, all are read again. */
const MAX_CHANGED = 5_000;
/** Nodes of one database may have clocks that differ as much. */
const CLOCKS_DIFFER_MS = 60_000;

interface NamedTool {
  readonly numbers: number[];
  /** How often each spelling occurs. */
  readonly spellings: Map<string, number>;
}

interface ReadFacts {
  /** By the name in lower case. */
  readonly tools: Map<string, NamedTool>;
  readonly withFigures: number[];
  /** All row numbers that were read. */
  readonly numbers: number[];
}

interface Version {
  readonly count: number;
  readonly updated_at: string;
  readonly last: number;
}

interface Base extends Version {
  readonly facts: ReadFacts;
}

export function createFactReader(queries: Kysely<Tables>): FactReader {
  const turn = createTurns();
  let base: Base | undefined;
  let current: { readonly version: string; readonly facts: StudyFacts } | undefined;
  let reading: Promise<void> | undefined;

  const versionOf = async (): Promise<Version> => {
    const row = await queries
      .selectFrom("case_studies")
      .select(({ fn }) => [
        fn.countAll<number>().as("count"),
        fn.max<string | null>("updated_at").as("updated_at"),
        fn.max<number | null>("number").as("last"),
      ])
      .executeTakeFirstOrThrow();
    return { count: Number(row.count), updated_at: row.updated_at ?? "", last: Number(row.last ?? 0) };
  };
  const textOf = ({ count, updated_at, last }: Version) => `${count} ${updated_at} ${last}`;

  /** Adds what rows state, batch by batch. */
  const collect = async (since: string | undefined, most: number): Promise<ReadFacts | undefined> => {
    const facts = noFacts();
    const keys = new Map<string, string>();
    for (let after = 0; ; ) {
      const rows = await queries
        .selectFrom("case_studies")
        .$if(since !== undefined, (query) => query.where("updated_at", ">=", since ?? ""))
        .where("number", ">", after)
        .select(["number", "tools"])
        .orderBy("number")
        .limit(BATCH)
        .execute();
      const last = rows.at(-1)?.number;
      if (last === undefined) return facts;
      const figures = await queries
        .selectFrom("outcomes")
        .where("study_number", ">", after)
        .where("study_number", "<=", last)
        .where("value", "is not", null)
        .select("study_number")
        .distinct()
        .execute();
      const withFigure = new Set(figures.map(({ study_number }) => study_number));
      for (const { number, tools } of rows) {
        facts.numbers.push(number);
        if (withFigure.has(number)) facts.withFigures.push(number);
        if (tools !== "[]") addTools(facts.tools, keys, number, JSON.parse(tools));
      }
      if (facts.numbers.length > most) return undefined;
      after = last;
      await turn();
    }
  };

  const refresh = async (): Promise<void> => {
    const version = await versionOf();
    const changed = base && version.count > 0 ? await changedSince(base, version) : undefined;
    if (base && changed) {
      current = { version: textOf(version), facts: factsOf(base.facts, changed) };
      return;
    }
    const facts = (await collect(undefined, Number.POSITIVE_INFINITY)) ?? noFacts();
    // Rows may have been added since the version was read.
    base = { ...version, count: facts.numbers.length, last: facts.numbers.at(-1) ?? 0, facts };
    current = { version: textOf(version), facts: factsOf(facts) };
  };

  /** Undefined when too many changed, or some were removed, which leaves no trace. */
  const changedSince = async (known: Base, version: Version): Promise<ReadFacts | undefined> => {
    const time = Date.parse(known.updated_at);
    if (Number.isNaN(time)) return undefined;
    const changed = await collect(new Date(time - CLOCKS_DIFFER_MS).toISOString(), MAX_CHANGED);
    const added = changed?.numbers.filter((number) => number > known.last).length ?? 0;
    return changed && version.count >= known.count + added ? changed : undefined;
  };

  const version = async () => textOf(await versionOf());
  return {
    version,
    async read() {
      // What is being read may be older than a change that the caller has made.
      for (let attempt = 0; attempt < 3 && current?.version !== (await version()); attempt += 1) {
        reading ??= refresh().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return current?.facts ?? factsOf(noFacts());
    },
  };
}

const noFacts = (): ReadFacts => ({ tools: new Map(), withFigures: [], numbers: [] });

/** @param keys by name, because few names are in all records */
function addTools(
  tools: Map<string, NamedTool>,
  keys: Map<string, string>,
  number: number,
  names: readonly string[],
): void {
  for (const name of names) {
    const key = keys.get(name) ?? normaliseName(name);
    keys.set(name, key);
    const tool: NamedTool = tools.get(key) ?? { numbers: [], spellings: new Map() };
    tools.set(key, tool);
    tool.spellings.set(name, (tool.spellings.get(name) ?? 0) + 1);
    // Two spellings in one case study.
    if (tool.numbers.at(-1) !== number) tool.numbers.push(number);
  }
}

/** The facts of rows, of which some were read again. */
function factsOf(all: ReadFacts, changed?: ReadFacts): StudyFacts {
  const again = new Set<number>(changed?.numbers);
  const namingIn = (key: string): readonly number[] => {
    const numbers = all.tools.get(key)?.numbers ?? [];
    if (!changed) return numbers;
    return [...numbers.filter((number) => !again.has(number)), ...(changed.tools.get(key)?.numbers ?? [])];
  };
  return {
    naming: (tool) => namingIn(normaliseName(tool)),
    countTools(most, within) {
      const counted = within && new Set(within);
      return [...new Set([...all.tools.keys(), ...(changed?.tools.keys() ?? [])])]
        .map((key) => {
          const numbers = namingIn(key);
          const count = counted ? numbers.reduce((sum, each) => sum + Number(counted.has(each)), 0) : numbers.length;
          return { key, count };
        })
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1))
        .slice(0, most)
        .map(({ key, count }) => ({ name: spellingOf(all.tools.get(key) ?? changed?.tools.get(key), key), count }));
    },
    countFigures(within) {
      const counted = within && new Set(within);
      const numbers = [...all.withFigures.filter((number) => !again.has(number)), ...(changed?.withFigures ?? [])];
      return counted ? numbers.filter((number) => counted.has(number)).length : numbers.length;
    },
  };
}

const spellingOf = (tool: NamedTool | undefined, key: string): string =>
  [...(tool?.spellings ?? [])].sort(
    ([one, often], [other, oftener]) => oftener - often || (one < other ? -1 : 1),
  )[0]?.[0] ?? key;
