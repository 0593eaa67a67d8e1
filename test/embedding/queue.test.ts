import { expect, test } from "bun:test";
import { createQueue } from "../../src/embedding/encoder.ts";

const stepsOf = (seen: string[], name: string, count: number) =>
  Array.from({ length: count }, (_, at) => async () => {
    seen.push(`${name}${at}`);
    return [`${name}${at}`];
  });

test("long jobs take turns, and an urgent one goes first", async () => {
  const queue = createQueue(10);
  const seen: string[] = [];
  const job = (name: string, count: number, urgent = false) =>
    queue.run({ urgent, signal: undefined, steps: stepsOf(seen, name, count) });
  const all = await Promise.all([job("a", 3), job("b", 2), job("query", 1, true)]);
  expect(seen).toEqual(["a0", "query0", "b0", "a1", "b1", "a2"]);
  expect(all[0]).toEqual(["a0", "a1", "a2"]);
});

test("a job that is added in the same tick in which the last one ends runs", async () => {
  const queue = createQueue(10);
  const seen: string[] = [];
  const one = (name: string) => queue.run({ urgent: false, signal: undefined, steps: stepsOf(seen, name, 1) });
  for (let round = 0; round < 20; round += 1) await one(`${round}-`);
  expect(seen).toHaveLength(20);
});

test("a step that fails ends its own job only", async () => {
  const queue = createQueue(10);
  const broken = queue.run({ urgent: false, signal: undefined, steps: [() => Promise.reject(new Error("broken"))] });
  const fine = queue.run({ urgent: false, signal: undefined, steps: stepsOf([], "fine", 2) });
  expect(await broken.catch(String)).toContain("broken");
  expect(await fine).toEqual(["fine0", "fine1"]);
});

test("four urgent steps are under way at once, and one of the others", async () => {
  const queue = createQueue(20);
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const job = (name: string, urgent: boolean) =>
    queue.run({
      urgent,
      signal: undefined,
      steps: [
        async () => {
          begun.push(name);
          await new Promise<void>((resolve) => void ends.push(resolve));
          return [];
        },
      ],
    });
  const all = [job("a", false), job("b", false), ...["1", "2", "3", "4"].map((name) => job(name, true))];
  expect(begun).toEqual(["a", "1", "2", "3"]);
  ends[1]?.();
  await all[2];
  await Bun.sleep(0);
  expect(begun).toEqual(["a", "1", "2", "3", "4"]);
  for (let at = 0; at < ends.length; at += 1) {
    ends[at]?.();
    await Bun.sleep(0);
  }
  await Promise.all(all);
  expect(begun).toEqual(["a", "1", "2", "3", "4", "b"]);
});
