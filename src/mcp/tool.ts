import { type Static, type TObject, Type } from "@sinclair/typebox";
import type { CompanyService } from "../casestudies/companies/service.ts";
import type { IndexService } from "../casestudies/index/service.ts";
import type { CaseStudyService } from "../casestudies/service.ts";
import type { DetectionService } from "../detection/service.ts";
import type { ProspectService } from "../prospects/prospects.ts";
import type { StackService } from "../stack/service.ts";

/** Unknown arguments are refused, so that a typo is never silently ignored. */
export const closed = { additionalProperties: false };

export const slug = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
export const count = (maximum: number, fallback: number, description: string, minimum = 1) =>
  Type.Integer({ minimum, maximum, description: `${description}; ${fallback} by default.` });
export const industry = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description: `${description}: a name such as "Banking", any case.` });
export const tool = Type.Optional(
  Type.String({ minLength: 1, maxLength: 120, description: "Only case studies that name this tool, in any case." }),
);
export const country = Type.Optional(
  Type.String({ minLength: 1, maxLength: 100, description: 'Only clients of this country: "DE" or "Germany".' }),
);
export const query = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: "What to search for, in natural language: 1 to 1,000 characters.",
});
export const degraded = Type.Optional(
  Type.Object({ reason: Type.String() }, { description: "The query could not be answered as its mode says." }),
);
export const backlog = Type.Optional(
  Type.Object({ pending: Type.Integer() }, { description: "Case studies that are not in the search index yet." }),
);

/** Control characters, bidirectional controls, zero-width characters and line separators. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/** Text from outside on one line of at most `most` characters, so that it cannot look like a line of the result. */
export function line(text: string, most = 300): string {
  const flat = text
    .slice(0, most * 4)
    .replace(UNSAFE, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return flat.length <= most ? flat : `${flat.slice(0, most - 1).trimEnd()}…`;
}

/** Joins the parts that are known. */
export const joined = (parts: readonly (string | null | undefined)[], between = " · "): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== "").join(between);

export const plural = (many: number, one: string, more = `${one}s`): string => `${many} ${many === 1 ? one : more}`;

/** The services that tools use. */
export interface ToolServices {
  readonly detection: DetectionService;
  readonly caseStudies: CaseStudyService;
  readonly companies: CompanyService;
  readonly index: IndexService;
  readonly prospects: ProspectService;
  readonly stack: StackService;
}

/** What a tool knows about a call besides its arguments. */
export interface ToolCall {
  /** Aborted when the client cancels or leaves. */
  readonly signal: AbortSignal;
  /** Reports progress to a client that asked for it; `done` must grow with each call. */
  progress(done: number, total: number, message: string): Promise<void>;
}

/** The result of a tool: the same facts as data and as compact text. */
interface ToolAnswer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A tool: its schemas and texts, and `run`, which calls the services. */
export interface Tool<Input extends TObject = TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: TObject;
  /** Whether it uses the network. */
  readonly openWorld: boolean;
  /** Number of requests that a call counts against the quota. */
  units(args: Static<Input>): number;
  /** @throws Failure */
  run(services: ToolServices, args: Static<Input>, call: ToolCall): Promise<ToolAnswer>;
}

/** Infers the argument types of `run` from the input schema. */
export const defineTool = <Input extends TObject>(tool: Tool<Input>): Tool<Input> => tool;
