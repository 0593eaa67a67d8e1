import { describe, expect, test } from "bun:test";
import { readPage } from "./fields-page.ts";

const title = "How Brackwater cut waiting time";
const found = async (markdown: string, links: { href: string; text: string }[] = []) =>
  (await readPage({ title, markdown: `Brackwater is a port operator.\n\n${markdown}`, links })).tools.map(
    ({ name }) => name,
  );

describe("a tool is found", () => {
  test.each([
    ["by its name", "They run PipeDock.", ["PipeDock"]],
    ["by an alias, longest first", "They run Ledgerly Cloud.", ["Ledgerly"]],
    ["however its capitals are written", "They run Pipedock.", ["PipeDock"]],
    ["as its owner", "PipeDock's queue was short.", ["PipeDock"]],
    ["next to another", "They run PipeDock/Ledgerly.", ["PipeDock", "Ledgerly"]],
    ["once", "PipeDock here, PipeDock there.", ["PipeDock"]],
  ])("%s", async (_, markdown, names) => {
    expect(await found(markdown)).toEqual(names);
  });

  test.each([
    ["as part of a word", "They run PipeDocks and Unledgerly."],
    ["in small letters", "They kept it in a ledger, ledgerly."],
    ["in code", "```\nPipeDock run\n```"],
    ["among companies that others serve", "It serves companies such as PipeDock and Ledgerly."],
    ["in a link to another story", "Learn more about how Halcyon uses PipeDock."],
  ])("but not %s", async (_, markdown) => {
    expect(await found(markdown)).toEqual([]);
  });
});

describe("a common word is a tool", () => {
  test.each([
    ["next to another in a list", "They use PipeDock, Front and Ledgerly.", [], ["PipeDock", "Front", "Ledgerly"]],
    ["when it is used", "They answer mails using Front.", [], ["Front"]],
    [
      "when its site is linked",
      "They answer mails with Front.",
      [{ href: "https://front.example/", text: "Front" }],
      ["Front"],
    ],
  ])("%s", async (_, markdown, links, names) => {
    expect(await found(markdown, links)).toEqual(names);
  });

  test.each(["Front desks were busy.", "The Front Office team was busy.", "On the front, PipeDock was busy."])(
    "but not in %p",
    async (markdown) => {
      expect(await found(markdown)).not.toContain("Front");
    },
  );
});

test.each([
  "In June and July they planned, in May they could march.",
  "They might use PipeDock next year.",
  "Unlike PipeDock, it is calm.",
])("a month, a plan or a comparison is no tool: %s", async (markdown) => {
  expect(await found(markdown)).toEqual([]);
});

test("the vendor's product is not listed as a tool", async () => {
  expect(await found("They run PipeDock and Quayline, and like Quayline Planner.")).toEqual(["PipeDock"]);
});

test("the client's product is not listed as a tool", async () => {
  const { tools } = await readPage({
    title: "How PipeDock cut waiting time",
    markdown: "PipeDock is a software company. PipeDock runs Ledgerly in production.",
  });
  expect(tools.map(({ name }) => name)).toEqual(["Ledgerly"]);
});

describe("the vendor's products", () => {
  test("are its name and longer names that start with it", async () => {
    const markdown =
      "Quayline Planner books cranes. They like Quayline Planner.\n\nThe Quayline team is proud of Quayline.";
    const { products } = await readPage({ title, markdown });
    expect(products.map(({ name }) => name)).toEqual(["Quayline", "Quayline Planner"]);
  });

  test("are empty when it is not named", async () => {
    expect((await readPage({ title, markdown: "Brackwater is calm." })).products).toEqual([]);
  });
});
