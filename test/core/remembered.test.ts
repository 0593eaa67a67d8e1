import { expect, test } from "bun:test";
import { remembered } from "../../src/core/remembered.ts";

test("a result is computed once for each key, also one that is undefined", () => {
  const asked: string[] = [];
  const lengthOf = remembered(10, (key) => {
    asked.push(key);
    return key === "" ? undefined : key.length;
  });
  for (const key of ["harbour", "", "harbour", ""]) expect(lengthOf(key)).toBe(key.length || undefined);
  expect(asked).toEqual(["harbour", ""]);
});

test("the memory is limited, and long keys are computed each time", () => {
  let computed = 0;
  const count = remembered(2, () => ++computed);
  for (const key of ["a", "b", "c", "a"]) count(key);
  expect(computed).toBe(4);
  for (const key of ["x".repeat(254), "x".repeat(254)]) count(key);
  expect(computed).toBe(6);
});
