import { describe, expect, test } from "bun:test";
import { findCandidates } from "../../../../src/casestudies/structure/client/candidates.ts";
import { findClient } from "../../../../src/casestudies/structure/client/find-client.ts";
import { hostFitsName } from "../../../../src/casestudies/structure/links.ts";
import { organisationKey } from "../../../../src/casestudies/structure/names.ts";
import { readStory } from "../../../../src/casestudies/structure/story.ts";
import { pageOf, readPage } from "../fields-page.ts";

const BODY =
  "Brackwater is a port operator on the northern coast. Brackwater moved its planning to one calendar.\n\nThe port's team is glad.";
const named = async (changes: Parameters<typeof readPage>[0]) => (await readPage(changes)).client?.name ?? null;

describe("a client is found", () => {
  test.each([
    "How Brackwater cut waiting time by half",
    "Brackwater uses Quayline to plan its cranes",
    "Brackwater Case Study",
    "Case study: Brackwater",
    "Interview with Brackwater",
    "Faster cranes with Quayline at Brackwater",
    "Brackwater | Customer story | Quayline",
    "Brackwater + Quayline",
    "Quayline Customer Story: How Brackwater plans its cranes",
  ])("by the title %p", async (title) => {
    expect(await named({ title, markdown: BODY })).toBe("Brackwater");
  });

  test("by a label, whatever the title is", async () => {
    const labels = [{ name: "Customer", value: "Brackwater Ltd" }];
    expect(await named({ title: "Cranes without waiting", labels, markdown: "We wait less." })).toBe("Brackwater Ltd");
  });

  test("by a labelled line of the story", async () => {
    expect(await named({ title: "Cranes without waiting", markdown: "Company: Brackwater\n\nWe wait less." })).toBe(
      "Brackwater",
    );
  });

  test("by the speaker of a quote", async () => {
    const markdown =
      "We wait less now.\n\n> Nobody on the quay noticed a thing.\n>\n> — Ada Quill, Head of Planning, Brackwater Harbours";
    expect(await named({ title: "The way to calmer cranes", markdown })).toBe("Brackwater Harbours");
  });

  test("by the URL, when it is written in lower case", async () => {
    expect(
      await named({
        title: "brackwater Case Study",
        url: "https://quayline.example/stories/brackwater",
        markdown: "brackwater plans cranes.",
      }),
    ).toBe("brackwater");
  });

  test("by the subject of the page's JSON-LD", async () => {
    const json_ld = [{ "@type": "Article", about: { "@type": "Organization", name: "Brackwater" } }];
    expect(await named({ title: "Cranes without waiting", json_ld, markdown: "Brackwater is a port operator." })).toBe(
      "Brackwater",
    );
  });

  test("with a common word as name, when title and URL agree", async () => {
    const page = { title: "Calmer cranes with Quayline at Remote", url: "https://quayline.example/stories/remote" };
    expect(
      await named({ ...page, markdown: "Remote is a company of planners. At Remote, cranes are booked ahead." }),
    ).toBe("Remote");
  });

  test("with its company form, when the page has it", async () => {
    const markdown = `${BODY}\n\n> We wait less.\n>\n> — Ada Quill, CTO, Brackwater Group`;
    expect(await named({ title: "How Brackwater cut waiting time", markdown })).toBe("Brackwater Group");
  });
});

test.each(["Harbour-line", "A+B [Works]", "(x", "C++"])("the vendor may be called %s", async (name) => {
  const page = pageOf({ title: "How Brackwater waits less", markdown: `${BODY} It uses ${name}.` });
  const candidates = findCandidates(page, { name, slug: "x", domain: null }, readStory(page), {
    isTool: () => false,
    isPlace: () => false,
    isOrganisation: () => false,
  });
  expect(candidates.map(({ key }) => key)).toContain("brackwater");
});

describe("no client is found", () => {
  test.each([
    [
      "where the title speaks of someone",
      { title: "How a top bank cut waiting time", markdown: "The bank moved to Quayline with PipeDock and Ledgerly." },
    ],
    [
      "where only tools are named",
      {
        title: "The way to calm releases",
        markdown: "We built our pipelines with PipeDock and Ledgerly. PipeDock runs our builds.",
      },
    ],
    [
      "where only the vendor is",
      {
        title: "Quayline Cloud is the way to calm",
        markdown: "Quayline is a company that helps. At Quayline, we plan.",
      },
    ],
    [
      "where only a person is",
      {
        title: "Calm releases",
        markdown: "We wait less, says Ada Quill.\n\n> Calm.\n>\n> — Ada Quill, DevOps Engineer",
      },
    ],
    [
      "when a person is described like a company",
      {
        title: "Calm releases at last: Ada Quill",
        markdown: "Ada Quill builds cranes, says Tom. It was slow, says Ada Quill. It is calm, adds Ada Quill.",
      },
    ],
    [
      "where only places are",
      { title: "Calm releases in Germany", markdown: "I work in Berlin, Germany. Germany is a country." },
    ],
    ["where there is no text", {}],
  ])("%s", async (_, changes) => {
    expect(await named(changes)).toBeNull();
  });
});

test.each([
  "How a Global Bank Saved Millions",
  "Leading Retailer Cuts Costs by 40%",
  "Fortune 500 Insurer Modernizes Claims",
  "European Energy Company Accelerates Delivery",
  "Top 10 US Bank Improves Fraud Detection",
])("a description is no name: %p", async (title) => {
  const markdown = "The Bank needed a faster way.\n\n> It is great.\n>\n> — Head of Engineering, Global Bank";
  expect(await named({ title, markdown })).toBeNull();
});

describe("a client's domain", () => {
  const title = "How Brackwater cut waiting time";
  const domain = async (href: string, text: string) =>
    (await readPage({ title, markdown: BODY, links: [{ href, text }] })).client?.domain ?? null;

  test.each([
    ["https://www.brackwater.example/", "Brackwater", "brackwater.example"],
    ["https://careers.brackwater.example/jobs", "jobs", "brackwater.example"],
    ["https://getbrackwater.example/", "its site", "getbrackwater.example"],
  ])("is the site of the link %p", async (href, text, expected) => {
    expect(await domain(href, text)).toBe(expected);
  });

  test.each([
    ["https://quayline.example/brackwater", "Brackwater"],
    ["https://news.example/brackwater", "Brackwater"],
    ["https://github.com/brackwater", "Brackwater"],
    ["https://brackwater.github.io/", "Brackwater"],
    ["javascript:alert(1)", "Brackwater"],
  ])("is not found by %p", async (href, text) => {
    expect(await domain(href, text)).toBeNull();
  });
});

test.each([
  ["Brackwater Inc.", "brackwater"],
  ["The Brackwater Company", "BRACKWATER"],
  ["Brackwater GmbH", "Brackwater, Ltd"],
  ["Pôle Quai", "pole-quai"],
  ["6 Harbour Lines", "6HarbourLines"],
  ["Quai S.A.", "Quai"],
])("%p and %p are one name", (one, other) => {
  expect(organisationKey(one)).toBe(organisationKey(other));
});

test.each([
  ["northernportassociation", "Northern Port Association", true],
  ["npa", "Northern Port Association", true],
  ["brackwater", "Brackwater Group", true],
  ["mueller", "Müller", true],
  ["bracknell", "Brackwater", false],
  ["water", "Brackwater", false],
])("whether a host %p fits %p is %p", (label, name, expected) => {
  expect(hostFitsName(label, name)).toBe(expected);
});

describe("a name of the same probability", () => {
  const find = (title: string, isTool: boolean, bias = 0.5) => {
    const page = pageOf({ title, markdown: "Brackwater is calm." });
    const knowledge = { isTool: () => isTool, isPlace: () => false, isOrganisation: () => false };
    const vendor = { name: "Quayline", slug: "quayline", domain: null };
    return findClient(page, vendor, readStory(page), knowledge, { bias, weights: { "in:title": 0.1 } });
  };

  test.each([
    ["is enough in the title", "Brackwater", false, "Brackwater"],
    ["is too little where only the text has it", "", false, null],
    ["is too little for the name of a tool", "Brackwater", true, null],
  ])("%s", (_, title, isTool, expected) => {
    const found = find(title, isTool);
    expect(found.client?.name ?? null).toBe(expected);
    expect(found.candidates.map(({ name }) => name)).toEqual(expected === null ? ["Brackwater"] : []);
  });

  test("never is enough where the title describes the client without its name", () => {
    expect(find("Why this shipping company chose Brackwater", false, 9).client).toBeNull();
    expect(find("Brackwater", false, 9).client?.name).toBe("Brackwater");
  });
});

test("the author's first name is part of a speaker's name", () => {
  const page = pageOf({
    markdown: "A guest post by Ada Quill. Ada has worked with cranes for years. Brackwater is calm.",
  });
  const knowledge = { isTool: () => false, isPlace: () => false, isOrganisation: () => false };
  const candidates = findCandidates(page, { name: "x", slug: "x", domain: null }, readStory(page), knowledge);
  const parts = candidates.filter(({ features }) => features.has("part-of-speaker")).map(({ key }) => key);
  expect(parts).toEqual(["ada"]);
});
