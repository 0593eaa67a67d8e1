import { expect, test } from "bun:test";
import { resolve } from "node:path";

const LONGEST = 70;

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

test("recorded answers quote their pages by range, and contain names and nouns only", async () => {
  const lines = (await Bun.file(resolve(import.meta.dir, "../labels/model-answers.jsonl")).text()).trim().split("\n");
  const answers = lines.map((line): { id: string; prompt: string; answer: { outcomes: { sentence: unknown }[] } } =>
    JSON.parse(line),
  );
  expect(answers.length).toBeGreaterThan(0);
  for (const { id, prompt, answer } of answers) {
    expect(prompt).toMatch(/^[0-9a-f]{64}$/);
    expect([id, textsIn(answer).filter((text) => text.length > LONGEST)]).toEqual([id, []]);
    for (const { sentence } of answer.outcomes)
      expect(sentence).toEqual({ span: [expect.any(Number), expect.any(Number)] });
  }
});
