import { observable } from "./observable.ts";

/** What is left of the key's month, as the last answer told it. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the next month. */
  readonly reset: number;
}

const NAME = "casefile.key";

/** Storage may be forbidden; then the key lives as long as the page. */
function kept(storage: () => Storage): string | null {
  try {
    return storage().getItem(NAME);
  } catch {
    return null;
  }
}

function keep(storage: () => Storage, key: string | null): void {
  try {
    if (key === null) storage().removeItem(NAME);
    else storage().setItem(NAME, key);
  } catch {
    // The page goes on without.
  }
}

const session = () => sessionStorage;
const lasting = () => localStorage;

export const apiKey = observable<string | null>(kept(session) ?? kept(lasting));
export const quota = observable<Quota | null>(null);
export const isRemembered = (): boolean => kept(lasting) !== null;

/** Until this tab is closed, or on this device when the person chose so. */
export function takeKey(key: string, remember: boolean): void {
  keep(session, key);
  keep(lasting, remember ? key : null);
  quota.set(null);
  apiKey.set(key);
}

export function forgetKey(): void {
  keep(session, null);
  keep(lasting, null);
  quota.set(null);
  apiKey.set(null);
}
