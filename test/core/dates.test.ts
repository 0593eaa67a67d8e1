import { expect, test } from "bun:test";
import { findWrittenDate, parseDate, parseInstant, parseIsoInstant } from "../../src/core/dates.ts";

test.each([
  ["Published on March 5, 2024 by Ana", "2024-03-05"],
  ["5. März 2024", "2024-03-05"],
  ["1er mars 2024", "2024-03-01"],
  ["25/03/2024", "2024-03-25"],
  ["05/03/2024", undefined],
  ["30 February 2024", undefined],
])("the written date of %p is %p", (text, day) => {
  expect(findWrittenDate(text)?.day).toBe(day);
});

test.each([
  ["20240305", "2024-03-05"],
  ["2024-03-05T10:00:00+02:00", "2024-03-05"],
  ["Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05"],
])("the day of %p is %p", (text, day) => {
  expect(parseDate(text)).toBe(day);
});

test.each([
  ["Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05T10:00:00.000Z"],
  ["soon", undefined],
  [undefined, undefined],
])("the instant of %p is %p", (text, instant) => {
  expect(parseInstant(text)).toBe(instant);
});

test.each([
  ["2026-05-04", "2026-05-04T00:00:00.000Z"],
  ["2026-05-04T12:00:00+02:00", "2026-05-04T10:00:00.000Z"],
  ["2026-02-30", undefined],
  ["2026-05-04T12:00", undefined],
  ["04 May 2026", undefined],
])("the ISO instant of %p is %p", (text, instant) => {
  expect(parseIsoInstant(text)).toBe(instant);
});
