import { observable } from "./observable.ts";

/** The key's quota for this month, from the headers of the last response. */
interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the next month. */
  readonly reset: number;
}

const NAME = "casefile.key";
const session = () => sessionStorage;
const local = () => localStorage;

function readStored(storage: () => Storage): string | null {
  try {
    return storage().getItem(NAME);
  } catch {
    return null;
  }
}

function writeStored(storage: () => Storage, key: string | null): void {
  try {
    if (key === null) storage().removeItem(NAME);
    else storage().setItem(NAME, key);
  } catch {
    // Storage is blocked: the key lives as long as the page.
  }
}

export const apiKey = observable<string | null>(readStored(session) ?? readStored(local));
export const quota = observable<Quota | null>(null);
export const isKeyRemembered = (): boolean => readStored(local) !== null;

/** Stores a key that is shown but not used yet, so that it is not lost with the tab. */
export function storeKey(key: string | null, remember: boolean): void {
  writeStored(session, key);
  writeStored(local, remember ? key : null);
}

/** Keeps the key until the tab is closed, or on this device when `remember` is true. */
export function saveKey(key: string | null, remember = false): void {
  storeKey(key, remember);
  quota.set(null);
  apiKey.set(key);
}

export const forgetKey = (): void => saveKey(null);

/** Whether the operator is signed in; null until it is known. No script can read the session cookie. */
export const signedIn = observable<boolean | null>(null);
