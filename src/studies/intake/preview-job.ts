import type { Handler } from "../../jobs/runner.ts";
import type { PageText } from "../../vocabulary/page.ts";
import type { Submission, SubmissionPreview } from "../../vocabulary/submission.ts";
import { fail } from "./fail.ts";
import type { IntakeParts } from "./parts.ts";
import { approve } from "./review.ts";

/** Enough to see what a page is, and little enough to ask of a site that nobody approved yet. */
const LOOK = { maxPages: 12, maxBytes: 24 * 1_048_576, maxDepth: 1, deadlineMs: 90_000 };
const SAMPLES = 3;
const MAX_NOTES = 10;

/** Looks at a submitted page and shows the reviewer what is there. */
export function previewJob(parts: IntakeParts): Handler {
  const { store } = parts;
  return async ({ payload, attempts, max_attempts }, signal) => {
    const submission = await store.submissions.find(String(payload.submission));
    if (submission?.state !== "waiting") return undefined;
    try {
      await store.submissions.change(submission.id, { preview: await look(parts, submission, signal) });
    } catch (error) {
      if (attempts >= max_attempts && !signal.aborted) {
        await fail(parts, submission.id, ["waiting"], "The page does not answer.");
      }
      throw error;
    }
    await store.submissions.move(submission.id, ["waiting"], "review");
    if (await parts.approves(submission)) await approve(parts, submission.id, "policy");
    return undefined;
  };
}

async function look(parts: IntakeParts, submission: Submission, signal: AbortSignal): Promise<SubmissionPreview> {
  const samples: SubmissionPreview["samples"][number][] = [];
  const notes: string[] = [];
  let listed = 0;
  let seen = 0;
  const crawl = parts.crawler.crawl({
    url: submission.case_study_url,
    limits: { ...LOOK, perHostMs: parts.limits.perHostMs ?? 1_000 },
    signal,
  });
  let next = await crawl.next();
  for (; !next.done; next = await crawl.next()) {
    const event = next.value;
    if (event.type === "listing") listed += event.found;
    if (event.type === "note" && notes.length < MAX_NOTES) notes.push(event.text);
    if (event.type !== "page") continue;
    seen += 1;
    if (samples.length < SAMPLES) samples.push(sampleOf(await parts.extract(event.page)));
  }
  const { listing_url, listing_title, ended } = next.value;
  if (ended === "unreachable") throw new Error("The page does not answer.");
  if (ended === "robots") notes.push("The site's robots.txt forbids reading this page.");
  const found = Math.max(listed, seen);
  if (found === 0) notes.push("No case studies were found on this page.");
  return { listing_title, listing_url, found, samples, notes, looked_at: parts.clock().toISOString() };
}

const sampleOf = ({ url, title, description, markdown }: PageText) => ({
  url,
  title,
  summary: description ?? (markdown.slice(0, 300).trim() || null),
});
