import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Services } from "../../src/compose.ts";
import { type Box, openBox } from "../box/box.ts";
import { STORIES } from "../box/tidewell/stories.ts";
import { addressOf, FORBIDDEN, tidewell } from "../box/tidewell/tidewell.ts";
import { requestsOf } from "../detection/boxed.ts";
import { openBoxedApp, until } from "./boxed-app.ts";

const REQUEST = {
  company_name: "Tidewell",
  case_study_url: "https://tidewell.test/customers",
  contact_email: "Una@tidewell.test",
};

/** A query in other words than the page's, and the client whose story matches it. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ["grocery deliveries with less food waste", "Alderbrook Foods"],
  ["ships that do not wait for spare parts", "Norrvik Marine"],
  ["factory throughput without new machines", "Pellucid Optics"],
  ["books printed on demand instead of destroyed", "Quillfeather Press"],
  ["medical staff with more time for patients", "Saltmarsh Hospitals"],
  ["refilling ATMs with cash", "Thornbury Bank"],
  ["maintenance crews for renewable power", "Umberfield Energy"],
  ["warehouse picking at the Christmas peak", "Vantage Toys"],
  ["garbage collection in a city", "Willowmere Council"],
  ["online fashion returns", "Xanthe Apparel"],
  ["field technicians of an internet provider", "Yarrow Telecom"],
  ["bike couriers in the town centre", "Zephyr Couriers"],
];

describe("a submitted page", () => {
  let box: Box;
  let app: Services;
  let dataDir: string;
  let stop: () => Promise<void>;
  const stateOf = async (id: string) => (await app.intake.getSubmission(id)).state;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "casefile-intake-"));
    box = await openBox(tidewell());
    app = await openBoxedApp(box, dataDir);
    const upkeep = app.index.startWorker();
    const work = app.jobs.startWorker();
    stop = async () => {
      await work.stop();
      await upkeep.stop();
    };
  });
  afterAll(async () => {
    await stop();
    await app.close();
    await box.close();
    await rm(dataDir, { recursive: true });
  });

  let id: string;

  test("is stored once, previewed, and shown to the reviewer before anything is indexed", async () => {
    ({ id } = await app.intake.submit(REQUEST));
    expect((await app.intake.submit(REQUEST)).id).toBe(id);
    await until(async () => (await stateOf(id)) !== "waiting");
    const { state, preview, contact_email, company_slug } = await app.intake.getSubmission(id);
    expect({ state, contact_email, company_slug }).toEqual({
      state: "review",
      contact_email: "una@tidewell.test",
      company_slug: "tidewell",
    });
    expect(preview?.listing_title).toContain("Customer stories");
    expect(preview?.samples).toHaveLength(3);
    expect(preview?.samples[0]?.title).toBe(STORIES[0]!.title);
    expect((await app.health.stats()).case_studies).toBe(0);
  }, 60_000);

  test("becomes exactly twelve case studies after approval", async () => {
    await app.intake.approveSubmission(id);
    await until(async () => ["available", "failed"].includes(await stateOf(id)));
    const { state, counts, reason } = await app.intake.getSubmission(id);
    expect({ state, counts, reason }).toEqual({
      state: "available",
      counts: { found: 12, structured: 12, indexed: 12 },
      reason: null,
    });
    const { case_studies, total } = await app.caseStudies.list({ company: "tidewell" }, { limit: 100 });
    expect(total).toBe(12);
    expect(case_studies.map(({ url }) => url).sort()).toEqual(STORIES.map(addressOf).sort());
  }, 90_000);

  test("yields the expected fields", async () => {
    const { case_studies } = await app.caseStudies.list({ client: "Alderbrook Foods" });
    expect(case_studies[0]).toMatchObject({
      title: "Alderbrook Foods cuts delivery costs by 23% with Tidewell",
      company: { name: "Tidewell", slug: "tidewell" },
      client: { name: "Alderbrook Foods", domain: "alderbrook-foods.test" },
      industry: "Food & Beverage",
      country: "GB",
      published_at: "2024-03-05",
      language: "en",
      quote: { person: "Maud Pelham", role: "Head of Transport" },
    });
    expect(case_studies[0]?.outcomes).toContainEqual(
      expect.objectContaining({ metric: "cost", value: 23, unit: "%", direction: "decrease" }),
    );
    const { case_studies: all } = await app.caseStudies.list({ company: "tidewell" }, { limit: 100 });
    expect(all.map(({ client }) => client.name).sort()).toEqual(STORIES.map(({ client }) => client).sort());
  });

  test.each(QUESTIONS)("is found by semantic search: %s", async (query, client) => {
    const [answer] = await app.caseStudies.search([{ query, mode: "semantic", limit: 3 }]);
    expect(answer?.hits.some(({ study }) => study.title.includes(client))).toBe(true);
  });

  test("is never fetched where robots.txt disallows it, and no private address is requested", () => {
    const asked = requestsOf(box.hits);
    expect(asked).toContain("https://tidewell.test/robots.txt");
    expect(asked.filter((url) => url.includes("/private/"))).toEqual([]);
    expect(asked).not.toContain(FORBIDDEN);
  });

  test("queues an email to the contact for each step until an SMTP server is set", async () => {
    const { mails } = await app.intake.listEmails({ submission: id });
    expect(mails.map(({ event, state }) => ({ event, state })).reverse()).toEqual([
      { event: "received", state: "waiting" },
      { event: "approved", state: "waiting" },
      { event: "available", state: "waiting" },
    ]);
  });

  test("records the source of each field, and keeps a correction through the next crawl", async () => {
    const { case_studies } = await app.caseStudies.list({ client: "Norrvik Marine" });
    const study = case_studies[0]!;
    const before = await app.caseStudies.getDetail(study.id);
    expect(before.provenance.find(({ pointer }) => pointer === "/client/name")).toMatchObject({ engine: "local" });
    const corrected = await app.caseStudies.correct(study.id, { country: "SE", industry: "Shipping" });
    expect(corrected.study.country).toBe("SE");
    expect(corrected.provenance).toContainEqual({
      pointer: "/country",
      engine: "operator",
      sentence: null,
      confidence: 1,
    });

    box.describe(
      tidewell({ gone: ["vantage-toys"], results: { "norrvik-marine": "Unplanned days at the quay fell by 70%." } }),
    );
    for await (const _ of app.intake.crawl(REQUEST.case_study_url, { signal: AbortSignal.timeout(60_000) }));
    const after = await app.caseStudies.getDetail(study.id);
    expect(after.study).toMatchObject({ country: "SE", url: study.url });
    expect(after.study.outcomes.map(({ value }) => value)).toContain(70);
    expect(after.versions.at(-1)?.study.outcomes.map(({ value }) => value)).toContain(61);
  }, 90_000);

  test("keeps a story that its site removed, marked as gone", async () => {
    const { case_studies } = await app.caseStudies.list({ client: "Vantage Toys" });
    expect(await app.caseStudies.getDetail(case_studies[0]!.id)).toMatchObject({ page: { state: "gone" } });
  });
});

describe("a forbidden URL", () => {
  test.each([
    "http://127.0.0.1/",
    "https://user:pw@tidewell.test/",
    "ftp://tidewell.test/",
    "http://10.0.0.7/customers",
    "",
  ])("%s is refused, and the error names the field", async (case_study_url) => {
    const dataDir = await mkdtemp(join(tmpdir(), "casefile-intake-"));
    const box = await openBox({});
    const app = await openBoxedApp(box, dataDir, { "net-allow-cidrs": "203.0.113.0/24" });
    await expect(app.intake.submit({ ...REQUEST, case_study_url })).rejects.toMatchObject({
      code: "submission.invalid",
      details: { problems: [{ pointer: "/case_study_url" }] },
    });
    await app.close();
    await box.close();
    await rm(dataDir, { recursive: true });
  });
});
