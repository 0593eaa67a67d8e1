import { afterEach, describe, expect, test } from "bun:test";
import { answerSchema } from "../../../../src/casestudies/structure/language-model/answer-schema.ts";
import type { LanguageModelSettings } from "../../../../src/casestudies/structure/language-model/engine.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "../../../../src/casestudies/taxonomy/packed.ts";
import { completeOutcome } from "../../../../src/casestudies/types.ts";
import {
  type Asked,
  completion,
  type FakeModel,
  HONEST,
  type Opened,
  openOver,
  own,
  pageOf,
  serveModel,
} from "./fake-model.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

function modelThat(
  answer: (asked: Asked, count: number) => Response | Promise<Response>,
  more: Partial<LanguageModelSettings> = {},
  now?: () => number,
): Opened & { readonly model: FakeModel } {
  const model = serveModel(answer);
  const opened = openOver(model.url, more, now);
  open.push(opened, model);
  return { ...opened, model };
}

const says = (content: unknown) => modelThat(() => completion(content));
const refusal = (status: number, message = "no") => Response.json({ error: { message } }, { status });
const formatOf = ({ body }: Asked) => Object(body.response_format).type ?? "text";

test("claims that the page supports are accepted, each with its provenance", async () => {
  const { read, model, notes } = says(HONEST);
  const { fields, provenance, fallback } = await read();
  expect(fallback).toBeNull();
  expect(fields).toEqual({
    title: own.fields.title,
    client: { name: "Harbourline", domain: "harbourline.example" },
    industry: "transport-and-logistics",
    country: "NO",
    summary: HONEST.summary,
    challenge: HONEST.challenge,
    solution: HONEST.solution,
    outcomes: [
      completeOutcome({
        metric: "cost",
        value: 35,
        unit: "%",
        direction: "decrease",
        text: "The team cut hosting costs by 35% in the first year.",
        ...{ noun: "hosting costs", kind: "change", better: true },
        sentence: "The team cut hosting costs by 35% in the first year.",
      }),
      completeOutcome({
        metric: "time",
        value: 3,
        unit: "hours",
        direction: "decrease",
        ...{ noun: "length of releases", kind: "level", better: true },
        text: "Releases that took 14 days now take 3 hours.",
        sentence: "Releases that took 14 days now take 3 hours.",
      }),
    ],
    products: ["Brightpine Deploy"],
    tools: ["PostgreSQL"],
    quote: {
      text: "We stopped fearing sunny weekends – our site just stays up.",
      person: "Astrid Nyberg",
      role: "Head of Platform",
    },
    published_at: "2024-03-05",
    language: "en",
  });
  expect(provenance).toContainEqual({
    pointer: "/outcomes/0",
    engine: "language-model",
    sentence: "The team cut hosting costs by 35% in the first year.",
    confidence: 0.9,
  });
  expect(provenance.filter(({ engine }) => engine === "local").map(({ pointer }) => pointer)).toEqual([
    "/published_at",
  ]);
  expect(notes).toEqual([]);
  expect(model.asked).toHaveLength(1);
});

test("an outcome's noun, levels and kind are kept only as far as its sentence states them", async () => {
  const [cost = HONEST.outcomes[0], time] = HONEST.outcomes;
  const sentence = "Its booking site went down on every sunny weekend";
  const { read } = says({
    ...HONEST,
    outcomes: [
      { ...cost, noun: "customer satisfaction", kind: "guess", from: 35, to: 35 },
      { ...time, from: 14, to: 3 },
      { ...cost, value: null, kind: "qualitative", noun: "booking site", better: false, sentence },
      { ...cost, value: null, kind: "change" },
      { ...cost, value: null, kind: "qualitative", sentence: "Nobody works at night any more." },
    ],
  });
  const { outcomes } = (await read()).fields;
  expect(outcomes.map(({ noun, kind, value, from, to, better }) => [noun, kind, value, from, to, better])).toEqual([
    [null, null, 35, 35, 35, true],
    ["length of releases", "level", 3, null, null, true],
    ["booking site", "qualitative", null, null, null, false],
  ]);
});

test("the request names the model and the key, asks for the schema, and separates the page from the instructions", async () => {
  const { read, model } = says(HONEST);
  await read();
  const [asked] = model.asked;
  expect(asked?.path).toBe("/v1/chat/completions");
  expect(asked?.authorization).toBe("Bearer sk-secret");
  expect(asked?.body).toMatchObject({
    model: "tiny",
    temperature: 0,
    max_tokens: 4096,
    stream: false,
    response_format: { type: "json_schema", json_schema: { name: "case_study", strict: true } },
  });
  const [rules = "", page = ""] = asked?.messages ?? [];
  expect(rules).not.toContain("Harbourline");
  expect(page).toContain("The team cut hosting costs by 35% in the first year.");
  const lines = page.split("\n");
  expect(lines[0]).toMatch(/^page-[0-9a-f]{16}$/);
  expect(lines.at(-1)).toBe(lines[0] ?? "");
});

test("a long page is cut at a paragraph", async () => {
  const { read, model } = says(HONEST);
  const paragraph = (at: number) => `Paragraph ${at} ${"word ".repeat(200)}ends here ${at}.`;
  await read(pageOf({ markdown: Array.from({ length: 60 }, (_, at) => paragraph(at)).join("\n\n") }));
  const page = model.asked[0]?.messages[1] ?? "";
  expect(page.length).toBeLessThan(30_100);
  expect(page.length).toBeGreaterThan(25_000);
  expect(page.split("\n").at(-2)).toMatch(/ends here \d+\.$/);
});

describe("an endpoint with limited support", () => {
  test("without schemas gets a request for any JSON object, and no schema later", async () => {
    const { read, model } = modelThat((asked) =>
      formatOf(asked) === "json_schema" ? refusal(400, "response_format is not supported") : completion(HONEST),
    );
    expect((await read()).fields.client.name).toBe("Harbourline");
    expect((await read()).fallback).toBeNull();
    expect(model.asked.map(formatOf)).toEqual(["json_schema", "json_object", "json_object"]);
    expect(model.asked[1]?.messages[0]).toContain('"additionalProperties":false');
  });

  test("without formats gets a request in words, and may answer in a code fence", async () => {
    const { read, model } = modelThat((asked) =>
      formatOf(asked) === "text"
        ? completion(`<think>{"a": 1} or not?</think>Here it is:\n\`\`\`json\n${JSON.stringify(HONEST)}\n\`\`\``)
        : refusal(422),
    );
    expect((await read()).fields.client.name).toBe("Harbourline");
    expect(model.asked.map(formatOf)).toEqual(["json_schema", "json_object", "text"]);
  });

  test("with other parameter names gets those, and still the schema", async () => {
    const { read, model } = modelThat(({ body }) => {
      if ("max_tokens" in body) return refusal(400, "Use 'max_completion_tokens' instead of max_tokens.");
      return "temperature" in body ? refusal(400, "temperature does not support 0") : completion(HONEST);
    });
    expect((await read()).fallback).toBeNull();
    expect(model.asked.map(formatOf)).toEqual(["json_schema", "json_schema", "json_schema"]);
    expect(model.asked[2]?.body).toMatchObject({ max_completion_tokens: 4096 });
  });

  test("that rejects every request is not asked endlessly", async () => {
    const { read, model } = modelThat(() => refusal(400, "max_completion_tokens temperature"));
    expect(await read()).toEqual({ ...own, fallback: "The language model rejected the request (400)." });
    expect(model.asked).toHaveLength(5);
  });
});

describe("without a usable answer, the local engine's result is returned with the reason", () => {
  test.each([
    ["no JSON", () => completion("I cannot do that."), "The language model's answer was not the requested JSON."],
    [
      "half a JSON",
      () => completion('{"client": {"name": "Harb'),
      "The language model's answer was not the requested JSON.",
    ],
    ["a list", () => completion("[1, 2]"), "The language model's answer was not the requested JSON."],
    ["no choices", () => Response.json({}), "The language model gave no answer."],
    ["no JSON at all", () => new Response("<p>proxy</p>"), "The language model gave no answer."],
    ["an empty object", () => completion({}), "The language model's answer was not the requested JSON."],
    [
      "nothing of the page",
      () => completion({ client: { name: "Globex" } }),
      "Nothing in the language model's answer is on the page.",
    ],
    ["a wrong key", () => refusal(401, "sk-secret is wrong"), "The language model rejected the API key (401)."],
    ["no such model", () => refusal(404), "There is no language model at this address (404)."],
    ["a failure", () => refusal(500), "The language model failed (500)."],
    ["endless business", () => refusal(429), "The language model is overloaded or over its rate limit (429)."],
    ["a flood", () => completion("a".repeat(2_000_000)), "The language model answered with more than 1048576 bytes."],
  ])("%s", async (_name, answer, fallback) => {
    const { read } = modelThat(answer);
    expect(await read()).toEqual({ ...own, fallback });
  });

  test("no answer", async () => {
    const { read } = modelThat(() => new Promise<Response>(() => {}), { timeoutMs: 80 });
    expect(await read()).toEqual({ ...own, fallback: "The language model did not answer in time." });
  });

  test("no connection", async () => {
    const opened = openOver("http://127.0.0.1:1/v1");
    open.push(opened);
    expect((await opened.read()).fallback).toStartWith("The language model cannot be reached: ");
  });

  test("a redirect, to which the key is not sent", async () => {
    const other = serveModel(() => completion(HONEST));
    open.push(other);
    const { read } = modelThat(() => Response.redirect(`${other.url}/chat/completions`, 307));
    expect((await read()).fallback).toBe("The language model redirects (307), and redirects are not followed.");
    expect(other.asked).toEqual([]);
  });
});

test("a busy model is asked again after the delay that it requests", async () => {
  const { read, pauses, model } = modelThat((_asked, count) =>
    count === 1 ? new Response("", { status: 429, headers: { "Retry-After": "4" } }) : completion(HONEST),
  );
  expect((await read()).fallback).toBeNull();
  expect([pauses, model.asked.length]).toEqual([[4_000], 2]);
});

test("an abort rejects instead of falling back", async () => {
  const { read } = modelThat(() => new Promise<Response>(() => {}));
  await expect(read(pageOf(), AbortSignal.timeout(30))).rejects.toThrow();
});

describe("limits", () => {
  test("requests per hour are limited", async () => {
    let time = 0;
    const { read, model } = modelThat(
      () => completion(HONEST),
      { maxPerHour: 2 },
      () => time,
    );
    await read();
    await read();
    expect(await read()).toEqual({
      ...own,
      fallback: "The language model's limit of requests per hour is reached.",
    });
    expect(model.asked).toHaveLength(2);
    time = 3_600_001;
    expect((await read()).fallback).toBeNull();
  });

  test("tokens per hour are limited", async () => {
    const { read, model } = modelThat(() => completion(HONEST), { maxTokensPerHour: 1_500 });
    await read();
    await read();
    expect((await read()).fallback).toBe("The language model's limit of tokens per hour is reached.");
    expect(model.asked).toHaveLength(2);
  });

  test("requests pause for five minutes after three failures", async () => {
    let time = 0;
    let down = true;
    const { read, model } = modelThat(
      () => (down ? refusal(401) : completion(HONEST)),
      {},
      () => time,
    );
    for (let at = 0; at < 5; at++) await read();
    expect(model.asked).toHaveLength(3);
    expect((await read()).fallback).toBe("The language model failed several times; requests are paused for 5 minutes.");
    time = 300_001;
    down = false;
    expect((await read()).fallback).toBeNull();
  });
});

test("the schema names no value of an enumeration twice, which strict servers refuse", () => {
  const metrics = [...loadBuiltInOutcomeMetrics().nameBySlug.keys()];
  const industries = [...loadBuiltInIndustries().nameBySlug.keys()];
  const { properties } = answerSchema(industries, metrics);
  const enumsIn = (value: unknown): unknown[][] =>
    typeof value !== "object" || value === null
      ? []
      : Object.entries(value).flatMap(([name, each]) =>
          name === "enum" && Array.isArray(each) ? [each] : enumsIn(each),
        );
  const enums = enumsIn(properties);
  expect(enums).toHaveLength(4);
  for (const each of enums) expect(new Set(each).size).toBe(each.length);
});
