import type { Industries, Result, Results, Study, StudyList } from "../api-types.ts";
import { ask } from "../ask.ts";
import { addressOf } from "../router.ts";

export const MODES = ["hybrid", "semantic", "keyword"] as const;
export type Mode = (typeof MODES)[number];

/** What is looked for, as the address bar holds it. */
export interface Wanted {
  readonly q: string;
  readonly mode: Mode;
  readonly industry: string;
  readonly company: string;
  readonly client: string;
  readonly country: string;
  readonly after: string;
  readonly before: string;
}

export const NAMES = ["industry", "company", "client", "country", "after", "before"] as const;

export function wantedIn(query: URLSearchParams): Wanted {
  const text = (name: string) => query.get(name)?.slice(0, 1_000) ?? "";
  const mode = MODES.find((each) => each === query.get("mode")) ?? "hybrid";
  return {
    ...{ q: text("q"), mode, industry: text("industry"), company: text("company") },
    ...{ client: text("client"), country: text("country"), after: text("after"), before: text("before") },
  };
}

export const addressFor = ({ mode, ...rest }: Wanted): string =>
  addressOf("/studies", { ...rest, mode: mode === "hybrid" ? undefined : mode });

export interface Found {
  readonly studies: readonly (Study | Result)[];
  readonly total: number | null;
  readonly next: string | null;
}

const RESULTS = 20;
/** A search that was asked before in this tab is not asked, and counted, again. */
const known = new Map<string, Found>();
const MOST_KNOWN = 60;

/** By meaning when there is a question, else the list, newest first. */
export async function find(wanted: Wanted, signal: AbortSignal): Promise<Found> {
  const address = addressFor(wanted);
  const before = known.get(address);
  if (before) return before;
  const found = wanted.q.trim() === "" ? await list(wanted, null, signal) : await search(wanted, signal);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(address, found);
  return found;
}

async function search({ q, mode, industry, company }: Wanted, signal: AbortSignal): Promise<Found> {
  const filter = { ...(industry ? { industry } : {}), ...(company ? { company } : {}) };
  const { results } = await ask<Results>("/v1/casestudies/semantic", {
    json: { query: q, limit: RESULTS, mode, ...filter },
    signal,
  });
  return { studies: results, total: null, next: null };
}

export async function list(wanted: Wanted, cursor: string | null, signal?: AbortSignal): Promise<Found> {
  const { industry, company, client, country, after, before } = wanted;
  const address = addressOf("/v1/casestudies", {
    ...{ industry, company, client, country, published_after: after, published_before: before },
    cursor: cursor ?? undefined,
  });
  const page = await ask<StudyList>(address, signal ? { signal } : {});
  return { studies: page.case_studies, total: page.total, next: page.next_cursor };
}

let asked: Promise<Industries["industries"]> | undefined;

/** Asked once in a tab: it counts as a request. */
export function industries(): Promise<Industries["industries"]> {
  asked ??= ask<Industries>("/v1/industries").then(
    (told) => told.industries,
    (error) => {
      asked = undefined;
      throw error;
    },
  );
  return asked;
}
