import { type Observable, observable } from "./observable.ts";

/** A short list that this device keeps, the newest first. The storage could hold anything, so each item is checked. */
function deviceList<T>(name: string, most: number, isItem: (value: unknown) => value is T) {
  const read = (): readonly T[] => {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
      return Array.isArray(value) ? value.filter(isItem).slice(0, most) : [];
    } catch {
      return [];
    }
  };
  const list: Observable<readonly T[]> = observable(read());
  return {
    ...list,
    set(items: readonly T[]) {
      const kept = items.slice(0, most);
      list.set(kept);
      try {
        localStorage.setItem(name, JSON.stringify(kept));
      } catch {
        // Storage is blocked: the list lives as long as the page.
      }
    },
  };
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Domains looked up on this device. */
export const recentDomains = deviceList("casefile.recent", 6, isText);

/** Opening one of the list keeps its place: the list must not jump under the pointer. */
export function addRecent(domain: string): void {
  const before = recentDomains.get();
  if (!before.includes(domain)) recentDomains.set([domain, ...before]);
}

export interface SavedQuery {
  readonly name: string;
  /** Address of the query page. */
  readonly url: string;
}

const isQuery = (value: unknown): value is SavedQuery => {
  const { name, url }: Partial<Record<keyof SavedQuery, unknown>> = Object(value);
  return isText(name) && isText(url) && /^\/query\?/.test(url);
};

/** Queries that were saved on this device. */
export const savedQueries = deviceList("casefile.queries", 30, isQuery);

export const removeQuery = (url: string): void =>
  savedQueries.set(savedQueries.get().filter((each) => each.url !== url));

export function saveQuery(query: SavedQuery): void {
  removeQuery(query.url);
  savedQueries.set([query, ...savedQueries.get()]);
}

/** As many as one address can hold, and one page shows. */
export const MAX_COLLECTED = 50;

/** Ids of the case studies that were collected on this device. Its address shares it. */
export const collection = deviceList("casefile.collection", MAX_COLLECTED, isText);

/** Adds or removes a case study. */
export function toggleCollected(id: string): void {
  const before = collection.get();
  const others = before.filter((each) => each !== id);
  collection.set(before.includes(id) ? others : [id, ...others]);
}

export const collectionUrl = (ids: readonly string[]): string =>
  `/studies?ids=${ids.map(encodeURIComponent).join(",")}`;
