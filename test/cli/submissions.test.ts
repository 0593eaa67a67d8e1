import { describe, expect, test } from "bun:test";
import { managed } from "../http/managed.ts";
import { openFakeApp } from "../services/fake-app.ts";
import { type FakeIntakeOptions, HARBOURLINE } from "../services/fake-intake.ts";
import { run, type Surroundings } from "./fake-host.ts";

/** One installation with submissions of Harbourline and, later, of Quarrystone. */
async function installation(options: FakeIntakeOptions = {}) {
  let seconds = 0;
  const app = await openFakeApp({ clock: () => new Date(Date.UTC(2026, 4, 4, 12, 0, seconds++)), ...options });
  const { id } = await app.intake.submit(HARBOURLINE);
  const other = await app.intake.submit({
    company_name: "Quarrystone",
    case_study_url: "https://quarrystone.example/cases",
    contact_email: "bo@quarrystone.example",
  });
  const command = (argv: readonly string[], rest: Surroundings = {}) => run(argv, { app, ...rest });
  return { app, id, otherId: other.id, command };
}

describe("submissions", () => {
  test("are listed newest first by the bare command", async () => {
    const { id, otherId, command } = await installation();
    const { code, out, err, left } = await command(["submissions"]);
    expect(out).toBe(
      [
        "ID                        STATE    COMPANY      PAGE                               FOUND  RECEIVED",
        `${otherId}  waiting  Quarrystone  https://quarrystone.example/cases  0      2026-05-04`,
        `${id}  waiting  Harbourline  https://harbourline.example/cust…  0      2026-05-04`,
        "2 of 2",
        "",
      ].join("\n"),
    );
    expect([code, err, left]).toEqual([0, "", 0]);
    expect((await command(["submissions", "list"])).out).toBe(out);
    expect((await command(["submissions", "--state", "review"])).out).toBe("No submissions found.\n");
  });

  test("show the number found by the preview until the crawl has counted", async () => {
    const { app, command } = await installation();
    await app.jobs.startWorker().stop();
    const { out } = await command(["submissions", "--state", "review"]);
    expect(out.match(/ 12 +2026-05-04$/gm)).toHaveLength(2);
  });

  test("are listed page by page", async () => {
    const { command } = await installation();
    const { out } = await command(["submissions", "--limit", "1"]);
    const cursor = /^1 of 2; next page: --cursor (\S+)\n$/m.exec(out)?.[1] ?? "";
    const rest = await command(["submissions", "--limit", "1", "--cursor", cursor]);
    expect(rest.out).toContain("Harbourline");
    expect(rest.out).toEndWith("1 of 2\n");
  });

  test("--json equals the API response", async () => {
    const { app, manage } = await managed();
    const { id } = await app.intake.submit(HARBOURLINE);
    await app.jobs.startWorker().stop();
    const command = (argv: readonly string[]) => run(argv, { app });
    for (const [argv, path] of [
      [["submissions"], "/admin/submissions"],
      [["submissions", "--state", "review", "--limit", "1"], "/admin/submissions?state=review&limit=1"],
      [["submissions", "show", id], `/admin/submissions/${id}`],
      [["jobs"], "/admin/jobs"],
      [["jobs", "list", "--kind", "mail"], "/admin/jobs?kind=mail"],
      [["mails"], "/admin/mails"],
      [["mails", "--submission", id, "--state", "waiting"], `/admin/mails?submission=${id}&state=waiting`],
    ] as const) {
      expect((await command([...argv, "--json"])).out).toBe(`${await (await manage(path)).text()}\n`);
    }
  });

  test("one is shown with the details a reviewer needs", async () => {
    const { app, id, command } = await installation();
    await app.jobs.startWorker().stop();
    const { out } = await command(["submissions", "show", id]);
    expect(out.replace(/12:00:?\d*/g, "12:00")).toBe(
      [
        `ID            ${id}`,
        "State         review",
        "Company       Harbourline (harbourline)",
        "Domain        harbourline.example",
        "Page          https://harbourline.example/customers",
        "Contact       ana@harbourline.example",
        "Case studies  0 found, 0 structured, 0 indexed",
        "Received      2026-05-04 12:00 UTC",
        "Updated       2026-05-04 12:00 UTC",
        "",
        "Preview of 2026-05-04 12:00 UTC: Customers of Harbourline",
        "  12 case studies on https://harbourline.example/customers/",
        "  Note: The page lists its case studies on two pages.",
        "  • Kestrel Bank",
        "    https://harbourline.example/customers/kestrel",
        "    A bank moved.",
        "  • https://harbourline.example/customers/ostra",
        "  …",
        "",
      ].join("\n"),
    );
  });

  test("an approved one is left to a service, unless --wait is given", async () => {
    const { app, id, otherId, command } = await installation();
    expect((await command(["submissions", "approve", id])).out).toBe(
      `Harbourline is approved. A running service continues. Without a service, run: casefile submissions show ${id} --wait\n`,
    );
    expect((await app.intake.getSubmission(id)).state).toBe("crawling");
    const { code, out, left } = await command(["submissions", "approve", otherId, "--wait", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ id: otherId, state: "available", approved_by: "operator" });
    expect([code, left]).toEqual([0, 0]);
    expect((await app.intake.getSubmission(id)).state).toBe("available");
    expect(await command(["submissions", "approve", id])).toMatchObject({ code: 1, out: "", left: 0 });
  });

  test("after an interrupt show waits again", async () => {
    const { id, command } = await installation();
    expect((await command(["submissions", "show", id, "--wait"])).out).toContain("State         review\n");
  });

  test("waiting for one that fails exits with 1 and the reason", async () => {
    const { id, command } = await installation({ leads: { crawling: "failed" } });
    const { code, out, err, left } = await command(["submissions", "approve", id, "--wait"]);
    expect([code, out, err, left]).toEqual([1, "", "casefile: It was empty.\n", 0]);
  });

  test("waiting for one whose job failed exits with 1 and the reason", async () => {
    const { id, command } = await installation({ leads: {}, givesUp: ["preview"] });
    const { code, err } = await command(["submissions", "show", id, "--wait"]);
    expect([code, err]).toEqual([1, "casefile: A job failed: The page was empty.\n"]);
  });

  test("an interrupt while waiting exits with 1 and prints how to continue", async () => {
    const { app, id, command } = await installation({ leads: {} });
    const stop = new AbortController();
    const drawn: string[] = [];
    const host = {
      interactive: true,
      signal: stop.signal,
      err(text: string) {
        drawn.push(text);
        stop.abort(new Error("interrupted"));
      },
    };
    const { code, out, left } = await command(["submissions", "approve", id, "--wait"], { host });
    expect([code, out, left]).toEqual([1, "", 0]);
    expect(drawn).toEqual([
      "\r\u001b[2KHarbourline: crawling, 0 found, 0 structured, 0 indexed …",
      "\r\u001b[2K",
      `Interrupted. A running service continues. Without a service, run: casefile submissions show ${id} --wait\n`,
    ]);
    expect((await app.intake.getSubmission(id)).state).toBe("crawling");
  });

  test("a rejected one keeps the reason, and is restarted", async () => {
    const { app, id, command } = await installation();
    expect((await command(["submissions", "reject", id, "--reason", "These are blog posts."])).out).toBe(
      "Harbourline is rejected. The reason is sent to the contact.\n",
    );
    expect(await app.intake.getSubmission(id)).toMatchObject({ state: "rejected", reason: "These are blog posts." });
    expect((await command(["submissions", "retry", id])).out).toStartWith("Harbourline is restarted. ");
    expect((await app.intake.getSubmission(id)).state).toBe("waiting");
  });

  test("one is edited before it is approved", async () => {
    const { id, command } = await installation();
    const argv = ["submissions", "edit", id, "--name", "Harbourline AS", "--slug", "harbour", "--domain", "", "--json"];
    expect(JSON.parse((await command(argv)).out)).toMatchObject({
      company_name: "Harbourline AS",
      company_slug: "harbour",
      company_domain: null,
    });
  });

  test.each([
    [["list", "--state", "done"], 2, "Allowed choices are waiting, review"],
    [["--limit", "0"], 2, "Give a whole number from 1 to 100."],
    [["--cursor", "nonsense"], 2, "Use next_cursor"],
    [["aprove", "sub_x"], 2, "unknown command 'aprove'"],
    [["show"], 2, "missing required argument 'id'"],
    [["show", "sub_x"], 1, 'No submission has the id "sub_x"; list'],
    [["approve", "sub_x"], 1, 'No submission has the id "sub_x"; list'],
    [["reject", "sub_x"], 2, "--reason <text>"],
    [["reject", "sub_x", "--reason", " "], 2, "casefile: Give a reason; it is sent to the contact.\n"],
    [["edit", "sub_x"], 2, "give --name, --slug or --domain"],
    [["edit", "sub_x", "--slug", "No slug"], 2, "/company_slug: "],
  ])("%p exits with %d", async (argv, expected, advice) => {
    const { command } = await installation();
    const { code, out, err, left } = await command(["submissions", ...argv]);
    expect(err).toContain(advice);
    expect([code, out, left]).toEqual([expected, "", 0]);
  });
});

describe("jobs", () => {
  test("lists jobs and retries a failed one", async () => {
    const { app, command } = await installation({ leads: {}, givesUp: ["preview"] });
    await app.jobs.startWorker().stop();
    const { out } = await command(["jobs", "--state", "dead"]);
    expect(out.replace(/12:\d\d/g, "12:00").split("\n")).toEqual([
      "ID  KIND     STATE  ATTEMPTS  WHEN (UTC)        LAST ERROR",
      "4   preview  dead   1/5       2026-05-04 12:00  The page was empty.",
      "2   preview  dead   1/5       2026-05-04 12:00  The page was empty.",
      "2 of 2",
      "",
    ]);
    expect((await command(["jobs", "retry", "2"])).out).toBe(
      "Job 2 (preview) is queued; a running service will retry it.\n",
    );
    expect(JSON.parse((await command(["jobs", "retry", "4", "--json"])).out)).toMatchObject({
      id: 4,
      state: "waiting",
    });
    expect((await command(["jobs", "--state", "dead"])).out).toBe("No jobs.\n");
  });

  test.each([
    [["retry", "2"], 1, "No failed job has the id 2; list"],
    [["retry", "x"], 2, "Give the number of a job."],
    [["--state", "ready"], 2, "Allowed choices are waiting, running, done, dead."],
  ])("%p exits with %d", async (argv, expected, advice) => {
    const { command } = await installation();
    const { code, out, err } = await command(["jobs", ...argv]);
    expect(err).toContain(advice);
    expect([code, out]).toEqual([expected, ""]);
  });
});

describe("mails", () => {
  test("lists emails without their bodies", async () => {
    const { id, command } = await installation();
    expect((await command(["mails", "--submission", id])).out.replace(/12:\d\d/g, "12:00")).toBe(
      [
        "STATE    TO                       SUBJECT                               WHEN (UTC)        LAST ERROR",
        "waiting  ana@harbourline.example  We received the case studies of Har…  2026-05-04 12:00",
        "1 of 1",
        "",
      ].join("\n"),
    );
    expect((await command(["mails", "--state", "sent"])).out).toBe("No emails.\n");
  });
});
