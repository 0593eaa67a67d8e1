import { observable } from "./observable.ts";

const NAME = "casefile.recent";
const MAX_RECENT = 6;

function stored(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(value) ? value.filter((each) => typeof each === "string").slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

/** Domains looked up on this device, the newest first. */
export const recentDomains = observable<readonly string[]>(stored());

export function addRecent(domain: string): void {
  const before = recentDomains.get();
  // Opening one of the list keeps its place: the list must not jump under the pointer.
  if (before.includes(domain)) return;
  saveRecent([domain, ...before].slice(0, MAX_RECENT));
}

export const forgetRecent = (): void => saveRecent([]);

function saveRecent(domains: readonly string[]): void {
  recentDomains.set(domains);
  try {
    localStorage.setItem(NAME, JSON.stringify(domains));
  } catch {
    // Storage is blocked: the list lives as long as the page.
  }
}
