import { describe, expect, test } from "bun:test";
import { readPage } from "./fields-page.ts";

const LONG = 60_000;
const texts: readonly (readonly [string, string])[] = [
  ["one long word", "A".repeat(LONG)],
  ["one long line of names", "Acme Bank of ".repeat(LONG / 13)],
  ["capitals without an end", "Ab ".repeat(LONG / 3)],
  ["open brackets", "(Acme (".repeat(LONG / 7)],
  ["dashes", "— ".repeat(LONG / 2)],
  ["commas", "Acme, ".repeat(LONG / 6)],
  ["colons", "Company: ".repeat(LONG / 9)],
  ["companies such as", "companies such as Acme ".repeat(LONG / 23)],
  ["seats", "based in Acme, ".repeat(LONG / 15)],
  ["owners", "Acme's largest ".repeat(LONG / 15)],
  ["different names", Array.from({ length: 6_000 }, (_, at) => `Acme${at} is a company.`).join(" ")],
  ["marks and halves of characters", "\uD800\uDC00\uD800’s ™®\u0000 \u202E".repeat(LONG / 16)],
  ["spaces", `Acme${" ".repeat(LONG)}is a bank`],
];

describe("hostile input is processed", () => {
  test.each(texts)("as text: %s", async (_, markdown) => {
    const reading = await readPage({
      title: markdown.slice(0, 2_000),
      description: markdown.slice(0, 5_000),
      markdown,
    });
    expect(reading.tools.length).toBeLessThanOrEqual(60);
    expect(reading.client?.name.length ?? 0).toBeLessThanOrEqual(80);
  });

  test.each(texts)("as labels, images, links and JSON-LD: %s", async (_, text) => {
    const json_ld = [
      {
        "@type": "Review",
        about: { "@type": "Organization", name: text },
        author: { worksFor: text, name: text, "@type": "Organization" },
      },
    ];
    const reading = await readPage({
      url: `https://quayline.example/${encodeURIComponent(text.slice(0, 500).toWellFormed())}`,
      labels: [
        { name: "Customer", value: text },
        { name: text, value: text },
        { name: "Industry", value: text },
        { name: "Country", value: text },
      ],
      images: [{ src: text, alt: `${text} logo` }],
      links: [
        { href: text, text },
        { href: `https://${text}`, text },
      ],
      json_ld,
      markdown: "A story.",
    });
    expect(reading.client?.name.length ?? 0).toBeLessThanOrEqual(80);
  });

  test("deeply nested JSON-LD", async () => {
    const loop: Record<string, unknown> = { "@type": "Article" };
    Object.assign(loop, { "@graph": [loop, loop], about: loop });
    expect((await readPage({ json_ld: [loop], markdown: "A story." })).client).toBeNull();
  });

  test("a story repeated many times", async () => {
    const text = (times: number) =>
      "Acme Bank, based in Berlin, uses PipeDock and Front, says Ann Lee, CTO at Acme. ".repeat(times);
    const lengthOf = async (times: number) =>
      (await readPage({ title: "How Acme Bank cut time", markdown: text(times) })).client?.name;
    expect(await lengthOf(100)).toBe("Acme Bank");
    expect(await lengthOf(2_000)).toBe("Acme Bank");
  });
});

test("the same page gives the same result, with confidences between 0 and 1", async () => {
  const page = {
    title: "How Brackwater cut waiting time",
    markdown: "Brackwater is a Dutch port operator. They run PipeDock with Quayline.",
  };
  const one = await readPage(page);
  expect(await readPage(page)).toEqual(one);
  for (const { confidence } of [one.client, one.industry, one.country, ...one.tools, ...one.products].filter(
    (each) => each !== null,
  )) {
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(1);
  }
});
