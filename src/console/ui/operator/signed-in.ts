import { observable } from "../observable.ts";

/** Whether the operator is signed in here; null until it is known. The cookie itself no script can read. */
export const signedIn = observable<boolean | null>(null);
