import { describe, expect, test } from "bun:test";
import { readPage } from "./fields-page.ts";

const title = "How Brackwater cut waiting time";
const told = async (markdown: string, links: { href: string; text: string }[] = []) =>
  (await readPage({ title, markdown: `Brackwater is a port operator.\n\n${markdown}`, links })).tools.map(
    ({ name }) => name,
  );

describe("a tool is found", () => {
  test.each([
    ["by its name", "They run PipeDock.", ["PipeDock"]],
    ["by an alias, longest first", "They run Ledgerly Cloud.", ["Ledgerly"]],
    ["however its capitals are written", "They run Pipedock.", ["PipeDock"]],
    ["as its owner", "PipeDock's queue was short.", ["PipeDock"]],
    ["beside another", "They run PipeDock/Ledgerly.", ["PipeDock", "Ledgerly"]],
    ["once", "PipeDock here, PipeDock there.", ["PipeDock"]],
  ])("%s", async (_, markdown, names) => {
    expect(await told(markdown)).toEqual(names);
  });

  test.each([
    ["as part of a word", "They run PipeDocks and Unledgerly."],
    ["in small letters", "They kept it in a ledger, ledgerly."],
    ["in code", "```\nPipeDock run\n```"],
    ["among companies that others serve", "It serves companies such as PipeDock and Ledgerly."],
  ])("but not %s", async (_, markdown) => {
    expect(await told(markdown)).toEqual([]);
  });
});

describe("a word of every day is a tool", () => {
  test.each([
    ["beside another in a list", "They use PipeDock, Front and Ledgerly.", [], ["PipeDock", "Front", "Ledgerly"]],
    ["when it is used", "They answer mails using Front.", [], ["Front"]],
    [
      "when its own site is linked",
      "Mails come to Front first.",
      [{ href: "https://front.example/", text: "Front" }],
      ["Front"],
    ],
  ])("%s", async (_, markdown, links, names) => {
    expect(await told(markdown, links)).toEqual(names);
  });

  test.each(["Front desks were busy.", "The Front Office team was busy.", "On the front, PipeDock was busy."])(
    "but not in %p",
    async (markdown) => {
      expect(await told(markdown)).not.toContain("Front");
    },
  );
});

test("the vendor's own product is no tool of the client", async () => {
  expect(await told("They run PipeDock and Quayline, and like Quayline Planner.")).toEqual(["PipeDock"]);
});

test("the client's own product is no tool of it", async () => {
  const { tools } = await readPage({
    title: "How PipeDock cut waiting time",
    markdown: "PipeDock is a software company. PipeDock runs Ledgerly.",
  });
  expect(tools.map(({ name }) => name)).toEqual(["Ledgerly"]);
});

describe("the vendor's products", () => {
  test("are its name and the longer names that begin with it", async () => {
    const markdown =
      "Quayline Planner books cranes. They like Quayline Planner.\n\nThe Quayline team is proud of Quayline.";
    const { products } = await readPage({ title, markdown });
    expect(products.map(({ name }) => name)).toEqual(["Quayline", "Quayline Planner"]);
  });

  test("are none where it is not named", async () => {
    expect((await readPage({ title, markdown: "Brackwater is calm." })).products).toEqual([]);
  });
});
