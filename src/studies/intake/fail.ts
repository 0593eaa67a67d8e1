import type { SubmissionState } from "../../vocabulary/submission.ts";
import { tell } from "./notices.ts";
import type { IntakeParts } from "./parts.ts";

/** Ends a submission whose work was given up, and tells its contact why. */
export async function fail(
  { store, wake }: Pick<IntakeParts, "store" | "wake">,
  submission: string,
  from: readonly SubmissionState[],
  reason: string,
): Promise<void> {
  if (!(await store.submissions.move(submission, from, "failed", { reason }))) return;
  const failed = await store.submissions.find(submission);
  if (failed) await tell(store, failed, "failed");
  wake();
}
