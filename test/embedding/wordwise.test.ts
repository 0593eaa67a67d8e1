import { expect, test } from "bun:test";
import { wordwise } from "../../src/embedding/tokenizer.ts";

function counted() {
  const asked: string[] = [];
  const read = (text: string) => {
    asked.push(text);
    return [...text].map((letter) => letter.codePointAt(0) ?? 0);
  };
  return { asked, read };
}

const lettersOf = (text: string) => [...text].flatMap((letter) => (letter === " " ? [] : (letter.codePointAt(0) ?? 0)));
const whole = () => false;

test("each word is tokenised once, at any position", () => {
  const { asked, read } = counted();
  const ids = wordwise(read, whole);
  for (const text of ["to be  or", " or be", "be", "", "  "]) expect(ids(text)).toEqual(lettersOf(text));
  expect(asked).toEqual(["to", "be", "or"]);
});

test("a word next to punctuation yields the word and the punctuation", () => {
  const { asked, read } = counted();
  const ids = wordwise(read, (word) => word !== "e.g.");
  expect(ids("Kafka, (Kafka) e.g. Kafka!")).toEqual(lettersOf("Kafka,(Kafka)e.g.Kafka!"));
  expect(asked).toEqual(["Kafka", ",", "(", ")", "e.g.", "!"]);
});

test("a word without tokens is not cached, and adds nothing", () => {
  const ids = wordwise((text) => (text === "\u200b" ? [] : [1]), whole);
  expect(ids("a \u200b a")).toEqual([1, 1]);
  expect(ids("\u200b")).toEqual([]);
});

test("more words than fit in the cache still get distinct tokens", () => {
  const { asked, read } = counted();
  const ids = wordwise(read, whole);
  const words = Array.from({ length: 120_000 }, (_, at) => `w${at}`);
  for (let at = 0; at < words.length; at += 1_000) {
    const text = words.slice(at, at + 1_000).join(" ");
    expect(ids(text)).toEqual(lettersOf(text));
  }
  expect(ids("w0 w119999")).toEqual(lettersOf("w0w119999"));
  expect(asked).toHaveLength(120_001);
});

test("a long word is not cached", () => {
  const { asked, read } = counted();
  const ids = wordwise(read, whole);
  const long = "x".repeat(33);
  expect(ids(`${long} ${long}`)).toEqual(lettersOf(long + long));
  expect(asked).toEqual([long, long]);
});
