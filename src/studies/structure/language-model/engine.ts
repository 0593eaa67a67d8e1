import type { PageText } from "../../../vocabulary/page.ts";
import type { Provenance, StructuredStudy, StudyFields } from "../../../vocabulary/structured-study.ts";
import type { StructureEngine } from "../engine.ts";
import { readClaims } from "./answer-schema.ts";
import type { AskModel } from "./ask.ts";
import { fold } from "./folded-text.ts";
import { readGrounds } from "./page-grounds.ts";
import { createQuestions } from "./prompt.ts";
import { type FieldTools, type Supported, supportedFields } from "./supported-fields.ts";

export interface LanguageModelParts {
  readonly ask: AskModel;
  /** Fills what the model leaves open, and answers alone when the model cannot be asked. */
  readonly local: StructureEngine;
  readonly tools: FieldTools;
  /** Characters of a page that are shown to the model. */
  readonly maxInputChars: number;
  /** Told what was left out of an answer, in one sentence with the page's address. */
  readonly onNote: (note: string) => void;
}

/**
 * Reads case studies with a language model. Its answer is data that has to prove itself: what the page does not hold is
 * dropped field by field, and our own reading stands in. Rejects only when the signal aborts.
 */
export function createLanguageModelEngine({
  ask,
  local,
  tools,
  maxInputChars,
  onNote,
}: LanguageModelParts): StructureEngine {
  const industries = [...tools.industries.names.keys()];
  const questionFor = createQuestions(industries, [...tools.metrics.names.keys()], maxInputChars);

  return {
    id: "language-model",
    async structure(page, vendor, signal = new AbortController().signal) {
      const own = await local.structure(page, vendor, signal);
      signal.throwIfAborted();
      const grounds = readGrounds(page);
      if (grounds.leftOut > 0) {
        onNote(`${page.url}: ${grounds.leftOut} paragraphs that give orders to a model were not shown to it.`);
      }
      const answer = await ask(questionFor(page, vendor, grounds), signal);
      if ("refused" in answer) return { ...own, fallback: answer.refused };
      const claims = readClaims(answer.text);
      if (claims === undefined) return { ...own, fallback: "The language model's answer was not the JSON asked for." };
      const supported = supportedFields(claims, {
        page,
        vendor,
        grounds,
        tools,
        localClient: own.fields.client.name,
      });
      for (const what of supported.leftOut) onNote(`${page.url}: the language model's answer lost ${what}.`);
      if (supported.provenance.length === 0) {
        return { ...own, fallback: "Nothing that the language model answered stands on the page." };
      }
      return merged(own, supported, page);
    },
  };
}

function merged(own: StructuredStudy, { fields, provenance }: Supported, page: PageText): StructuredStudy {
  const told = own.fields;
  const { client, domain, ...rest } = fields;
  const isSameClient = client === undefined || fold(told.client.name ?? "") === fold(client);
  const result: StudyFields = {
    ...told,
    ...rest,
    client: {
      name: client ?? told.client.name,
      domain: domain ?? (isSameClient ? told.client.domain : null),
    },
    // Signs of the page itself, such as its metadata, are worth more than a reading of its text.
    published_at: told.published_at ?? rest.published_at ?? null,
    language: told.language ?? page.language ?? rest.language ?? null,
  };
  const keptOwn = new Set(
    (["published_at", "language"] as const).filter((name) => told[name] !== null).map((name) => `/${name}`),
  );
  const byModel = provenance.filter(({ pointer }) => !keptOwn.has(pointer));
  const replaced = new Set(byModel.map(({ pointer }) => rootOf(pointer)));
  if (!isSameClient) replaced.add("/client/domain");
  return { fields: result, provenance: [...byModel, ...ownOf(own.provenance, replaced)], fallback: null };
}

const ownOf = (provenance: readonly Provenance[], replaced: ReadonlySet<string>) =>
  provenance.filter(({ pointer }) => !replaced.has(rootOf(pointer)));

/** A list and a quotation come from one engine as a whole; a client's name and domain may come from two. */
const rootOf = (pointer: string): string => {
  const [, first = "", second = ""] = pointer.split("/");
  return first === "client" ? `/client/${second}` : `/${first}`;
};
