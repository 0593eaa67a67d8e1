import type { Submission, SubmissionState } from "../../vocabulary/submission.ts";
import { fail } from "./fail.ts";
import { CRAWL, FINISH, type IntakeParts, MAIL, PREVIEW } from "./parts.ts";
import { startCrawl } from "./review.ts";

const UNDER_WAY: readonly SubmissionState[] = ["waiting", "crawling", "structuring", "indexing"];

/**
 * Gives every submission that is under way its work again, where a process ended between noting a step and noting the
 * work of the next one; fails those whose work was given up, and says so. Doing it again changes nothing.
 */
export async function resume(parts: IntakeParts): Promise<void> {
  const { submissions, jobs, mails } = parts.store;
  for (const state of UNDER_WAY) {
    let cursor: string | null | undefined;
    do {
      const page = await submissions.list({ state }, { limit: 100, ...(cursor ? { cursor } : {}) });
      for (const submission of page.submissions) await resumeOne(parts, submission);
      cursor = page.next_cursor;
    } while (cursor);
  }
  for (const mail of await mails.waiting()) {
    const newest = await jobs.newest(MAIL, String(mail));
    if (!newest) await jobs.add({ kind: MAIL, subject: String(mail), payload: { mail }, maxAttempts: 12 });
  }
  parts.wake();
}

async function resumeOne(parts: IntakeParts, submission: Submission): Promise<void> {
  const { jobs, pages } = parts.store;
  const { id, state } = submission;
  const site = await pages.siteOf(submission.case_study_url);
  const [kind, subject] =
    state === "waiting" ? [PREVIEW, id] : state === "crawling" ? [CRAWL, `site ${site?.id}`] : [FINISH, id];
  const newest = await jobs.newest(kind, subject);
  if (newest?.state === "waiting" || newest?.state === "running") return;
  // Work that was given up before this submission came has nothing to do with it.
  if (newest?.state === "dead" && newest.updated_at >= submission.received_at) {
    await fail(parts, id, [state], newest.last_error ?? "The work was given up.");
  } else if (state === "crawling") await startCrawl(parts, submission);
  else await jobs.add({ kind, subject, payload: { submission: id } });
}
