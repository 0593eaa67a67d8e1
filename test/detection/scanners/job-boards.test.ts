import { describe, expect, test } from "bun:test";
import { boardAt, jobBoards, postingsIn } from "../../../src/detection/scanners/job-boards.ts";
import { seenBy } from "./emitted-by.ts";
import { fakeVisit, NO_SOURCES } from "./fake-visit.ts";

const at = (path: string) => `https://acme.example${path}`;
const sources = {
  jobBoards: { ...NO_SOURCES.jobBoards, greenhouse: "https://gh.test/{board}", lever: "https://lv.test/{board}" },
};
const JOBS = JSON.stringify({
  jobs: [{ title: "Engineer", content: "&lt;p&gt;You know &lt;b&gt;Tool&lt;/b&gt;&lt;/p&gt;" }],
});

test.each([
  ["https://boards.greenhouse.io/acme/jobs/1", "greenhouse", "acme"],
  ["https://job-boards.eu.greenhouse.io/acme", "greenhouse", "acme"],
  ["https://boards.greenhouse.io/embed/job_board/js?for=acme", "greenhouse", "acme"],
  ["https://jobs.lever.co/acme-inc/1-2/apply", "lever", "acme-inc"],
  ["https://jobs.eu.lever.co/acme", "lever", "acme"],
  ["https://jobs.ashbyhq.com/Acme%20Inc/1", "ashby", "Acme%20Inc"],
  ["https://apply.workable.com/acme/j/1/", "workable", "acme"],
  ["https://acme.workable.com/", "workable", "acme"],
  ["https://careers.smartrecruiters.com/Acme1", "smartrecruiters", "Acme1"],
  ["https://acme.recruitee.com/o/x", "recruitee", "acme"],
  ["https://acme.teamtailor.com/jobs", "teamtailor", "acme"],
  ["https://acme.jobs.personio.de/job/1", "personio", "acme"],
] as const)("%s is a board of %s named %s", (url, vendor, name) => {
  expect(boardAt(url)).toMatchObject({ vendor, name });
});

test.each([
  "https://www.greenhouse.io/acme",
  "https://boards.greenhouse.io/",
  "https://boards.greenhouse.io/embed/job_board",
  "https://evilrecruitee.com/",
  "https://www.teamtailor.com/",
  "https://jobs.lever.co.evil.test/acme",
  "https://jobs.lever.co/..%2Fadmin",
  "mailto:jobs@acme.example",
])("%s is not a board", (url) => {
  expect(boardAt(url)).toBeUndefined();
});

describe("postings", () => {
  test.each<[Parameters<typeof postingsIn>[0], string, string[]]>([
    ["greenhouse", JOBS, ["Engineer\nYou know Tool"]],
    [
      "lever",
      JSON.stringify([{ id: "1", text: "Engineer", lists: [{ text: "You", content: "<li>Tool" }] }]),
      ["Engineer\nYou\nTool"],
    ],
    ["ashby", JSON.stringify({ jobs: [{ title: "Engineer", descriptionPlain: "Tool", id: "x" }] }), ["Engineer\nTool"]],
    ["smartrecruiters", JSON.stringify({ content: [{ name: "Engineer" }] }), ["Engineer"]],
    [
      "personio",
      "<workzag-jobs><position><name>Engineer</name><value><![CDATA[<b>Tool</b>]]></value></position></workzag-jobs>",
      ["Engineer\nTool"],
    ],
    ["recruitee", `{"offers":[]}`, []],
  ])("of %s are read without their markup", (vendor, body, texts) => {
    expect(postingsIn(vendor, body)).toEqual(texts);
  });

  test.each(["", "null", "<html>", "{}", `{"jobs":{}}`])("are not found in %j", (body) => {
    expect(postingsIn("greenhouse", body)).toBeUndefined();
    expect(postingsIn("personio", body)).toBeUndefined();
  });

  test("are at most 60, with 20 KiB each", () => {
    const jobs = Array.from({ length: 100 }, () => ({ title: "a".repeat(50_000) }));
    const texts = postingsIn("greenhouse", JSON.stringify({ jobs }));
    expect(texts).toHaveLength(60);
    expect(texts?.[0]).toHaveLength(20_480);
  });
});

test("the board that the careers page links to is read", async () => {
  const http = {
    [at("/")]: `<a href="/company/careers">Work here</a>`,
    [at("/company/careers")]:
      `<a href="https://boards.greenhouse.io/acme/jobs/7">Engineer</a><a href="https://friends.test/x">`,
    "https://gh.test/acme": JOBS,
  };
  expect(await seenBy(jobBoards, { sources, http })).toEqual([
    "board.posting Engineer\nYou know Tool @ https://boards.greenhouse.io/acme",
    "board.url https://boards.greenhouse.io/acme @ https://gh.test/acme",
    `board.url https://boards.greenhouse.io/acme/jobs/7 @ ${at("/company/careers")}`,
  ]);
});

test("a careers address that redirects to a vendor is a signal, and so is a board loaded by a script", async () => {
  const http = {
    [at("/")]: `<a href="/careers">Careers</a><a href="/jobs">Jobs</a>`,
    [at("/careers")]: { code: 302, headers: { location: "https://acme.hire.test/portal" } },
    "https://acme.hire.test/portal": "<p>Jobs",
    [at("/jobs")]: `<script>fetch("https://boards-api.greenhouse.io/v1/boards/acme/jobs")</script>`,
    "https://gh.test/acme": `{"jobs":[]}`,
  };
  const seen = await seenBy(jobBoards, { sources, http });
  expect(seen).toContain(`board.url https://acme.hire.test/portal @ ${at("/careers")}`);
  expect(seen).toContain("board.url https://boards.greenhouse.io/acme @ https://gh.test/acme");
});

test("the list of positions is found one link after the careers page", async () => {
  const http = {
    [at("/")]: `<a href="/careers">Careers</a>`,
    [at("/careers")]: `<a href="/careers/open-positions">Open positions</a>`,
    [at("/careers/open-positions")]: `<iframe src="https://acme.bamboohr.com/widget"></iframe>`,
  };
  expect(await seenBy(jobBoards, { http })).toEqual([
    `board.url https://acme.bamboohr.com/widget @ ${at("/careers/open-positions")}`,
  ]);
});

test.each([
  `<a href="/we/are&#9;-hi&#9;ring-jo&#10;bs">x</a>`,
  `<a href="/we/are-hiring-jobs">x</a>`,
  `<a href="/we/are-hiring-jobs">We're <b>hiring</b></a>`,
])("careers are found behind %p", async (link) => {
  const http = {
    [at("/")]: `<a href="/about">About</a>${link}`,
    [at("/we/are-hiring-jobs")]: `<iframe src="https://acme.bamboohr.com/widget"></iframe>`,
  };
  expect(await seenBy(jobBoards, { http })).toEqual([
    `board.url https://acme.bamboohr.com/widget @ ${at("/we/are-hiring-jobs")}`,
  ]);
});

test("a posting on the company's page with a board's parameter is a signal, one for each parameter", async () => {
  const http = {
    [at("/")]: `<a href="/careers">Careers</a>`,
    [at("/careers")]: `<a href="/job?gh_jid=1">One</a><a href="/job?gh_jid=2">Two</a><a href="/job?id=3">Three</a>`,
  };
  expect(await seenBy(jobBoards, { http })).toEqual([`board.url ${at("/job?gh_jid=2")} @ ${at("/careers")}`]);
});

test.each([
  ["apply at www.acme.example", true],
  ["mail to jobs@acme.example", true],
  ["see notacme.example", false],
  ["see acme.example.evil.test", false],
  ["we are Acme", false],
])("a guessed board that says %j belongs to the company: %p", async (content, own) => {
  const http = {
    [at("/")]: "<p>Acme",
    "https://gh.test/acme": JSON.stringify({ jobs: [{ title: "Engineer", content }] }),
  };
  expect((await seenBy(jobBoards, { sources, http })).length > 0).toBe(own);
});

test("no board is guessed when one was found", async () => {
  const http = { [at("/")]: `<a href="https://jobs.lever.co/acme-labs">Jobs</a>` };
  const visit = fakeVisit({ sources, http });
  await jobBoards.scan(visit, () => {});
  expect(visit.asked.filter((question) => /gh\.test|lv\.test/.test(question))).toEqual([
    "GET https://lv.test/acme-labs",
  ]);
});
