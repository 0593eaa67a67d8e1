import { parseIsoInstant } from "../core/dates.ts";
import { hostOf, topLevelOf } from "../core/domain.ts";
import { Failure } from "../core/errors.ts";
import { findClosest, quoted } from "../core/text.ts";
import { decodeCursor, encodeCursor } from "../db/cursor.ts";
import { recordedNames } from "../detection/captures/read-capture.ts";
import { withoutRules } from "../detection/evidence.ts";
import type { Catalogue } from "../detection/fingerprints/catalogue.ts";
import type { FeedbackRepository } from "../detection/fingerprints/repository.ts";
import type { Fingerprint } from "../detection/fingerprints/types.ts";
import { LEAST } from "../detection/levels.ts";
import type { Observation } from "../detection/observation.ts";
import { detectedIn } from "../detection/presenter.ts";
import type { ScanRepository } from "../detection/repository.ts";
import { howToStore } from "../detection/service.ts";
import { LOWEST_MIN_CONFIDENCE } from "../detection/weights.ts";
import type { Column, Row } from "../tabular/table.ts";
import { dateOf, dayOf } from "./days.ts";
import { ALL_COMPANIES, type Condition, type Entry, type Question } from "./entry.ts";
import { type FoldedHistory, foldObservations } from "./fold.ts";
import { ANY_DAY, NO_FILTER } from "./postings.ts";
import {
  type CompanyRecord,
  type CompanyRow,
  MAX_PENDING,
  type NumberedTerm,
  type StackRepository,
  type Term,
  type TermCount,
  type TermKind,
} from "./repository.ts";
import type {
  CompanyHistory,
  CompanyPageOptions,
  MatchedSignal,
  MatchedTool,
  StackCompany,
  StackCompanyPage,
  StackCondition,
  StackQuestion,
  StackTool,
  StackToolDetail,
  StackToolPage,
} from "./types.ts";

export interface StackService {
  /**
   * When a company began and ceased to use each tool, from all its scans and recordings.
   *
   * @param dates of the listed changes, ISO 8601, both included
   * @throws Failure `history.not_found`, `domain.invalid`, `query.invalid`
   */
  history(
    domain: string,
    dates?: { readonly since?: string | undefined; readonly until?: string | undefined },
  ): Promise<CompanyHistory>;
  /** When a domain was scanned or recorded, oldest first. @param domain as `history` returns it */
  observedAt(domain: string): Promise<readonly string[]>;
  /** Most companies first, then by name. @throws Failure `cursor.invalid` */
  tools(
    filter: { readonly q?: string | undefined; readonly category?: string | undefined },
    page?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<StackToolPage>;
  /** @param tool id, name or alias. @throws Failure `tool.not_found` */
  tool(tool: string): Promise<StackToolDetail>;
  /** The tool of the catalogue with the most similar name; undefined when none is similar. */
  closestTool(name: string): Pick<StackTool, "id" | "name" | "category"> | undefined;
  /** @throws Failure `tool.not_found`, `query.invalid`, `cursor.invalid` */
  search(question: StackQuestion, page?: CompanyPageOptions): Promise<StackCompanyPage>;
  /** Every company that answers the question, as rows of {@link EXPORT_COLUMNS}. @throws as `search`, at once */
  export(question: StackQuestion, options?: Pick<CompanyPageOptions, "sort">): Promise<AsyncIterable<Row>>;
  /** Indexes all scans that wait. @returns the number of companies */
  catchUp(): Promise<number>;
  /** Indexes scans in the background. */
  startWorker(): { stop(): Promise<void> };
}

export interface StackOptions {
  readonly stack: StackRepository;
  readonly scans: Pick<ScanRepository, "observations" | "observeStored" | "view" | "needsView">;
  readonly feedback: Pick<FeedbackRepository, "ofDomain">;
  readonly catalogue: Catalogue;
  readonly allowedReservedTlds: readonly string[];
  /** `scan.min_confidence`: the tools of a company that are counted. */
  readonly minConfidence: number;
  readonly onError: (task: string, error: unknown) => void;
}

export const EXPORT_COLUMNS = [
  { name: "domain", type: "text" },
  { name: "scanned_at", type: "instant" },
  { name: "tools_detected", type: "integer" },
  { name: "matched", type: "list" },
  { name: "confidence", type: "number" },
  { name: "first_seen", type: "text" },
  { name: "last_seen", type: "text" },
  { name: "gone_since", type: "text" },
  { name: "signals", type: "list" },
] as const satisfies readonly Column[];

const PAGE_SIZE = 20;
const EXPORT_PAGE = 1_000;
const INDEX_BATCH = 100;
/** Scans that a search indexes before it answers; more are left to the worker, and the answer says so. */
const INDEX_BEFORE_SEARCH = 200;
const POLL_MS = 1_000;
/** Raw signals that one condition may match. */
const MAX_SIGNAL_TERMS = 10_000;
const TOOL_LIST = "tools";
const SUBJECTS = ["tool", "category", "script", "txt", "cname"] as const;

export function createStackService(options: StackOptions): StackService {
  const { stack, scans, feedback, catalogue } = options;
  const catalogueTools = [...catalogue.tools.values()];
  const labels = new Map([...catalogue.categories.values()].map(({ id, label }) => [id, label]));

  const suppressedRules = async (domain: string): Promise<ReadonlySet<string>> =>
    new Set((await feedback.ofDomain(domain)).flatMap(({ rules }) => rules));

  const fold = (observations: readonly Observation[], suppressed: ReadonlySet<string>): FoldedHistory =>
    foldObservations(observations, {
      requires: (toolId) => catalogue.tools.get(toolId)?.requires ?? [],
      accepted: (detections) => (suppressed.size === 0 ? detections : withoutRules(detections, suppressed, catalogue)),
    });

  const recordOf = async (domain: string, revision: number): Promise<CompanyRecord | undefined> => {
    const observations = await scans.observations(domain);
    const [first] = observations;
    const newest = observations.at(-1);
    if (!first || !newest) return undefined;
    const suppressed = await suppressedRules(domain);
    const folded = fold(observations, suppressed);
    const { tools, changes, current } = folded;
    const termOf = new Map(tools.map((tool) => [tool.tool_id, toolTerm(tool.tool_id, tool.tool, tool.category)]));
    const used = tools.flatMap(({ tool_id, confidence, intervals }) => {
      const interval = intervals.at(-1);
      const term = termOf.get(tool_id);
      if (!current.has(tool_id) || !interval || !term) return [];
      const { first_seen, last_seen } = interval;
      return { term, confidence: Math.round(confidence * 100), first: dayOf(first_seen), last: dayOf(last_seen) };
    });
    const scanned = dayOf(newest.observed_at);
    const possible = newest.possible.flatMap(({ id, tool, category, confidence }) =>
      current.has(id) || confidence < LEAST.possible
        ? []
        : {
            term: toolTerm(id, tool, category),
            confidence: Math.round(confidence * 100),
            first: scanned,
            last: scanned,
          },
    );
    const events = (kind: "appeared" | "disappeared") =>
      changes.flatMap(({ change, tool_id, at }) => {
        const term = termOf.get(tool_id);
        return change === kind && term ? { term, day: dayOf(at) } : [];
      });
    const minimum = Math.max(options.minConfidence, LOWEST_MIN_CONFIDENCE);
    const view = await scans.view(domain);
    // The newest of several recordings that nothing joined yet shows a part of the tools.
    const isPart = view === undefined && observations.length > 1 && (await scans.needsView(domain));
    const tools_detected = isPart
      ? used.filter(({ confidence }) => confidence >= minimum * 100).length
      : detectedIn(view ?? newest, { suppressed, catalogue, minimum }).detections.length;
    return {
      domain,
      revision,
      tools_detected,
      first_scanned_at: first.observed_at,
      scanned_at: newest.observed_at,
      scanned,
      tools: [...used, ...possible],
      terms: [
        ...signalTerms(observations),
        { kind: "top", key: topLevelOf(domain), name: topLevelOf(domain), category: "" },
      ],
      appeared: events("appeared"),
      gone: events("disappeared"),
    };
  };

  const toolTerm = (id: string, name: string, category: string): Term => {
    const known = catalogue.tools.get(id);
    return {
      kind: "tool",
      key: id,
      name: known?.name ?? name,
      category: known ? (labels.get(known.category) ?? known.category) : category,
    };
  };

  let prepared: Promise<void> | undefined;
  const prepare = (): Promise<void> => {
    prepared ??= (async () => {
      if (await stack.isPrepared()) return;
      await scans.observeStored();
      await stack.reset();
    })().catch((error) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };

  let indexing: Promise<unknown> = Promise.resolve();
  /** Indexes up to `most` domains; calls take turns. @returns how many */
  const index = (most: number): Promise<number> => {
    const run = indexing.then(async () => {
      await prepare();
      let done = 0;
      while (done < most) {
        const queued = await stack.queued(Math.min(INDEX_BATCH, most - done));
        if (queued.length === 0) break;
        const records: CompanyRecord[] = [];
        const empty: string[] = [];
        for (const { domain, revision } of queued) {
          const record = await recordOf(domain, revision);
          if (record) records.push(record);
          else empty.push(domain);
        }
        await stack.save(records);
        await stack.forget(empty);
        done += queued.length;
        if ((await stack.countPending()) >= MAX_PENDING) while (await stack.merge());
      }
      return done;
    });
    indexing = run.catch(() => {});
    return run;
  };

  /** Indexes what waits, if it is little. @returns what an answer says about the rest */
  const refresh = async (): Promise<{ readonly index?: { readonly pending: number } }> => {
    await index(INDEX_BEFORE_SEARCH);
    const pending = await stack.countQueued();
    return pending === 0 ? {} : { index: { pending } };
  };

  /** Runs a search; when a list of the index is damaged, the index is made again, and the search with it. */
  const orRebuilt = async <Result>(search: () => Promise<Result>): Promise<Result> => {
    try {
      return await search();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      options.onError("reading the stack index, which is made again", error);
      await stack.reset();
      return await search();
    }
  };

  const inCatalogue = (wanted: string): Fingerprint | undefined => {
    const key = wanted.trim().toLowerCase();
    return (
      catalogue.tools.get(key) ??
      catalogueTools.find(({ name }) => name.toLowerCase() === key) ??
      catalogueTools.find(({ aliases = [] }) => aliases.some((alias) => alias.toLowerCase() === key))
    );
  };

  const closestTool = (wanted: string) => {
    const meant = findClosest(
      wanted,
      catalogueTools.map(({ name }) => name),
    );
    const tool = catalogueTools.find(({ name }) => name === meant);
    return tool && { id: tool.id, name: tool.name, category: labels.get(tool.category) ?? tool.category };
  };

  /** The id and the term of a tool; a tool of the catalogue that no company uses has no term. @throws Failure `tool.not_found` */
  const findTool = async (
    wanted: string,
  ): Promise<{ readonly id: string; readonly term: NumberedTerm | undefined }> => {
    const known = inCatalogue(wanted);
    if (known) return { id: known.id, term: await stack.term("tool", known.id) };
    const term = await stack.toolNamed(wanted.trim().toLowerCase());
    if (term) return { id: term.key, term };
    const meant = closestTool(wanted);
    const hint = meant === undefined ? "list the tools to find its id or name." : `did you mean ${meant.name}?`;
    throw new Failure("tool.not_found", `Unknown tool ${quoted(wanted)}: ${hint}`);
  };

  const inCategory = async (wanted: string): Promise<readonly TermCount[]> => {
    const key = wanted.trim().toLowerCase();
    const names = [...labels].flat();
    const tools = await stack.toolCounts();
    const label = [...labels].find(([id, each]) => id === key || each.toLowerCase() === key)?.[1] ?? wanted.trim();
    const found = tools.filter(({ category }) => category.toLowerCase() === label.toLowerCase());
    if (found.length > 0 || names.some((name) => name.toLowerCase() === key)) return found;
    const meant = findClosest(wanted, [...labels.values()]);
    throw invalid(`Unknown category ${quoted(wanted)}${meant === undefined ? "." : `: did you mean ${meant}?`}`);
  };

  const signalTermsOf = async (kind: "script" | "txt" | "cname", value: string): Promise<readonly number[]> => {
    const prefix = kind === "txt" ? value.trim().toLowerCase() : hostKey(hostOf(value) ?? value.trim().toLowerCase());
    if (prefix.length < 3) throw invalid(`${quoted(value)} is too short for ${kind}: give at least three characters.`);
    const terms = await stack.termsWithPrefix(kind, prefix, MAX_SIGNAL_TERMS + 1);
    if (terms.length > MAX_SIGNAL_TERMS)
      throw invalid(`${quoted(value)} matches more than ${MAX_SIGNAL_TERMS} values of ${kind}: give a longer one.`);
    return terms.map(({ id }) => id);
  };

  const conditionOf = async (given: string | StackCondition, least: number): Promise<Condition> => {
    const condition: StackCondition = typeof given === "string" ? { tool: given } : given;
    const [subject, ...more] = SUBJECTS.filter((name) => condition[name] !== undefined);
    if (!subject || more.length > 0) throw invalid(`A condition has exactly one of ${SUBJECTS.join(", ")}.`);
    const ranges = (["seen", "appeared", "gone"] as const).flatMap((name) => {
      const [since, until] = [condition[`${name}_since`], condition[`${name}_until`]];
      return since === undefined && until === undefined ? [] : { name, ...daysOf(since, until) };
    });
    const [range, ...others] = ranges;
    if (others.length > 0) throw invalid("A condition has dates of one kind: seen, appeared or gone.");
    if (subject === "script" || subject === "txt" || subject === "cname") {
      if (range || condition.min_confidence !== undefined)
        throw invalid(`A condition on ${subject} has no dates and no confidence.`);
      return { terms: await signalTermsOf(subject, condition[subject] ?? ""), list: "use", filter: NO_FILTER };
    }
    const name = condition[subject] ?? "";
    const terms =
      subject === "tool"
        ? [(await findTool(name)).term?.id].filter((id) => id !== undefined)
        : (await inCategory(name)).map(({ id }) => id);
    const { since = 0, until = ANY_DAY } = range ?? {};
    if (range && range.name !== "seen") return { terms, list: range.name, filter: { minConfidence: 0, since, until } };
    const minConfidence = Math.round((condition.min_confidence ?? least) * 100);
    return { terms, list: "use", filter: { minConfidence, since, until } };
  };

  const questionOf = async (asked: StackQuestion): Promise<Question> => {
    const least = asked.min_confidence ?? LEAST.likely;
    const conditions = (list: readonly (string | StackCondition)[] = []) =>
      Promise.all(list.map((each) => conditionOf(each, least)));
    const all = [...(await conditions(asked.all))];
    if (asked.top_level && asked.top_level.length > 0) {
      const terms = await Promise.all(
        asked.top_level.map((top) => stack.term("top", top.trim().replace(/^\./, "").toLowerCase())),
      );
      all.push({ terms: terms.flatMap((term) => term?.id ?? []), list: "use", filter: NO_FILTER });
    }
    if (asked.scanned_since !== undefined || asked.scanned_until !== undefined)
      all.push({
        terms: [ALL_COMPANIES],
        list: "use",
        filter: { minConfidence: 0, ...daysOf(asked.scanned_since, asked.scanned_until) },
      });
    const [any, none] = [await conditions(asked.any), await conditions(asked.none)];
    // The text of a domain is lower case.
    return { all, any, none, ...(asked.prefix ? { prefix: asked.prefix.trim().toLowerCase() } : {}) };
  };

  /** Tools that a company no longer uses, from its history: the index only has the days on which they went. */
  const goneTools = async (domain: string, ids: ReadonlySet<string>): Promise<MatchedTool[]> => {
    const { tools } = fold(await scans.observations(domain), await suppressedRules(domain));
    return tools.flatMap(({ tool_id, tool, category, state, confidence, intervals }): MatchedTool[] => {
      const interval = intervals.at(-1);
      if (!ids.has(tool_id) || state !== "gone" || !interval) return [];
      const { first_seen, last_seen, absent_before, missing_since } = interval;
      const term = toolTerm(tool_id, tool, category);
      return [
        {
          ...{ tool_id, tool: term.name, category: term.category, state, confidence },
          ...{ first_seen: first_seen.slice(0, 10), last_seen: last_seen.slice(0, 10) },
          ...{ appeared: absent_before !== null, gone_since: missing_since?.slice(0, 10) ?? null },
        },
      ];
    });
  };

  /** What the question asks for, of each company. */
  const companiesOf = async (rows: readonly CompanyRow[], { all, any }: Question): Promise<StackCompany[]> => {
    const wanted = new Map<number, number>();
    /** Terms whose past is asked for. */
    const past = new Set<number>();
    for (const { terms, filter, list } of [...all, ...any])
      for (const term of terms) {
        wanted.set(term, Math.min(wanted.get(term) ?? 100, filter.minConfidence));
        if (list !== "use") past.add(term);
      }
    const used = ({ tools }: Entry) => tools.filter(({ term, confidence }) => confidence >= (wanted.get(term) ?? 101));
    const gone = ({ tools, gone: events }: Entry) => {
      const inUse = new Set(tools.map(({ term }) => term));
      return events.filter(({ term }) => past.has(term) && !inUse.has(term)).map(({ term }) => term);
    };
    const signals = ({ terms }: Entry) => terms.filter((term) => wanted.has(term));
    const terms = await stack.termsById(
      rows.flatMap(({ entry }) => [...used(entry).map(({ term }) => term), ...gone(entry), ...signals(entry)]),
    );
    const companies: StackCompany[] = [];
    for (const { domain, scanned_at, first_scanned_at, tools, entry } of rows) {
      const matched = used(entry).flatMap(({ term, confidence, first, last }): MatchedTool[] => {
        const tool = terms.get(term);
        if (!tool) return [];
        const went = past.has(term) ? entry.gone.findLast((event) => event.term === term) : undefined;
        return [
          {
            ...{ tool_id: tool.key, tool: tool.name, category: tool.category, state: "in_use" },
            ...{ confidence: confidence / 100, first_seen: dateOf(first), last_seen: dateOf(last) },
            appeared: entry.appeared.some((event) => event.term === term && event.day === first),
            gone_since: went ? dateOf(went.day) : null,
          },
        ];
      });
      const ids = new Set(gone(entry).flatMap((term) => terms.get(term)?.key ?? []));
      if (ids.size > 0) matched.push(...(await goneTools(domain, ids)));
      companies.push({
        ...{ domain, scanned_at, first_scanned_at, tools_detected: tools },
        matched: matched.sort((a, b) => order(a.category, b.category) || order(a.tool, b.tool)),
        signals: signals(entry).flatMap((term): MatchedSignal[] => {
          const found = terms.get(term);
          return found && isSignal(found.kind) ? [{ kind: found.kind, value: found.name }] : [];
        }),
      });
    }
    return companies;
  };

  const toolView = ({ key, name, category, companies, first_day, last_day }: TermCount): StackTool => ({
    id: key,
    name,
    category,
    companies,
    first_seen: companies > 0 ? dateOf(first_day) : null,
    last_seen: companies > 0 ? dateOf(last_day) : null,
  });

  /** Every tool of the catalogue or of a company. */
  const allTools = async (): Promise<StackTool[]> => {
    const used = (await stack.toolCounts()).map(toolView);
    const seen = new Set(used.map(({ id }) => id));
    const unused = catalogueTools.filter(({ id }) => !seen.has(id));
    return [
      ...used,
      ...unused.map(({ id, name, category }) => ({
        ...{ id, name, category: labels.get(category) ?? category },
        ...{ companies: 0, first_seen: null, last_seen: null },
      })),
    ];
  };

  return {
    async history(input, { since, until } = {}) {
      const days = [since, until].map((date) => (date === undefined ? undefined : instantOf(date)));
      for (const domain of recordedNames(input, options.allowedReservedTlds)) {
        await prepare();
        const observations = await scans.observations(domain);
        const [first] = observations;
        const last = observations.at(-1);
        if (!first || !last) continue;
        const { tools, changes } = fold(observations, await suppressedRules(domain));
        const [from = "", to] = days;
        // A date without a time includes its whole day.
        const isBefore = (at: string) => to === undefined || at <= to || (until?.length === 10 && at.startsWith(until));
        return {
          domain,
          first_scanned_at: first.observed_at,
          last_scanned_at: last.observed_at,
          observations: observations.length,
          tools,
          changes: changes.filter(({ at }) => at >= from && isBefore(at)),
        };
      }
      throw new Failure(
        "history.not_found",
        `No scan or recording of ${quoted(input)} is stored; ${howToStore(hostOf(input) ?? input)}`,
      );
    },

    closestTool,

    async observedAt(domain) {
      await prepare();
      return (await scans.observations(domain)).map(({ observed_at }) => observed_at);
    },

    async tools({ q = "", category }, { limit = PAGE_SIZE, cursor } = {}) {
      const freshness = await refresh();
      const key = q.trim().toLowerCase();
      const aliases = (id: string) => catalogue.tools.get(id)?.aliases ?? [];
      const wanted =
        category === undefined ? undefined : new Set((await inCategory(category)).map(({ key: id }) => id));
      const label = category?.trim().toLowerCase();
      const found = (await allTools())
        .filter(({ id, name }) => [id, name, ...aliases(id)].some((each) => each.toLowerCase().includes(key)))
        .filter((tool) => !wanted || wanted.has(tool.id) || tool.category.toLowerCase() === label)
        .sort((a, b) => b.companies - a.companies || order(a.name, b.name) || order(a.id, b.id));
      const after = cursor === undefined ? undefined : decodeCursor(TOOL_LIST, ["number", "string", "string"], cursor);
      const start = after
        ? found.findIndex(({ companies, name, id }) => {
            const [least, afterName, afterId] = after;
            return (least - companies || order(name, afterName) || order(id, afterId)) > 0;
          })
        : 0;
      const page = start < 0 ? [] : found.slice(start, start + limit);
      const last = page.at(-1);
      const isMore = last !== undefined && start + limit < found.length;
      return {
        tools: page,
        total: found.length,
        next_cursor: isMore ? encodeCursor(TOOL_LIST, [last.companies, last.name, last.id]) : null,
        ...freshness,
      };
    },

    async tool(wanted) {
      const freshness = await refresh();
      const { id } = await findTool(wanted);
      const known = catalogue.tools.get(id);
      const tool = (await allTools()).find((each) => each.id === id);
      if (!tool)
        throw new Failure("tool.not_found", `Unknown tool ${quoted(wanted)}: list the tools to find its id or name.`);
      const { vendor = null, website = null, aliases = [] } = known ?? {};
      return { ...tool, vendor, website, aliases, ...freshness };
    },

    search: (asked, { sort = "domain", limit = PAGE_SIZE, cursor } = {}) =>
      orRebuilt(async () => {
        const freshness = await refresh();
        const question = await questionOf(asked);
        const found = await stack.find(question);
        const { rows, next_cursor } = await stack.page(found, { sort, limit, cursor });
        return { domains: await companiesOf(rows, question), total: found.total, next_cursor, ...freshness };
      }),

    async export(asked, { sort = "domain" } = {}) {
      await refresh();
      const question = await questionOf(asked);
      const found = await stack.find(question);
      return (async function* () {
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const page: Awaited<ReturnType<StackRepository["page"]>> = await stack.page(found, {
            sort,
            limit: EXPORT_PAGE,
            cursor,
          });
          for (const company of await companiesOf(page.rows, question)) yield exportRow(company);
          cursor = page.next_cursor;
        }
      })();
    },

    catchUp: () => index(Number.POSITIVE_INFINITY),

    startWorker() {
      let isStopped = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let running: Promise<unknown> = Promise.resolve();
      const step = () => {
        running = index(INDEX_BATCH)
          .catch((error) => {
            options.onError("indexing the tools of companies", error);
            return 0;
          })
          .then((done) => {
            if (!isStopped) timer = setTimeout(step, done === INDEX_BATCH ? 0 : POLL_MS);
          });
      };
      step();
      return {
        async stop() {
          isStopped = true;
          clearTimeout(timer);
          await running;
        },
      };
    },
  };
}

/** Terms of the newest observation of each kind that has one. */
function signalTerms(observations: readonly Observation[]): Term[] {
  const kinds = [
    ["script", "scripts"],
    ["txt", "txt"],
    ["cname", "cnames"],
  ] as const;
  return kinds.flatMap(([kind, name]) => {
    const values = observations.findLast(({ signals }) => signals[name].length > 0)?.signals[name] ?? [];
    return values.map((value) => ({ kind, key: kind === "txt" ? value : hostKey(value), name: value, category: "" }));
  });
}

/** `js.vendor.com` → `com.vendor.js.`, so that one prefix covers a host and its subdomains. */
const hostKey = (host: string): string => `${host.toLowerCase().split(".").reverse().join(".")}.`;

const isSignal = (kind: TermKind): kind is MatchedSignal["kind"] =>
  kind === "script" || kind === "txt" || kind === "cname";

/** What a company has of a question, in words: `Widget (first seen 2026-05-01)`, `script cdn.vendor.com`. */
export const matchedTexts = ({ matched, signals }: Pick<StackCompany, "matched" | "signals">): readonly string[] => [
  ...matched.map(({ tool, state, appeared, first_seen, last_seen, gone_since }) => {
    if (state === "gone") return `${tool} (last seen ${last_seen}, gone since ${gone_since})`;
    return `${tool} (${appeared ? "in use since" : "first seen"} ${first_seen})`;
  }),
  ...signals.map(({ kind, value }) => `${kind} ${value}`),
];

function exportRow({ domain, scanned_at, tools_detected, matched, signals }: StackCompany): Row {
  const dates = (name: "first_seen" | "last_seen" | "gone_since") => matched.flatMap((tool) => tool[name] ?? []).sort();
  return {
    domain,
    scanned_at,
    tools_detected,
    matched: matched.map(({ tool }) => tool),
    confidence: matched.length === 0 ? null : Math.max(...matched.map(({ confidence }) => confidence)),
    first_seen: dates("first_seen")[0] ?? null,
    last_seen: dates("last_seen").at(-1) ?? null,
    gone_since: dates("gone_since").at(-1) ?? null,
    signals: signals.map(({ kind, value }) => `${kind} ${value}`),
  };
}

/** @throws Failure `query.invalid` */
function instantOf(date: string): string {
  const instant = parseIsoInstant(date);
  if (instant === undefined) throw invalid(`${quoted(date)} is not a date: give one such as 2026-05-04.`);
  return instant;
}

function daysOf(since: string | undefined, until: string | undefined) {
  return {
    since: since === undefined ? 0 : dayOf(instantOf(since)),
    until: until === undefined ? ANY_DAY : dayOf(instantOf(until)),
  };
}

const invalid = (message: string) => new Failure("query.invalid", message);
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
