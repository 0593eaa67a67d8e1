import { expect, test } from "bun:test";
import { durationOf, sizeOf } from "../../src/cli/table.ts";

test.each([
  [0, "1 ms"],
  [0.0123, "12 ms"],
  [0.9994, "999 ms"],
  [0.9996, "1.0 s"],
  [61.25, "61.3 s"],
])("%d seconds are printed in a readable unit: %s", (seconds, told) => {
  expect(durationOf(seconds)).toBe(told);
});

test.each([
  [1, "1 kB"],
  [82_100, "83 kB"],
  [999_001, "1.0 MB"],
  [22_972_370, "23.0 MB"],
])("%d bytes are printed in a readable unit: %s", (bytes, told) => {
  expect(sizeOf(bytes)).toBe(told);
});
