import { expect, test } from "bun:test";
import { findAmounts } from "../../../../src/casestudies/structure/outcomes/amounts.ts";
import { findPairs } from "../../../../src/casestudies/structure/outcomes/pairs.ts";
import { tokensOf } from "../../../../src/casestudies/structure/outcomes/tokens.ts";

function read(text: string): { pairs: string[]; before: number[] } {
  const tokens = tokensOf(text);
  const amounts = findAmounts(tokens);
  const { beforeOf, before } = findPairs(tokens, amounts);
  return {
    pairs: [...beforeOf].map(([is, was]) => `${amounts[was]?.value} then ${amounts[is]?.value}`),
    before: [...before].map((index) => amounts[index]?.value ?? Number.NaN),
  };
}

test.each([
  ["It fell from three hours to 10 minutes.", "3 then 10"],
  ["Releases went down from 2 weeks to 1 day.", "2 then 1"],
  ["Build time: 3 hours → 10 min", "3 then 10"],
  ["Build time: 3 hours -> 10 min", "3 then 10"],
  ["We came to 10 minutes from 3 hours.", "3 then 10"],
  ["It takes 5 servers instead of 40 servers.", "40 then 5"],
  ["Latency is 20 ms compared to 300 ms.", "300 then 20"],
  ["A release used to take a team two days; now it takes four minutes.", "2 then 4"],
  ["Errors made up 20% of calls, and with tuning this was reduced to 5%.", "20 then 5"],
  ["The number has gone from fewer than 10 a week to 30 a day.", "10 then 30"],
  ["We did in two days what would have taken 30 days.", "30 then 2"],
])("%p is a pair of an earlier and a later figure", (text, pair) => {
  expect(read(text).pairs).toEqual([pair]);
});

test.each([
  ["It has shrunk from 4 hours to a few minutes.", [4]],
  ["It used to take 45 minutes.", [45]],
  ["Times of more than 10 minutes were shaved by a lot.", [10]],
])("in %p the figure is the state before", (text, before) => {
  expect(read(text)).toEqual({ pairs: [], before });
});

test.each(["We run 40 nodes and 200 pods.", "It takes two to three hours.", "Between 5 and 10 people use 3 tools."])(
  "%p has no pair",
  (text) => {
    expect(read(text)).toEqual({ pairs: [], before: [] });
  },
);
