import { expect, test } from "bun:test";
import { storeWithClock, studyOf } from "../study-examples.ts";
import { MARKS, PAGE, SUBMISSION } from "./examples.ts";

test("an address is one submission in any spelling while it is pending, and a new one afterwards", async () => {
  const { submissions } = await storeWithClock();
  const { submission, isNew } = await submissions.add(SUBMISSION);
  expect(isNew).toBe(true);
  expect(submission.id).toMatch(/^sub_[0-9a-z]{20}$/);
  expect(submission).toMatchObject({ ...SUBMISSION, state: "waiting", reason: null, preview: null });
  const again = await submissions.add({
    ...SUBMISSION,
    case_study_url: "http://www.harbourline.example/customers/?utm_source=x",
  });
  expect(again).toEqual({ submission, isNew: false });
  await submissions.move(submission.id, ["waiting"], "rejected", { reason: "no case studies" });
  expect((await submissions.add(SUBMISSION)).isNew).toBe(true);
});

test("a submission changes state only from the expected state", async () => {
  const { submissions } = await storeWithClock();
  const { submission } = await submissions.add(SUBMISSION);
  expect(await submissions.move(submission.id, ["review"], "crawling", { approved_by: "operator" })).toBe(false);
  expect(await submissions.move(submission.id, ["waiting"], "review")).toBe(true);
  expect(await submissions.move(submission.id, ["review"], "crawling", { approved_by: "operator" })).toBe(true);
  expect(await submissions.find(submission.id)).toMatchObject({ state: "crawling", approved_by: "operator" });
  expect(await submissions.counts()).toEqual({ crawling: 1 });
});

test("submissions are listed newest first, page by page", async () => {
  const { submissions, after } = await storeWithClock();
  for (const name of ["a", "b", "c"]) {
    await submissions.add({ ...SUBMISSION, company_name: name, case_study_url: `https://${name}.example/customers` });
    after(1);
  }
  const first = await submissions.list({}, { limit: 2 });
  expect(first.submissions.map(({ company_name }) => company_name)).toEqual(["c", "b"]);
  const rest = await submissions.list({}, { limit: 2, cursor: first.next_cursor! });
  expect(rest.submissions.map(({ company_name }) => company_name)).toEqual(["a"]);
  expect(rest).toMatchObject({ total: 3, next_cursor: null });
});

test("fetched pages are kept unchanged until they are structured, and their counts are on the submission", async () => {
  const { submissions, pages, caseStudies } = await storeWithClock();
  const { submission } = await submissions.add(SUBMISSION);
  const { id: site } = await pages.saveSite({ submission_id: submission.id, ...siteOf(SUBMISSION) });
  const pdf = { ...PAGE, url: `${PAGE.url}.pdf`, kind: "pdf" as const, content: new Uint8Array([37, 80, 0, 255]) };
  await pages.saveFetched(site, PAGE, MARKS);
  await pages.saveFetched(site, pdf, MARKS);
  expect(await pages.findContent(PAGE.url)).toEqual(PAGE);
  expect(await pages.findContent(pdf.url)).toEqual(pdf);
  const [saved] = await caseStudies.save([studyOf({ url: PAGE.url, origin: "submitted" })]);
  await pages.markStructured(PAGE.url, { caseStudyId: saved!.id });
  await pages.markStructured(pdf.url, { refused: "It holds no text." });
  expect(await pages.findContent(PAGE.url)).toBeUndefined();
  expect(await pages.find(pdf.url)).toMatchObject({ state: "refused", reason: "It holds no text." });
  expect((await submissions.find(submission.id))?.counts).toEqual({ found: 0, structured: 1, indexed: 0 });
});

test("a missing page is marked, keeps its case study, and is restored when it is fetched again", async () => {
  const { pages } = await storeWithClock();
  const { id: site } = await pages.saveSite({ submission_id: null, ...siteOf(SUBMISSION) });
  await pages.saveFetched(site, PAGE, MARKS);
  await pages.markStructured(PAGE.url, { caseStudyId: "study-1" });
  await pages.markGone(PAGE.url, "It answers 410.");
  expect(await pages.find(PAGE.url)).toMatchObject({
    state: "gone",
    case_study_id: "study-1",
    reason: "It answers 410.",
  });
  expect(await pages.listUrls(site)).toEqual([]);
  await pages.saveFetched(site, PAGE, MARKS);
  expect(await pages.find(PAGE.url)).toMatchObject({ state: "fetched", case_study_id: "study-1", gone_at: null });
});

test("a site is recrawled when it is due", async () => {
  const { pages, after } = await storeWithClock();
  const site = await pages.saveSite({ submission_id: null, ...siteOf(SUBMISSION) });
  expect(await pages.findDueSites(10)).toEqual([]);
  await pages.markCrawled(site.id, new Date("2026-05-05T12:00:00Z"));
  expect(await pages.findDueSites(10)).toEqual([]);
  after(86_400);
  expect((await pages.findDueSites(10)).map(({ id }) => id)).toEqual([site.id]);
  expect((await pages.saveSite({ submission_id: null, ...siteOf(SUBMISSION), company_name: "Harbour Line" })).id).toBe(
    site.id,
  );
});

test("an event is queued once, and an email whose sending was interrupted is not sent again", async () => {
  const { submissions, emails } = await storeWithClock();
  const { submission } = await submissions.add(SUBMISSION);
  const mail = {
    submission_id: submission.id,
    event: "received",
    recipient: "ana@harbourline.example",
    subject: "s",
    body: "b",
  };
  const id = await emails.add(mail);
  expect(await emails.add(mail)).toBeUndefined();
  expect(await emails.waiting()).toEqual([id!]);
  expect(await emails.begin(id!)).toMatchObject({ recipient: "ana@harbourline.example", state: "sending" });
  expect(await emails.begin(id!)).toBeUndefined();
  expect(await emails.find(id!)).toMatchObject({ state: "unclear" });
  expect(await emails.waiting()).toEqual([]);
});

test("an email that the server rejects is retried or failed, and an accepted one is sent", async () => {
  const { submissions, emails } = await storeWithClock();
  const { submission } = await submissions.add(SUBMISSION);
  const id = await emails.add({
    submission_id: submission.id,
    event: "e",
    recipient: "r@x.example",
    subject: "s",
    body: "b",
  });
  await emails.begin(id!);
  await emails.refused(id!, "451 try later", false);
  expect(await emails.counts()).toEqual({ waiting: 1 });
  await emails.begin(id!);
  await emails.sent(id!);
  const { mails: listed } = await emails.list({ submission: submission.id }, { limit: 5 });
  expect(listed).toMatchObject([{ state: "sent", last_error: null }]);
});

test("a corrected field is kept, and its provenance and earlier versions can be read", async () => {
  const { caseStudies, corrections } = await storeWithClock();
  const study = studyOf({ origin: "submitted", title: "First" });
  await caseStudies.save([study]);
  await caseStudies.save([{ ...study, title: "Second" }], { keepVersions: true });
  expect(await corrections.versionsOf(study.id)).toMatchObject([{ revision: 1, study: { title: "First" } }]);
  const keep = (values: object) =>
    caseStudies.save([], { before: (transaction) => corrections.save(study.id, { ...values }, transaction) });
  await keep({ client: { name: "Quarrystone", domain: null }, country: null });
  await keep({ country: "DE" });
  expect(await corrections.of(study.id)).toEqual({ client: { name: "Quarrystone", domain: null }, country: "DE" });
  await caseStudies.save([], { before: (transaction) => corrections.remove(study.id, "country", transaction) });
  expect(await corrections.of(study.id)).toEqual({ client: { name: "Quarrystone", domain: null } });
  const told = [{ pointer: "/client/name", engine: "local" as const, sentence: "Quarrystone ships.", confidence: 0.9 }];
  await corrections.saveProvenance(study.id, told);
  expect(await corrections.provenanceOf(study.id)).toEqual(told);
});

test("a save without history keeps no version", async () => {
  const { caseStudies, corrections } = await storeWithClock();
  const study = studyOf({ title: "First" });
  await caseStudies.save([study]);
  await caseStudies.save([{ ...study, title: "Second" }]);
  expect(await corrections.versionsOf(study.id)).toEqual([]);
});

const siteOf = ({ company_name, company_slug, company_domain, case_study_url: url }: typeof SUBMISSION) => ({
  company_name,
  company_slug,
  company_domain,
  url,
});
