import { afterAll, describe, expect, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import { type Encoder, type EncoderSource, openEncoder } from "../../src/embedding/encoder.ts";
import { createCollectionStatistics } from "../../src/embedding/interaction.ts";
import {
  TINY_SHARES,
  TINY_TOKENS,
  type TinyModel,
  tableOfWords,
  tinyRow,
  tinyStatic,
  tinyTransformer,
} from "./tiny-models.ts";

const opened: Encoder[] = [];
afterAll(async () => {
  for (const encoder of opened) await encoder.close();
});

async function open(tiny: TinyModel, options: Partial<EncoderSource> = {}): Promise<Encoder> {
  const encoder = await openEncoder({ ...tiny, unpackDir: "never-written", ...options });
  opened.push(encoder);
  return encoder;
}

const unit = (values: readonly number[]) => {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
};
const sumOf = (...tokens: string[]) =>
  tokens.map(tinyRow).reduce((sum, row) => sum.map((value, at) => value + row[at]!));

function expectNear(vector: Float32Array | undefined, wanted: readonly number[], within = 1e-6): void {
  expect(vector?.length).toBe(wanted.length);
  for (const [at, value] of wanted.entries()) expect(Math.abs(vector![at]! - value)).toBeLessThanOrEqual(within);
}

const codeOf = async (work: Promise<unknown>) =>
  await work.then(
    () => "no failure",
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  );

describe("a static model", () => {
  test("returns the normalised sum of its tokens' rows, to within a quantisation step", async () => {
    const encoder = await open(tinyStatic());
    const [vector] = await encoder.encode(["Cut cloud COST"], "passage");
    expectNear(vector, unit(sumOf("cut", "cloud", "cost")), 0.02);
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
  });

  test("reports its shape and counts tokens without truncation", async () => {
    const encoder = await open(tinyStatic());
    expect([encoder.id, encoder.dimensions, encoder.maxTokens]).toEqual(["tiny-1", 8, 16]);
    expect(await encoder.countTokens(["unlocked cloud", "", "cut ".repeat(500)])).toEqual([4, 0, 500]);
  });

  test.each(["", "   ", "\n\t"])("returns the zero vector for the blank text %j", async (blank) => {
    const encoder = await open(tinyStatic());
    const [first, second] = await encoder.encode(["bank", blank], "passage");
    expect([...second!]).toEqual(new Array(8).fill(0));
    expect(Math.hypot(...first!)).toBeCloseTo(1, 5);
  });

  test("returns no vectors for no texts", async () => {
    expect(await (await open(tinyStatic())).encode([], "query")).toEqual([]);
  });
});

describe("late interaction", () => {
  const cosine = (a: string, b: string) => {
    const [x, y] = [unit(tinyRow(a)), unit(tinyRow(b))];
    return x.reduce((sum, value, at) => sum + value * y[at]!, 0);
  };
  const { rarity, meanLength } = createCollectionStatistics();
  const weightOf = (token: string) =>
    rarity(0, TINY_SHARES[TINY_TOKENS.indexOf(token)]!) * Math.hypot(...tinyRow(token));

  test("is BM25 weighted by each token's similarity to the query's tokens, above a minimum", async () => {
    const encoder = await open(tinyStatic());
    const part = (token: string, passage: readonly string[]) => {
      const frequency = passage.reduce((sum, one) => sum + Math.max(0, (cosine(token, one) - 0.1) / 0.9) ** 1.5, 0);
      return (weightOf(token) * frequency) / (frequency + 0.25 + (0.75 * passage.length) / meanLength);
    };
    const wanted = (passage: readonly string[]) =>
      (part("cut", passage) + part("bank", passage)) / (weightOf("cut") + weightOf("bank"));
    const passages = [["nurse", "hire"], ["a", "bank", "cut", "bank"], []];
    const interaction = await encoder.interact?.(
      "cut bank cut",
      passages.map((words) => words.join(" ")),
    );
    const found = interaction?.scores;
    const both = weightOf("cut") + weightOf("bank");
    expect(interaction?.weights).toEqual(
      [weightOf("cut") / both, weightOf("bank") / both].map((one) => expect.closeTo(one, 3)),
    );
    expect(interaction?.matches.map((match) => match.length)).toEqual([2, 2, 2]);
    expect(Array.from(found ?? [])).toEqual(passages.map((words) => expect.closeTo(wanted(words), 2)));
    expect(found?.[2]).toBe(0);
  });

  test("scores a longer passage with the same match lower", async () => {
    const encoder = await open(tinyStatic({ max_tokens: 512 }));
    const [short = 0, long = 0] = Array.from(
      (await encoder.interact?.("bank", ["bank", `bank ${"[UNK] ".repeat(400)}`]))?.scores ?? [],
    );
    expect(long).toBeLessThan(short * 0.8);
  });

  test("scores a passage the same in any batch", async () => {
    const encoder = await open(tinyStatic());
    const alone = (await encoder.interact?.("cut cost", ["cloud spend"]))?.scores[0];
    const together = (await encoder.interact?.("cut cost", ["site shop bank", "cloud spend", "hire"]))?.scores ?? [];
    expect(together[1]).toBeCloseTo(alone ?? Number.NaN, 6);
  });

  test("reads numbered texts once; those that do not exist any more match nothing", async () => {
    const encoder = await open(tinyStatic());
    const texts = new Map([
      [7, "site shop bank"],
      [8, ""],
      [9, "cloud spend"],
    ]);
    const read: number[] = [];
    const passages = {
      collection: "test",
      numbers: [7, 8, 9, 10],
      read: async (numbers: readonly number[]) => {
        read.push(...numbers);
        return texts;
      },
    };
    const wanted = await encoder.interact?.("cut cost", [...texts.values(), ""]);
    expect(await encoder.interact?.("cut cost", passages)).toEqual(wanted);
    expect(await encoder.interact?.("cut cost", passages)).toEqual(wanted);
    expect(read).toEqual([7, 8, 9, 10]);
    expect(wanted?.matches.map(({ length }) => length)).toEqual([2, 2, 2, 2]);
  });

  test("is 0 for an empty text or unknown words", async () => {
    const encoder = await open(tinyStatic({}, tableOfWords()));
    const scoresOf = async (query: string, passages: readonly string[]) =>
      Array.from((await encoder.interact?.(query, passages))?.scores ?? []);
    expect(await scoresOf("", ["cut"])).toEqual([0]);
    expect(await scoresOf("cut", [])).toEqual([]);
    expect(await scoresOf("zzz", ["cut"])).toEqual([0]);
  });

  test("weights a word higher that is rare in the observed texts", async () => {
    const encoder = await open(tinyStatic());
    const likeness = async () => (await encoder.interact?.("cut bank", ["bank"]))?.scores[0] ?? Number.NaN;
    await encoder.observe?.(Array.from({ length: 300 }, () => "cut cost"));
    const bankIsRare = await likeness();
    await encoder.observe?.(Array.from({ length: 300 }, () => "a bank"));
    expect(bankIsRare).toBeGreaterThan((await likeness()) + 0.1);
  });

  test("is not available for a model that has only vectors", async () => {
    const { interact, observe } = await open(tinyTransformer());
    expect([interact, observe]).toEqual([undefined, undefined]);
    expect(await codeOf(open(tinyTransformer({ late_interaction: true })))).toBe("model.invalid");
  });
});

describe("a transformer", () => {
  test("uses mean pooling without padding tokens", async () => {
    const encoder = await open(tinyTransformer());
    const long = "cut cost cloud spend bank nurse";
    const [vector] = await encoder.encode(["shop", long], "passage");
    expectNear(vector, unit(sumOf("[CLS]", "shop", "[SEP]")));
  });

  test("is pooled by its first token if the manifest says so", async () => {
    const encoder = await open(tinyTransformer({ pooling: "cls", normalise: false }));
    const [vector] = await encoder.encode(["shop"], "passage");
    expectNear(vector, tinyRow("[CLS]"));
  });

  test("returns the plain mean if its manifest disables normalisation", async () => {
    const encoder = await open(tinyTransformer({ normalise: false }));
    const [vector] = await encoder.encode(["shop"], "passage");
    expectNear(
      vector,
      sumOf("[CLS]", "shop", "[SEP]").map((value) => value / 3),
    );
  });

  test("truncates and keeps the closing token", async () => {
    const encoder = await open(tinyTransformer({ max_tokens: 4 }));
    const [long, short] = await encoder.encode(["cut cost bank nurse shop", "cut cost"], "passage");
    expectNear(long, [...short!]);
    expectNear(short, unit(sumOf("[CLS]", "cut", "cost", "[SEP]")));
  });

  test("adds the prefix for each kind of text", async () => {
    const encoder = await open(tinyTransformer({ query_prefix: "query: ", passage_prefix: "passage: " }));
    const [query] = await encoder.encode(["bank"], "query");
    const [passage] = await encoder.encode(["bank"], "passage");
    expectNear(query, unit(sumOf("[CLS]", "query", ":", "bank", "[SEP]")));
    expectNear(passage, unit(sumOf("[CLS]", "passage", ":", "bank", "[SEP]")));
  });
});

test.each([
  ["static", tinyStatic],
  ["transformer", tinyTransformer],
])("a %s text has the same vector in any batch", async (_, make) => {
  const encoder = await open(make());
  const text = "hire a nurse";
  const [alone] = await encoder.encode([text], "passage");
  const others = Array.from({ length: 90 }, (_, at) => "cloud spend shop site ".repeat(1 + (at % 4)));
  const among = await encoder.encode([...others.slice(0, 41), text, ...others.slice(41), text], "passage");
  expectNear(among[41], [...alone!]);
  expectNear(among[91], [...alone!]);
});

describe("an encoder refuses", () => {
  test("a model whose hash differs from its manifest", async () => {
    const { manifest, files } = tinyStatic();
    const model = files.model.slice();
    model[200] = model[200]! ^ 1;
    expect(await codeOf(openEncoder({ manifest, files: { ...files, model }, unpackDir: "" }))).toBe("model.invalid");
  });

  test("a tokenizer of another size", async () => {
    const { manifest, files } = tinyStatic();
    const tokenizer = files.tokenizer.slice(1);
    expect(await codeOf(openEncoder({ manifest, files: { ...files, tokenizer }, unpackDir: "" }))).toBe(
      "model.invalid",
    );
  });

  test("a missing file", async () => {
    const { manifest, files } = tinyStatic();
    const missing = { ...files, model: "no/such/model.onnx" };
    expect(await codeOf(openEncoder({ manifest, files: missing, unpackDir: "" }))).toBe("model.unavailable");
  });

  test.each([{ output: "nothing" }, { dimensions: 9 }, { pooling: "mean" }, { inputs: ["other_ids"] }])(
    "a model that contradicts its manifest: %j",
    async (changes) => {
      expect(await codeOf(openEncoder({ ...tinyStatic(changes), unpackDir: "" }))).toBe("model.invalid");
    },
  );

  test("calls to a closed encoder, and calls that wait when it closes", async () => {
    const encoder = await open(tinyStatic());
    const texts = new Array<string>(2_000).fill("cloud");
    const waiting = codeOf(encoder.encode(texts, "passage"));
    await encoder.close();
    expect(await waiting).toBe("model.unavailable");
    expect(await codeOf(encoder.encode(["bank"], "query"))).toBe("model.unavailable");
  });

  test("more waiting callers than the limit", async () => {
    const encoder = await open(tinyStatic(), { maxWaiting: 2 });
    const codes = await Promise.all([1, 2, 3, 4].map(() => codeOf(encoder.encode(["bank"], "passage"))));
    expect(codes).toEqual(["no failure", "no failure", "no failure", "service.overloaded"]);
    expect(await codeOf(encoder.encode(["bank"], "passage"))).toBe("no failure");
  });

  test("a caller that aborts", async () => {
    const encoder = await open(tinyStatic());
    const texts = new Array<string>(500).fill("cloud");
    const given = new AbortController();
    const work = encoder.encode(texts, "passage", given.signal);
    given.abort(new Error("gave up"));
    expect(await codeOf(work)).toContain("gave up");
    expect(await codeOf(encoder.encode(["bank"], "query", AbortSignal.abort(new Error("late"))))).toContain("late");
    expect(await codeOf(encoder.encode(["bank"], "query"))).toBe("no failure");
  });
});
