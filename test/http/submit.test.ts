import { describe, expect, test } from "bun:test";
import { HARBOURLINE } from "../services/fake-intake.ts";
import { jsonOf, open, problemOf } from "./opened.ts";

const NOW = "2026-05-04T12:00:00.000Z";
const opened = (keylessPerHour = 20) => open({ clock: () => new Date(NOW), keylessPerHour });

describe("POST /v1/submit", () => {
  test("needs no key, and answers 202 with a receipt", async () => {
    const { ask } = await opened();
    const answer = await ask("/v1/submit", { json: HARBOURLINE });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.has("ratelimit")).toBe(false);
    const body = await jsonOf(answer);
    expect(body).toEqual({
      submission_id: expect.stringMatching(/^sub_[0-9a-z]{20}$/),
      company_name: "Harbourline",
      case_study_url: "https://harbourline.example/customers",
      received_at: NOW,
      message: "The page will be reviewed before anything is indexed. The contact address is notified of each step.",
    });
    expect(Object.keys(body)).toEqual(["submission_id", "company_name", "case_study_url", "received_at", "message"]);
  });

  test("the same page in any spelling has the same id while it is pending", async () => {
    const { ask, app } = await opened();
    const { submission_id: id } = await jsonOf(await ask("/v1/submit", { json: HARBOURLINE }));
    const again = { ...HARBOURLINE, case_study_url: " https://Harbourline.example:443/customers#all " };
    const answer = await ask("/v1/submit", { json: again });
    expect([answer.status, (await jsonOf(answer)).submission_id]).toEqual([202, id]);
    await app.intake.approveSubmission(id);
    expect(await jsonOf(await ask("/v1/submit", { json: HARBOURLINE }))).toMatchObject({
      submission_id: id,
      message: "The page is approved and being crawled. The contact address is notified when this is done.",
    });
    await app.jobs.startWorker().stop();
    expect((await jsonOf(await ask("/v1/submit", { json: HARBOURLINE }))).submission_id).not.toBe(id);
  });

  test("queues one preview and one email to the contact", async () => {
    const { ask, app } = await opened();
    for (const _ of [1, 2]) await ask("/v1/submit", { json: HARBOURLINE });
    const { jobs } = await app.jobs.list({});
    expect(jobs.map(({ kind }) => kind).sort()).toEqual(["mail", "preview"]);
    expect((await app.intake.listEmails({})).mails.map(({ recipient, event }) => [recipient, event])).toEqual([
      ["ana@harbourline.example", "received"],
    ]);
  });

  test.each([
    ["no name", { company_name: "  " }, "submission.invalid", ["/company_name"]],
    ["an address that is none", { case_study_url: "harbourline" }, "submission.invalid", ["/case_study_url"]],
    ["another scheme", { case_study_url: "ftp://harbourline.example/" }, "submission.invalid", ["/case_study_url"]],
    ["a password", { case_study_url: "https://a:b@harbourline.example/" }, "submission.invalid", ["/case_study_url"]],
    ["a private address", { case_study_url: "http://10.0.0.1/" }, "submission.invalid", ["/case_study_url"]],
    [
      "two faults",
      { company_name: "", case_study_url: "x" },
      "submission.invalid",
      ["/company_name", "/case_study_url"],
    ],
    ["no mail address", { contact_email: "ana" }, "email.invalid", ["/contact_email"]],
    ["a missing field", { contact_email: undefined }, "request.invalid", ["/contact_email"]],
    ["a number", { company_name: 5 }, "request.invalid", ["/company_name"]],
    ["a long name", { company_name: "a".repeat(201) }, "request.invalid", ["/company_name"]],
    [
      "a long address",
      { case_study_url: `https://a.example/${"a".repeat(2_048)}` },
      "request.invalid",
      ["/case_study_url"],
    ],
    ["a long mail address", { contact_email: `${"a".repeat(320)}@b.example` }, "request.invalid", ["/contact_email"]],
    ["an unknown field", { company: "Harbourline" }, "request.invalid", ["/company"]],
  ])("%s is 422 and stores nothing", async (_, change, code, pointers) => {
    const { ask, app } = await opened();
    const answer = await ask("/v1/submit", { json: { ...HARBOURLINE, ...change } });
    const problem = await problemOf(answer);
    expect(problem).toMatchObject({ status: 422, code });
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    expect((await app.intake.listSubmissions({})).total).toBe(0);
  });

  test("shares the limit per client with POST /v1/keys", async () => {
    const { ask } = await opened(2);
    expect((await ask("/v1/submit", { json: HARBOURLINE })).status).toBe(202);
    expect((await ask("/v1/keys", { json: { email: "ana@brightpine.test" } })).status).toBe(201);
    const refused = await ask("/v1/submit", { json: HARBOURLINE });
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(await problemOf(refused)).toMatchObject({ status: 429, code: "rate.exceeded" });
    expect((await ask("/v1/submit", { json: HARBOURLINE, peer: "192.0.2.7" })).status).toBe(202);
  });
});
