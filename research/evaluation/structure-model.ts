import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createParseContext } from "../../src/casestudies/record.ts";
import { createKnownOrganisations } from "../../src/casestudies/structure/industry.ts";
import { openLanguageModel } from "../../src/casestudies/structure/language-model/engine.ts";
import { createLocalEngine } from "../../src/casestudies/structure/local-engine.ts";
import type { StructureEngine } from "../../src/casestudies/structure/types.ts";
import {
  loadBuiltInCities,
  loadBuiltInIndustries,
  loadBuiltInOrganisations,
  loadBuiltInOutcomeMetrics,
} from "../../src/casestudies/taxonomy/packed.ts";
import type { StructuredStudy } from "../../src/casestudies/types.ts";
import { openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import { type Case, loadCases } from "./structure/cases.ts";
import { loadStructureCorpus, vendorsKeptApart } from "./structure/corpus.ts";
import { clientChoices, fitClient } from "./structure/fit-client.ts";
import { fitIndustry, industryChoices } from "./structure/fit-industry.ts";
import { fitOutcomes, outcomeChoices, pageOutcomeChoices } from "./structure/fit-outcomes.ts";
import { createToolKeys, fitTools, toolChoices } from "./structure/fit-tools.ts";
import { loadNameKnowledge, loadToolNames } from "./structure/knowledge.ts";
import { outcomeTruth } from "./structure/outcome-labels.ts";
import { OutcomeTally, readOutcomes, tallyOutcomes } from "./structure/outcomes.ts";
import { figuresOf } from "./structure/transfer.ts";
import { loadTrainingPages } from "./structure/vendor-pages.ts";

/** One line of a recording: an answer, by the hash of the page's part of its prompt. */
interface RecordedAnswer {
  readonly id: string;
  /** SHA-256 in hex of the user message. */
  readonly prompt: string;
  /**
   * The model's JSON object. `{"span": [start, end]}` is a text copied from the user message, by its UTF-16 offsets there, so
   * that a recording contains no sentence of a source. Fields that are not measured may be left out.
   */
  readonly answer: unknown;
}

const RECORDING = join(import.meta.dir, "../labels/model-answers.jsonl");
const STUDIES = 12;

interface Options {
  /** A recording; by default that of `labels/model-answers.jsonl`. */
  readonly answers: string | undefined;
  /** Asks this endpoint, with `/v1`, in place of the recording. */
  readonly url: string | undefined;
  /** Writes the prompts as JSON lines, `{id, prompt, messages, response_format}`, and measures nothing. */
  readonly prompts: string | undefined;
}

/**
 * What a language model adds: client, industry, country, tools and outcomes of twelve labelled studies, drawn by the hash of
 * their id from the vendors whose misses nobody reads, each read with weights fitted without its vendor, then with a model's
 * answer over it. The answers are replayed by a server on loopback, so requests and checks are those of the product.
 */
export async function evaluateStructureModel(
  folder: string,
  { answers = RECORDING, url, prompts }: Options,
): Promise<unknown> {
  const cases = await loadCases((await loadStructureCorpus(folder)).records);
  const chosen = choose(cases);
  const context = createParseContext({
    industries: loadBuiltInIndustries(),
    outcomeMetrics: loadBuiltInOutcomeMetrics(),
  });
  const local = await createUnseenEngines(cases);
  const asked: { readonly prompt: string; readonly messages: unknown; readonly response_format: unknown }[] = [];
  const recorded = prompts === undefined && url === undefined ? await readAnswers(answers) : new Map();
  const stub = url === undefined ? serveAnswers(recorded, (request) => void asked.push(request)) : undefined;
  const notes: string[] = [];
  const read: { one: Case; alone: StructuredStudy; model: StructuredStudy }[] = [];
  for (const one of chosen) {
    const { page, vendor } = htmlOf(one);
    const engine = local.engineWithout(one.record.vendor_slug);
    const { engine: withModel, close } = openLanguageModel(
      {
        ...{ url: url ?? `http://127.0.0.1:${stub?.port}/v1`, model: null, apiKey: null, timeoutMs: 600_000 },
        ...{ maxPerHour: 1_000, userAgent: "casefile-evaluation", proxy: null, extraCa: null },
      },
      { local: engine, context, onNote: (note) => void notes.push(note) },
    );
    const alone = await engine.structure(page, vendor);
    const model = await withModel.structure(page, vendor);
    read.push({ one, alone, model });
    close();
  }
  await stub?.stop(true);
  await local.close();
  if (prompts !== undefined) {
    const lines = asked.map((request, at) => JSON.stringify({ id: chosen[at]?.record.id, ...request }));
    await Bun.write(prompts, `${lines.join("\n")}\n`);
    console.log(`${lines.length} prompts written to ${prompts}`);
    return undefined;
  }
  const truths = await outcomeTruth(cases.map(({ record }) => record));
  const measure = (engine: "alone" | "model") => {
    const tally = new OutcomeTally();
    for (const { one, [engine]: study } of read) {
      const truth = truths.get(one.record.id);
      const found = study.fields.outcomes.map((outcome) => ({
        outcome,
        sentence: outcome.sentence ?? outcome.text,
        confidence: 1,
      }));
      if (truth) tallyOutcomes(tally, one, found, truth, false);
    }
    const fields = figuresOf(
      read.map(({ one, [engine]: study }) => ({ one, fields: fieldsOf(study) })),
      createToolKeys(loadToolNames()),
    );
    return { fields, outcomes: tally.result };
  };
  const figures = {
    studies: read.length,
    without_an_answer: read.filter(({ model }) => model.fallback !== null).length,
    parts_dropped: notes.length,
    built_in: measure("alone"),
    with_model: measure("model"),
  };
  console.log(Bun.YAML.stringify(figures, null, 2));
  return figures;
}

/** Of the vendors kept apart; the hash makes the choice without a look at the studies. */
function choose(cases: readonly Case[]): Case[] {
  const keptApart = vendorsKeptApart(cases.map(({ record }) => record));
  const hash = ({ record }: Case) => createHash("sha256").update(record.id).digest("hex");
  return cases
    .filter(({ record, readings }) => readings.length > 0 && keptApart.has(record.vendor_slug))
    .sort((a, b) => (hash(a) < hash(b) ? -1 : 1))
    .slice(0, STUDIES);
}

function htmlOf(one: Case) {
  const html = one.forms.find(({ form }) => form === "html");
  if (html === undefined) throw new Error(`${one.record.id} has no page`);
  return html;
}

const fieldsOf = ({ fields: { client, industry, country, tools } }: StructuredStudy) => ({
  client: client.name === null ? null : { name: client.name },
  industry: industry === null ? null : { slug: industry },
  country: country === null ? null : { code: country },
  tools: tools.map((name) => ({ name })),
});

/** The local engine with weights fitted without a vendor. */
async function createUnseenEngines(cases: readonly Case[]) {
  const encoder = await openBuiltInEncoder({ unpackDir: tmpdir() });
  const toolNames = loadToolNames();
  const { industries, parseCountry, outcomeMetrics } = createParseContext({
    industries: loadBuiltInIndustries(),
    outcomeMetrics: loadBuiltInOutcomeMetrics(),
  });
  const parts = {
    ...{ industries, parseCountry, outcomeMetrics, toolNames },
    organisations: loadBuiltInOrganisations(),
    cities: loadBuiltInCities(),
    embed: (texts: readonly string[]) => encoder.encode(texts, "passage"),
  };
  const pages = await loadTrainingPages();
  const training = [...cases, ...pages];
  const choices = {
    client: clientChoices(training, loadNameKnowledge()),
    tools: toolChoices(training, toolNames),
    industry: await industryChoices(training, {
      ...parts,
      organisations: createKnownOrganisations(parts.organisations),
    }),
    outcomes: [...(await outcomeChoices(cases)), ...pageOutcomeChoices(pages)],
  };
  return {
    engineWithout(vendorSlug: string): StructureEngine {
      const isOther = ({ vendor }: { readonly vendor: string }) => vendor !== vendorSlug;
      const outcomes = fitOutcomes(choices.outcomes.filter(isOther));
      const engine = createLocalEngine({
        ...parts,
        models: {
          client: fitClient(choices.client.filter(isOther)),
          tools: fitTools(choices.tools.filter(isOther)),
          industry: fitIndustry(choices.industry.filter(isOther)),
        },
      });
      return {
        id: engine.id,
        async structure(page, vendor, signal) {
          const study = await engine.structure(page, vendor, signal);
          const found = readOutcomes(page, vendor, outcomes).map(({ outcome }) => outcome);
          return { ...study, fields: { ...study.fields, outcomes: found } };
        },
      };
    },
    close: () => encoder.close(),
  };
}

async function readAnswers(path: string): Promise<ReadonlyMap<string, unknown>> {
  const lines = (await Bun.file(path).text()).split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line): RecordedAnswer => JSON.parse(line)).map(({ prompt, answer }) => [prompt, answer] as const),
  );
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format: unknown;
}

/** An OpenAI-compatible endpoint that knows only recorded answers. */
function serveAnswers(
  recorded: ReadonlyMap<string, unknown>,
  onRequest: (request: ChatRequest & { readonly prompt: string }) => void,
) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { messages, response_format } = (await request.json()) as ChatRequest;
      const page = messages.find(({ role }) => role === "user")?.content ?? "";
      const prompt = createHash("sha256").update(page).digest("hex");
      onRequest({ prompt, messages, response_format });
      const answer = recorded.get(prompt);
      if (answer === undefined) return Response.json({ error: "no recorded answer to this prompt" }, { status: 404 });
      const content = JSON.stringify(withSpans(answer, page));
      return Response.json({ choices: [{ message: { role: "assistant", content } }] });
    },
  });
}

/** The answer with the texts that its spans name. */
function withSpans(value: unknown, page: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withSpans(each, page));
  if (typeof value !== "object" || value === null) return value;
  if ("span" in value && Array.isArray(value.span)) return page.slice(value.span[0], value.span[1]);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withSpans(each, page)]));
}
