import { createParseContext } from "../../../../src/casestudies/record.ts";
import {
  type LanguageModelSettings,
  openLanguageModel,
} from "../../../../src/casestudies/structure/language-model/engine.ts";
import type { StructureEngine } from "../../../../src/casestudies/structure/types.ts";
import { createIndustries, createOutcomeMetrics } from "../../../../src/casestudies/taxonomy/taxonomy.ts";
import {
  completeOutcome,
  type PageText,
  type StructuredStudy,
  type StudyFields,
  type Vendor,
} from "../../../../src/casestudies/types.ts";

export const tools = createParseContext({
  industries: createIndustries([
    { slug: "transport-and-logistics", name: "Transport & Logistics", synonyms: ["ferries"] },
    { slug: "retail", name: "Retail", synonyms: ["shops"] },
  ]),
  outcomeMetrics: createOutcomeMetrics({
    metrics: [
      { slug: "cost", name: "Cost", cues: ["costs"], units: ["%"] },
      { slug: "time", name: "Time", cues: ["faster"], units: ["hours"] },
    ],
    units: { "%": ["percent"], hours: ["hour"], x: ["times"] },
  }),
});

export const VENDOR: Vendor = { name: "Brightpine", slug: "brightpine", domain: "brightpine.example" };

export const STORY = `## The challenge

Harbourline runs forty ferries out of Oslo, Norway. Its booking site went down on every sunny weekend, and releases took
two weeks.

## The solution

Harbourline moved to **Brightpine Deploy** and kept its PostgreSQL database.

## Results

The team cut hosting costs by 35% in the first year. Releases that took 14 days now take 3 hours.

> “We stopped fearing sunny weekends – our site just stays up.”

Astrid Nyberg, Head of Platform at Harbourline
`;

export function pageOf(more: Partial<PageText> = {}): PageText {
  return {
    url: "https://brightpine.example/customers/harbourline",
    canonical: null,
    title: "How Harbourline keeps its ferries bookable",
    site_name: "Brightpine",
    description: null,
    language: "en",
    published_at: null,
    published_from: null,
    markdown: STORY,
    images: [{ src: "https://brightpine.example/logo.svg", alt: "Harbourline logo" }],
    links: [{ href: "https://www.harbourline.example/about", text: "Harbourline" }],
    labels: [{ name: "Industry", value: "Travel" }],
    json_ld: [],
    ...more,
  };
}

/** A correct answer about {@link STORY}. */
export const HONEST = {
  client: { name: "Harbourline", domain: "harbourline.example" },
  industry: "transport-and-logistics",
  country: { code: "NO", words: "Oslo, Norway" },
  summary: "Harbourline cut hosting costs by 35% after it moved its booking site to Brightpine Deploy.",
  challenge: "The booking site of Harbourline went down on every sunny weekend.",
  solution: "Harbourline moved to Brightpine Deploy and kept its PostgreSQL database.",
  outcomes: [
    {
      metric: "cost",
      noun: "hosting costs",
      kind: "change",
      value: 35,
      unit: "%",
      from: null,
      to: null,
      direction: "decrease",
      better: true,
      sentence: "The team cut hosting costs by 35% in the first year.",
    },
    {
      metric: "time",
      noun: "length of releases",
      kind: "level",
      value: 3,
      unit: "hours",
      from: 336,
      to: 3,
      direction: "decrease",
      better: true,
      sentence: "Releases that took 14 days now take 3 hours",
    },
  ],
  products: ["Brightpine Deploy"],
  tools: ["PostgreSQL"],
  quote: {
    text: "We stopped fearing sunny weekends - our site just stays up.",
    person: "Astrid Nyberg",
    role: "Head of Platform",
  },
  published_at: null,
  language: "en",
};

const OWN: StudyFields = {
  title: "How Harbourline keeps its ferries bookable",
  client: { name: "Own Client", domain: "own.example" },
  industry: "retail",
  country: "SE",
  summary: "Own summary.",
  challenge: "Own challenge.",
  solution: "Own solution.",
  outcomes: [
    completeOutcome({ metric: "other", value: 40, unit: null, direction: "absolute", text: "Own outcome of 40." }),
  ],
  products: ["Own product"],
  tools: ["Own tool"],
  quote: { text: "Own quote of the page.", person: null, role: null },
  published_at: "2024-03-05",
  language: "en",
};

/** The same result for any page, so that a test sees which engine produced a field. */
export const own: StructuredStudy = {
  fields: OWN,
  provenance: [
    "/client/name",
    "/client/domain",
    "/client/candidates/0",
    "/industry",
    "/summary",
    "/outcomes/0",
    "/quote",
    "/published_at",
  ].map((pointer) => ({ pointer, engine: "local" as const, sentence: null, confidence: 0.6 })),
  fallback: null,
};

export const localEngine: StructureEngine = { id: "local", structure: async () => own };

export interface Asked {
  readonly path: string;
  readonly authorization: string | null;
  readonly body: Record<string, unknown>;
  /** The system's and the user's message. */
  readonly messages: readonly string[];
}

export interface FakeModel {
  readonly url: string;
  readonly asked: Asked[];
  readonly close: () => void;
}

/** An OpenAI-compatible endpoint on loopback. */
export function serveModel(answer: (asked: Asked, count: number) => Response | Promise<Response>): FakeModel {
  const asked: Asked[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body: Record<string, unknown> = Object(await request.json());
      const messages = Array.isArray(body.messages) ? body.messages.map(({ content }) => String(content)) : [];
      const authorization = request.headers.get("authorization");
      const one = { path: new URL(request.url).pathname, authorization, body, messages };
      asked.push(one);
      return answer(one, asked.length);
    },
  });
  return { url: `http://127.0.0.1:${server.port}/v1`, asked, close: () => void server.stop(true) };
}

/** A completion as such endpoints send it. */
export const completion = (content: unknown): Response =>
  Response.json({
    choices: [
      { message: { role: "assistant", content: typeof content === "string" ? content : JSON.stringify(content) } },
    ],
    usage: { total_tokens: 1_000 },
  });

export interface Opened {
  readonly read: (page?: PageText, signal?: AbortSignal) => Promise<StructuredStudy>;
  readonly notes: string[];
  readonly pauses: number[];
  readonly close: () => void;
}

/** The engine with a fake endpoint; pauses are recorded and take no time. */
export function openOver(url: string, more: Partial<LanguageModelSettings> = {}, now: () => number = () => 0): Opened {
  const notes: string[] = [];
  const pauses: number[] = [];
  const { engine, close } = openLanguageModel(
    {
      url,
      model: "tiny",
      apiKey: "sk-secret",
      timeoutMs: 20_000,
      maxPerHour: 100,
      userAgent: "Casefile/1",
      proxy: null,
      extraCa: null,
      ...more,
    },
    {
      local: localEngine,
      context: tools,
      onNote: (note) => void notes.push(note),
      now,
      pauses: { sleep: async (milliseconds) => void pauses.push(milliseconds), random: () => 0.5 },
    },
  );
  return { read: (page = pageOf(), signal) => engine.structure(page, VENDOR, signal), notes, pauses, close };
}
