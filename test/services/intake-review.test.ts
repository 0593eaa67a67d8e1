import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Services } from "../../src/compose.ts";
import { type Box, openBox } from "../box/box.ts";
import type { World } from "../box/company.ts";
import { tidewell } from "../box/tidewell/tidewell.ts";
import { openBoxedApp, until } from "./boxed-app.ts";

const REQUEST = {
  company_name: "Tidewell",
  case_study_url: "https://tidewell.test/customers",
  contact_email: "una@tidewell.test",
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A working installation on a simulated internet. */
async function working(
  world: World,
  flags: Readonly<Record<string, unknown>> = {},
): Promise<{ app: Services; box: Box }> {
  const dataDir = await mkdtemp(join(tmpdir(), "casefile-review-"));
  closing.push(() => rm(dataDir, { recursive: true }));
  const box = await openBox(world);
  closing.push(() => box.close());
  const app = await openBoxedApp(box, dataDir, flags);
  closing.push(() => app.close());
  const upkeep = app.index.startWorker();
  closing.push(() => upkeep.stop());
  const work = app.jobs.startWorker();
  closing.push(() => work.stop());
  return { app, box };
}

async function inState(app: Services, id: string, ...states: string[]) {
  await until(async () => states.includes((await app.intake.getSubmission(id)).state));
  return await app.intake.getSubmission(id);
}

const toldOf = async (app: Services, id: string) =>
  (await app.intake.listEmails({ submission: id })).mails.map(({ event }) => event.split(" ")[0]).reverse();

test("a rejection needs a reason, ends the submission, and notifies the contact", async () => {
  const { app } = await working(tidewell());
  const { id } = await app.intake.submit(REQUEST);
  await inState(app, id, "review");
  await expect(app.intake.rejectSubmission(id, "  ")).rejects.toMatchObject({ code: "submission.invalid" });
  const rejected = await app.intake.rejectSubmission(id, "These are press releases.");
  expect(rejected).toMatchObject({ state: "rejected", reason: "These are press releases." });
  await expect(app.intake.approveSubmission(id)).rejects.toMatchObject({ code: "submission.conflict" });
  expect(await toldOf(app, id)).toEqual(["received", "rejected"]);
  expect((await app.caseStudies.list({})).total).toBe(0);
});

test("a rejected submission can be restarted, unless the page was submitted again", async () => {
  const { app } = await working(tidewell());
  const { id } = await app.intake.submit(REQUEST);
  await inState(app, id, "review");
  await app.intake.rejectSubmission(id, "Not yet.");
  expect((await app.intake.retrySubmission(id)).state).toBe("waiting");
  await inState(app, id, "review");
  await app.intake.rejectSubmission(id, "Not yet.");
  const { id: anew } = await app.intake.submit(REQUEST);
  expect(anew).not.toBe(id);
  await expect(app.intake.retrySubmission(id)).rejects.toMatchObject({ code: "submission.conflict" });
});

test("name, slug and domain can be corrected before the approval and not after it", async () => {
  const { app } = await working(tidewell());
  const { id } = await app.intake.submit(REQUEST);
  await inState(app, id, "review");
  await expect(app.intake.editSubmission(id, { company_slug: "Not A Slug" })).rejects.toMatchObject({
    code: "company.invalid",
  });
  await app.intake.editSubmission(id, { company_name: "Tidewell Planning", company_slug: "tidewell-planning" });
  await app.intake.approveSubmission(id);
  await inState(app, id, "available", "failed");
  expect(await app.companies.get("tidewell-planning")).toMatchObject({
    name: "Tidewell Planning",
    domain: "tidewell.test",
  });
  await expect(app.intake.editSubmission(id, { company_name: "x" })).rejects.toMatchObject({
    code: "submission.conflict",
  });
}, 60_000);

test("the policy approves only a contact at the page's domain, which must accept email", async () => {
  const { app } = await working(tidewell(), { "crawl-auto-approve": "same-domain" });
  const own = await app.intake.submit(REQUEST);
  expect(await inState(app, own.id, "available", "failed")).toMatchObject({
    state: "available",
    approved_by: "policy",
  });
  const stranger = await app.intake.submit({ ...REQUEST, contact_email: "una@elsewhere.test" });
  expect(await inState(app, stranger.id, "review", "available")).toMatchObject({ state: "review", approved_by: null });
}, 60_000);

test("a site whose robots.txt disallows it is never crawled, and the contact gets the reason", async () => {
  const world = tidewell();
  const [company] = world.companies ?? [];
  const pages = {
    ...company?.pages,
    "/robots.txt": { body: "User-agent: *\nDisallow: /", headers: { "Content-Type": "text/plain" } },
  };
  const { app, box } = await working({ companies: [{ domain: "tidewell.test", ...company, pages }] });
  const { id } = await app.intake.submit(REQUEST);
  expect((await inState(app, id, "review")).preview?.notes.join(" ")).toContain("robots.txt");
  await app.intake.approveSubmission(id);
  expect(await inState(app, id, "failed", "available")).toMatchObject({
    state: "failed",
    reason: "The site's robots.txt forbids crawling this page.",
  });
  // The email is queued after the state changed.
  await until(async () => (await toldOf(app, id)).length === 3);
  expect(await toldOf(app, id)).toEqual(["received", "approved", "failed"]);
  expect(box.hits.flatMap((hit) => (hit.kind === "http" ? hit.url : []))).not.toContain(
    "https://tidewell.test/customers",
  );
}, 60_000);

test("a case study that the operator removed does not return with the next crawl", async () => {
  const { app } = await working(tidewell());
  const steps = async () => {
    for await (const _ of app.intake.crawl(REQUEST.case_study_url, { signal: AbortSignal.timeout(60_000) }));
  };
  await steps();
  const { case_studies, total } = await app.caseStudies.list({ company: "tidewell" });
  expect(total).toBe(12);
  await app.caseStudies.remove(case_studies[0]!.id);
  await steps();
  expect((await app.caseStudies.list({ company: "tidewell" })).total).toBe(11);
}, 60_000);

test("a dry run stores nothing", async () => {
  const { app } = await working(tidewell());
  const seen: string[] = [];
  const options = { dryRun: true, company: "Tidewell", signal: AbortSignal.timeout(60_000) };
  for await (const step of app.intake.crawl("tidewell.test/customers", options)) {
    if (step.type === "study") seen.push(step.outcome);
  }
  expect(seen).toEqual(Array.from({ length: 12 }, () => "dry"));
  expect((await app.caseStudies.list({})).total).toBe(0);
}, 60_000);

test("a page that does not respond is reported as a crawl failure", async () => {
  const { app } = await working({
    companies: [{ domain: "tidewell.test", pages: { "/": "<title>Tidewell</title>" } }],
  });
  const steps = app.intake.crawl("https://tidewell.test/nowhere", { signal: AbortSignal.timeout(60_000) });
  await expect(Array.fromAsync(steps)).rejects.toMatchObject({ code: "crawl.failed" });
}, 60_000);
