import type { Kysely } from "kysely";
import { createTurns } from "../core/async.ts";
import { normaliseName } from "../core/text.ts";
import type { Tables } from "../db/schema.ts";
import { newestChanges } from "./save.ts";

/** What no column of a case study answers: which tools it names, and whether one of its outcomes has a figure. */
export interface StudyFacts {
  /** Row numbers of the case studies that name a tool, in any case. */
  naming(tool: string): readonly number[];
  /** @param within row numbers; without them all case studies count */
  count(mostTools: number, within?: readonly number[]): Promise<FactCounts>;
}

interface FactCounts {
  /** By the number of case studies that name them, most first, under their most frequent spelling. */
  readonly tools: readonly { readonly name: string; readonly count: number }[];
  /** How many case studies have an outcome with a figure. */
  readonly figures: number;
}

/** Reads the facts of all case studies once, and then of those that changed. */
export interface FactReader {
  /** Changes with every change of the case studies. */
  version(): Promise<string>;
  /**
   * While many changes are read, the facts may be those of up to half a minute before.
   *
   * @param version where the caller has read it
   */
  read(version?: string): Promise<StudyFacts>;
}

/** Rows in one query: other requests are answered between two. */
const BATCH = 500;
const NUMBERS_BATCH = 5_000;
/** Row numbers that are counted at once. */
const COUNTED = 50_000;
/** After that long all are read again, whatever the version says. */
const ALL_AGAIN_MS = 15 * 60_000;
/** Later callers do not wait for a reading that takes longer, unless what was read before is older than `MAX_AGE_MS`. */
const MAX_WAIT_MS = 1_000;
const MAX_AGE_MS = 30_000;

interface NamedTool {
  readonly numbers: readonly number[];
  /** How often each spelling was read, the oldest first; those of what changed or was removed count until all are read again. */
  readonly spellings: ReadonlyMap<string, number>;
}

interface ReadFacts {
  /** By the name in lower case. */
  readonly tools: ReadonlyMap<string, NamedTool>;
  readonly withFigures: readonly number[];
}

interface Version {
  /** When a case study was last saved: later than every earlier change, see `changeTime`. */
  readonly changed: string;
  /** When one was last removed. */
  readonly removed: string;
}

interface Known extends Version {
  readonly read: ReadFacts;
  readonly facts: StudyFacts;
  /** Every case study with a higher number is new. */
  readonly last: number;
  readonly readAt: number;
  readonly allReadAt: number;
}

export function createFactReader(queries: Kysely<Tables>, now = () => performance.now()): FactReader {
  const turn = createTurns();
  let known: Known | undefined;
  let reading: { readonly since: number; readonly done: Promise<StudyFacts> } | undefined;

  const version = async (): Promise<Version> => {
    const { changed, removed } = await queries.selectNoFrom(newestChanges).executeTakeFirstOrThrow();
    return { changed: changed ?? "", removed: removed ?? "" };
  };

  /** Row numbers of what changed after that time, by the index on it. */
  const changedAfter = async (time: string): Promise<Set<number>> => {
    const numbers = new Set<number>();
    for (let [after, number] = [time, Number.MAX_SAFE_INTEGER]; ; ) {
      const rows = await queries
        .selectFrom("case_studies")
        .select(["updated_at", "number"])
        .where("updated_at", ">=", after)
        .where((eb) => eb.or([eb("updated_at", ">", after), eb("number", ">", number)]))
        .orderBy("updated_at")
        .orderBy("number")
        .limit(NUMBERS_BATCH)
        .execute();
      for (const row of rows) numbers.add(row.number);
      const last = rows.at(-1);
      if (!last) return numbers;
      [after, number] = [last.updated_at, last.number];
      await turn();
    }
  };

  const factsIn = async (all: ReadonlySet<number>): Promise<ReadFacts> => {
    const tools = new Map<string, NewTool>();
    const keys = new Map<string, string>();
    const withFigures: number[] = [];
    const numbers = [...all];
    for (let start = 0; start < numbers.length; start += BATCH) {
      const some = numbers.slice(start, start + BATCH);
      const rows = await queries
        .selectFrom("case_studies")
        .select(["number", "tools"])
        .where("number", "in", some)
        .where("tools", "!=", "[]")
        .orderBy("number")
        .execute();
      for (const row of rows) addTools(tools, keys, row.number, JSON.parse(row.tools));
      const figures = await queries
        .selectFrom("outcomes")
        .where("study_number", "in", some)
        .where("value", "is not", null)
        .select("study_number")
        .distinct()
        .execute();
      for (const { study_number } of figures) withFigures.push(study_number);
      await turn();
    }
    return { tools, withFigures };
  };

  /** @param isOld whether what was read before about a case study no longer holds */
  const joined = async (before: ReadFacts, added: ReadFacts, isOld?: (number: number) => boolean) => {
    const kept = (numbers: readonly number[]) => (isOld ? numbers.filter((number) => !isOld(number)) : numbers);
    const tools = new Map(before.tools);
    let counted = 0;
    for (const [key, tool] of isOld ? before.tools : []) {
      const numbers = kept(tool.numbers);
      if (numbers.length < tool.numbers.length) tools.set(key, { ...tool, numbers });
      if (numbers.length === 0) tools.delete(key);
      counted += tool.numbers.length;
      if (counted > COUNTED) {
        counted = 0;
        await turn();
      }
    }
    for (const [key, { numbers, spellings }] of added.tools) {
      const tool = tools.get(key);
      const all = new Map(tool?.spellings);
      for (const [spelling, often] of spellings) all.set(spelling, (all.get(spelling) ?? 0) + often);
      tools.set(key, { numbers: [...(tool?.numbers ?? []), ...numbers], spellings: all });
    }
    return { tools, withFigures: [...kept(before.withFigures), ...added.withFigures] };
  };

  const refresh = async (): Promise<StudyFacts> => {
    const current = await version();
    const before = known && now() - known.allReadAt < ALL_AGAIN_MS ? known : undefined;
    const changed = await changedAfter(before?.changed ?? "");
    const added = await factsIn(changed);
    let read = added;
    if (before) {
      const present = current.removed === before.removed ? undefined : await changedAfter("");
      const hasOld = present !== undefined || [...changed].some((number) => number <= before.last);
      const isOld = (number: number) => changed.has(number) || (present !== undefined && !present.has(number));
      read = await joined(before.read, added, hasOld ? isOld : undefined);
    }
    const last = [...changed].reduce((most, number) => Math.max(most, number), before?.last ?? 0);
    const [facts, readAt] = [factsOf(read, turn), now()];
    known = { ...current, read, facts, last, readAt, allReadAt: before?.allReadAt ?? readAt };
    return facts;
  };

  return {
    version: async () => textOf(await version()),
    async read(given) {
      let wanted = given;
      for (let hasWaited = false; ; hasWaited = true) {
        wanted ??= textOf(await version());
        const isCurrent = known !== undefined && textOf(known) === wanted;
        const time = now();
        if (known && isCurrent && time - known.allReadAt < ALL_AGAIN_MS) return known.facts;
        // A reading that began earlier may lack a change that the caller has made; the next one has it.
        const isComplete = reading === undefined || hasWaited;
        reading ??= {
          since: time,
          done: refresh().finally(() => {
            reading = undefined;
          }),
        };
        const isSlow = time - reading.since > MAX_WAIT_MS && known && time - known.readAt < MAX_AGE_MS;
        if (known && (isCurrent || isSlow)) {
          // A caller that waits for it gets the error.
          reading.done.catch(() => {});
          return known.facts;
        }
        const facts = await reading.done;
        if (isComplete) return facts;
        wanted = undefined;
      }
    },
  };
}

const textOf = ({ changed, removed }: Version) => `${changed} ${removed}`;

interface NewTool {
  readonly numbers: number[];
  readonly spellings: Map<string, number>;
}

/** @param keys by name, because few names are in all records */
function addTools(
  tools: Map<string, NewTool>,
  keys: Map<string, string>,
  number: number,
  names: readonly string[],
): void {
  for (const name of names) {
    const key = keys.get(name) ?? normaliseName(name);
    keys.set(name, key);
    const tool: NewTool = tools.get(key) ?? { numbers: [], spellings: new Map() };
    tools.set(key, tool);
    tool.spellings.set(name, (tool.spellings.get(name) ?? 0) + 1);
    // Two spellings in one case study.
    if (tool.numbers.at(-1) !== number) tool.numbers.push(number);
  }
}

const factsOf = ({ tools, withFigures }: ReadFacts, turn: () => Promise<void>): StudyFacts => ({
  naming: (tool) => tools.get(normaliseName(tool))?.numbers ?? [],
  async count(mostTools, within) {
    const counted = within && new Set(within);
    const countOf = (numbers: readonly number[]) =>
      counted ? numbers.reduce((sum, each) => sum + Number(counted.has(each)), 0) : numbers.length;
    const counts: { key: string; spellings: NamedTool["spellings"]; count: number }[] = [];
    let done = 0;
    for (const [key, { numbers, spellings }] of tools) {
      const count = countOf(numbers);
      if (count > 0) counts.push({ key, spellings, count });
      done += numbers.length;
      if (counted && done > COUNTED) {
        done = 0;
        await turn();
      }
    }
    counts.sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1));
    return {
      tools: counts.slice(0, mostTools).map(({ key, spellings, count }) => ({ name: nameOf(spellings, key), count })),
      figures: countOf(withFigures),
    };
  },
});

const nameOf = (spellings: NamedTool["spellings"], key: string): string =>
  [...spellings].sort(([, often], [, oftener]) => oftener - often)[0]?.[0] ?? key;
