import { observable } from "../observable.ts";

const NAME = "casefile.collection";
/** As many as one address can hold, and one page shows. */
export const MAX_COLLECTED = 50;

function stored(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(value) ? value.filter((each) => typeof each === "string").slice(0, MAX_COLLECTED) : [];
  } catch {
    return [];
  }
}

/** Ids of the case studies that were collected on this device. Its address shares it. */
export const collection = observable<readonly string[]>(stored());

/** Adds or removes a case study. */
export function toggleCollected(id: string): void {
  const before = collection.get();
  const ids = before.includes(id) ? before.filter((each) => each !== id) : [...before, id].slice(-MAX_COLLECTED);
  collection.set(ids);
  try {
    localStorage.setItem(NAME, JSON.stringify(ids));
  } catch {
    // Storage is blocked: the collection lives as long as the page.
  }
}

export const collectionUrl = (ids: readonly string[]): string =>
  `/studies?ids=${ids.map(encodeURIComponent).join(",")}`;
