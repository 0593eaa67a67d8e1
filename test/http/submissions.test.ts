import { describe, expect, test } from "bun:test";
import { HARBOURLINE, PREVIEW } from "../services/fake-intake.ts";
import { managed } from "./managed.ts";
import { jsonOf, problemOf } from "./opened.ts";

/** A service with submissions of these companies, the first one first. */
const submitted = (...names: string[]) => submittedTo({}, ...names);

async function submittedTo(options: Parameters<typeof managed>[0], ...names: string[]) {
  const service = await managed(options);
  const ids: string[] = [];
  for (const name of names) {
    const page = { ...HARBOURLINE, company_name: name, case_study_url: `https://${name.toLowerCase()}.example/cases` };
    ids.push((await service.app.intake.submit(page)).id);
  }
  return { ...service, ids, id: ids[0] ?? "" };
}

describe("the operator's token", () => {
  test.each([
    ["GET", "/admin/submissions", undefined],
    ["GET", "/admin/submissions/sub_x", undefined],
    ["PATCH", "/admin/submissions/sub_x", { company_name: "A" }],
    ["POST", "/admin/submissions/sub_x/approve", undefined],
    ["POST", "/admin/submissions/sub_x/reject", { reason: "No." }],
    ["POST", "/admin/submissions/sub_x/retry", undefined],
    ["GET", "/admin/jobs", undefined],
    ["POST", "/admin/jobs/1/retry", undefined],
    ["GET", "/admin/mails", undefined],
    ["GET", "/admin/casestudies/x", undefined],
    ["PATCH", "/admin/casestudies/x", { title: "A" }],
    ["DELETE", "/admin/casestudies/x", undefined],
    ["PATCH", "/admin/companies/x", { name: "A" }],
    ["POST", "/admin/companies/x/merge", { into: "y" }],
  ])("is checked first for %s %s", async (method, path, json) => {
    const { ask, key, token } = await managed();
    const own = await key();
    for (const asked of [{}, { key: own }, { operator: own }, { operator: `${token}x` }]) {
      const sent = json === undefined ? {} : { json: { ...json, nonsense: 1 } };
      const answer = await ask(path, { method, ...sent, ...asked });
      expect(await problemOf(answer)).toMatchObject({ status: 401, code: "operator.invalid" });
    }
    const { status } = await ask(path, { method, ...(json === undefined ? {} : { json }), operator: token });
    expect([200, 404]).toContain(status);
  });
});

describe("submissions", () => {
  test("are listed newest first, page by page", async () => {
    const { manage } = await submitted("Harbourline", "Quarrystone", "Tidewell");
    const first = await jsonOf(await manage("/admin/submissions?limit=2"));
    expect(Object.keys(first)).toEqual(["submissions", "total", "next_cursor"]);
    expect(first.total).toBe(3);
    const second = await jsonOf(await manage(`/admin/submissions?limit=2&cursor=${first.next_cursor}`));
    expect(second.next_cursor).toBeNull();
    const names = [...first.submissions, ...second.submissions].map(({ company_name }) => company_name);
    expect(names).toEqual(["Tidewell", "Quarrystone", "Harbourline"]);
  });

  test("are listed by state", async () => {
    const { manage, app, ids } = await submitted("Harbourline", "Quarrystone");
    await app.intake.approveSubmission(ids[1] ?? "");
    const idsOf = async (state: string) =>
      (await jsonOf(await manage(`/admin/submissions?state=${state}`))).submissions.map(({ id }: { id: string }) => id);
    expect(await idsOf("crawling")).toEqual([ids[1]]);
    expect(await idsOf("waiting")).toEqual([ids[0]]);
    expect(await idsOf("rejected")).toEqual([]);
  });

  test.each([
    ["state=done", "request.invalid", "/state"],
    ["limit=0", "request.invalid", "/limit"],
    ["limit=101", "request.invalid", "/limit"],
    ["cursor=", "request.invalid", "/cursor"],
    ["cursor=nonsense", "cursor.invalid", undefined],
    ["page=2", "request.invalid", "/page"],
  ])("a list with %s is 422", async (query, code, pointer) => {
    const { manage } = await submitted("Harbourline");
    const problem = await problemOf(await manage(`/admin/submissions?${query}`));
    expect(problem).toMatchObject({ status: 422, code });
    if (pointer) expect(problem.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  test("a cursor of another list is refused", async () => {
    const { manage } = await submitted("Harbourline", "Quarrystone");
    const { next_cursor: cursor } = await jsonOf(await manage("/admin/submissions?limit=1"));
    expect((await problemOf(await manage(`/admin/jobs?cursor=${cursor}`))).code).toBe("cursor.invalid");
  });

  test("one is shown with its preview", async () => {
    const { manage, app, id } = await submitted("Harbourline");
    await app.jobs.startWorker().stop();
    expect(await jsonOf(await manage(`/admin/submissions/${id}`))).toEqual({
      id,
      company_name: "Harbourline",
      company_slug: "harbourline",
      company_domain: "harbourline.example",
      case_study_url: "https://harbourline.example/cases",
      contact_email: "ana@harbourline.example",
      state: "review",
      reason: null,
      approved_by: null,
      preview: PREVIEW,
      counts: { found: 0, structured: 0, indexed: 0 },
      received_at: expect.stringMatching(/^2026-05-04T12:00:\d\d\.000Z$/),
      updated_at: expect.stringMatching(/^2026-05-04T12:00:\d\d\.000Z$/),
    });
  });

  test("an approved one is crawled, and cannot be approved again", async () => {
    const { manage, app, id } = await submitted("Harbourline");
    const answer = await manage(`/admin/submissions/${id}/approve`, { method: "POST" });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await jsonOf(answer)).toMatchObject({ id, state: "crawling", approved_by: "operator" });
    expect((await app.jobs.list({ kind: "crawl" })).total).toBe(1);
    const again = await problemOf(await manage(`/admin/submissions/${id}/approve`, { method: "POST" }));
    expect(again).toMatchObject({
      status: 409,
      code: "submission.conflict",
      detail: "The submission is crawling; this action requires the state waiting or review.",
    });
  });

  test("a rejected one keeps the reason, which is emailed to the contact, and can be restarted", async () => {
    const { manage, app, id } = await submitted("Harbourline");
    const json = { reason: "These are blog posts." };
    expect(await jsonOf(await manage(`/admin/submissions/${id}/reject`, { json }))).toMatchObject({
      state: "rejected",
      reason: "These are blog posts.",
    });
    expect((await app.intake.listEmails({ submission: id })).mails[0]?.body).toContain("These are blog posts.");
    const retried = await jsonOf(await manage(`/admin/submissions/${id}/retry`, { method: "POST" }));
    expect(retried).toMatchObject({ state: "waiting", reason: null });
    expect((await manage(`/admin/submissions/${id}/retry`, { method: "POST" })).status).toBe(409);
  });

  test.each([[{ reason: " " }], [{}], [{ reason: 5 }], [{ reason: "a".repeat(1_001) }]])(
    "a rejection with %p is 422",
    async (json) => {
      const { manage, app, id } = await submitted("Harbourline");
      const problem = await problemOf(await manage(`/admin/submissions/${id}/reject`, { json }));
      expect([problem.status, problem.errors?.[0]?.pointer]).toEqual([422, "/reason"]);
      expect((await app.intake.getSubmission(id)).state).toBe("waiting");
    },
  );

  test("the company's details can be edited while it waits", async () => {
    const { manage, app, id } = await submitted("Harbourline");
    const json = { company_name: "Harbourline AS", company_slug: "harbourline-as", company_domain: null };
    const edited = await jsonOf(await manage(`/admin/submissions/${id}`, { method: "PATCH", json }));
    expect(edited).toMatchObject(json);
    await app.intake.approveSubmission(id);
    const late = await manage(`/admin/submissions/${id}`, { method: "PATCH", json });
    expect((await problemOf(late)).code).toBe("submission.conflict");
  });

  test.each([
    [{ company_slug: "Not a slug" }, "/company_slug"],
    [{ company_slug: "" }, "/company_slug"],
    [{ company_name: " " }, "/company_name"],
    [{ company_domain: "no domain" }, "/company_domain"],
    [{ company_domain: "https://a.example/x" }, "/company_domain"],
    [{ contact_email: "b@b.example" }, "/contact_email"],
    [{}, ""],
  ])("an edit of %p is 422", async (json, pointer) => {
    const { manage, id } = await submitted("Harbourline");
    const problem = await problemOf(await manage(`/admin/submissions/${id}`, { method: "PATCH", json }));
    expect([problem.status, problem.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });

  test.each([
    ["GET", "", undefined],
    ["PATCH", "", { company_name: "A" }],
    ["POST", "/approve", undefined],
    ["POST", "/reject", { reason: "No." }],
    ["POST", "/retry", undefined],
  ])("%s of a missing one is 404 (%s)", async (method, path, json) => {
    const { manage } = await managed();
    const answer = await manage(`/admin/submissions/sub_none${path}`, { method, ...(json ? { json } : {}) });
    expect(await problemOf(answer)).toMatchObject({ status: 404, code: "submission.not_found" });
  });
});

describe("jobs", () => {
  test("are listed newest first, by state and kind", async () => {
    const { manage, id } = await submitted("Harbourline", "Quarrystone");
    const all = await jsonOf(await manage("/admin/jobs?state=waiting&kind=preview&limit=1"));
    expect(all.total).toBe(2);
    const rest = await jsonOf(await manage(`/admin/jobs?state=waiting&kind=preview&limit=1&cursor=${all.next_cursor}`));
    expect(rest.jobs).toEqual([
      {
        id: expect.any(Number),
        kind: "preview",
        state: "waiting",
        attempts: 0,
        max_attempts: 5,
        last_error: null,
        run_after: expect.stringMatching(/Z$/),
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        payload: { submission: id },
      },
    ]);
    expect((await jsonOf(await manage("/admin/jobs?state=dead"))).total).toBe(0);
  });

  test("a failed one can be retried; any other is 404", async () => {
    const { manage, app, id } = await submittedTo({ givesUp: ["preview"], leads: {} }, "Harbourline");
    const [job] = (await app.jobs.list({ kind: "preview" })).jobs;
    expect((await problemOf(await manage(`/admin/jobs/${job?.id}/retry`, { method: "POST" }))).code).toBe(
      "job.not_found",
    );
    await app.jobs.startWorker().stop();
    expect((await jsonOf(await manage("/admin/jobs?state=dead"))).jobs[0]).toMatchObject({
      last_error: "The page was empty.",
    });
    const answer = await manage(`/admin/jobs/${job?.id}/retry`, { method: "POST" });
    expect(await jsonOf(answer)).toMatchObject({ id: job?.id, state: "waiting", payload: { submission: id } });
  });

  test.each([
    ["/admin/jobs?state=ready", "/state"],
    ["/admin/jobs?kind=", "/kind"],
    ["/admin/mails?state=lost", "/state"],
    ["/admin/mails?limit=500", "/limit"],
  ])("%s is 422", async (path, pointer) => {
    const { manage } = await managed();
    expect((await problemOf(await manage(path))).errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  test("an id that is not a number is 404", async () => {
    const { manage } = await managed();
    expect((await problemOf(await manage("/admin/jobs/x/retry", { method: "POST" }))).status).toBe(422);
  });
});

describe("emails", () => {
  test("are listed without their bodies", async () => {
    const { manage, id } = await submitted("Harbourline", "Quarrystone");
    expect((await jsonOf(await manage("/admin/mails"))).total).toBe(2);
    const answer = await manage(`/admin/mails?submission=${id}&state=waiting`);
    expect(await jsonOf(answer)).toEqual({
      mails: [
        {
          id: expect.any(Number),
          submission_id: id,
          event: "received",
          recipient: "ana@harbourline.example",
          subject: "We received the case studies of Harbourline",
          state: "waiting",
          last_error: null,
          created_at: expect.stringMatching(/Z$/),
          sent_at: null,
        },
      ],
      total: 1,
      next_cursor: null,
    });
    expect((await jsonOf(await manage("/admin/mails?state=sent"))).mails).toEqual([]);
  });

  test("are listed page by page, newest first", async () => {
    const { manage } = await submitted("Harbourline", "Quarrystone", "Kestrel");
    const first = await jsonOf(await manage("/admin/mails?limit=2"));
    const rest = await jsonOf(await manage(`/admin/mails?limit=2&cursor=${first.next_cursor}`));
    expect([first.total, rest.total, rest.next_cursor]).toEqual([3, 3, null]);
    const ids = [...first.mails, ...rest.mails].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
    const foreign = await manage(`/admin/jobs?cursor=${first.next_cursor}`);
    expect((await problemOf(foreign)).code).toBe("cursor.invalid");
  });
});

test("metrics count submissions and jobs by state", async () => {
  const { ask, app, ids } = await submitted("Harbourline", "Quarrystone");
  await app.intake.approveSubmission(ids[0] ?? "");
  const text = await (await ask("/metrics")).text();
  for (const line of [
    'casefile_submissions{state="crawling"} 1',
    'casefile_submissions{state="waiting"} 1',
    'casefile_submissions{state="review"} 0',
    'casefile_mails{state="waiting"} 3',
    'casefile_mails{state="unclear"} 0',
    'casefile_jobs{state="waiting"} 6',
    'casefile_jobs{state="dead"} 0',
  ]) {
    expect(text.split("\n")).toContain(line);
  }
});
