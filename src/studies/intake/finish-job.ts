import type { Handler } from "../../jobs/runner.ts";
import { fail } from "./fail.ts";
import { tell } from "./notices.ts";
import { type IntakeParts, STRUCTURE } from "./parts.ts";

const SOON = { againInSeconds: 2 };

/** Waits until every page of a submission was structured and can be found, and says so. */
export function finishJob(parts: IntakeParts): Handler {
  const { store } = parts;
  return async ({ payload }) => {
    const id = String(payload.submission);
    if ((await store.jobs.openFor(STRUCTURE, id)) > 0) return SOON;
    await store.submissions.move(id, ["structuring"], "indexing");
    const submission = await store.submissions.find(id);
    if (submission?.state !== "indexing") return undefined;
    const { structured, indexed } = submission.counts;
    if (structured > 0 && indexed < structured) {
      parts.changed();
      return SOON;
    }
    if (structured === 0) await fail(parts, id, ["indexing"], "None of the pages could be read as a case study.");
    else if (await store.submissions.move(id, ["indexing"], "available")) {
      const ended = await store.submissions.find(id);
      if (ended) await tell(store, ended, "available");
      parts.wake();
    }
    return undefined;
  };
}
