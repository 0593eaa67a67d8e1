import { observable } from "../observable.ts";

const NAME = "casefile.queries";
const MAX_SAVED = 30;

export interface SavedQuery {
  readonly name: string;
  readonly url: string;
}

function stored(): readonly SavedQuery[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(value) ? value.filter(isSaved).slice(0, MAX_SAVED) : [];
  } catch {
    return [];
  }
}

/** Only addresses of the query page: the storage could hold anything. */
const isSaved = (value: Partial<SavedQuery> | null): value is SavedQuery =>
  typeof value?.name === "string" && /^\/query\?/.test(value.url ?? "");

/** Queries that were saved on this device, the newest first. */
export const savedQueries = observable<readonly SavedQuery[]>(stored());

export const saveQuery = (query: SavedQuery): void =>
  save([query, ...savedQueries.get().filter(({ url }) => url !== query.url)].slice(0, MAX_SAVED));

export const removeQuery = (url: string): void => save(savedQueries.get().filter((each) => each.url !== url));

function save(queries: readonly SavedQuery[]): void {
  savedQueries.set(queries);
  try {
    localStorage.setItem(NAME, JSON.stringify(queries));
  } catch {
    // Storage is blocked: the list lives as long as the page.
  }
}
