import { useState } from "preact/hooks";
import type { Refusal } from "../ask.ts";
import { refusalOf } from "../use-answer.ts";

export interface Deed {
  readonly busy: boolean;
  readonly refusal: Refusal | null;
  /** Does it, and tells whether it was done. */
  run(work: () => Promise<unknown>): Promise<boolean>;
}

/** Something that the operator does: one at a time, and why it failed when it did. */
export function useDeed(): Deed {
  const [busy, setBusy] = useState(false);
  const [refusal, refuse] = useState<Refusal | null>(null);
  return {
    busy,
    refusal,
    async run(work) {
      setBusy(true);
      refuse(null);
      try {
        await work();
        return true;
      } catch (error) {
        refuse(refusalOf(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
