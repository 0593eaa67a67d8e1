import { findClosest, quoted } from "./text.ts";

/** The codes of expected failures. Clients depend on them. Each surface maps every code to its own status or exit code. */
export type FailureCode =
  | "domain.invalid"
  | "domain.reserved"
  | "domain.not_found"
  | "domain.opted_out"
  | "opt_out.invalid"
  | "opt_out.not_found"
  | "dns.unreachable"
  | "browser.unavailable"
  | "snapshot.invalid"
  | "snapshot.not_found"
  | "history.not_found"
  | "key.exists"
  | "key.sign_up_closed"
  | "key.invalid"
  | "key.not_found"
  | "operator.invalid"
  | "operator.forbidden"
  | "operator.not_found"
  | "operator.conflict"
  | "operator.malformed"
  | "session.not_found"
  | "sign_in.invalid_link"
  | "sign_in.unavailable"
  | "sign_in.failed"
  | "email.invalid"
  | "quota.exceeded"
  | "rate.exceeded"
  | "catalogue.invalid"
  | "fingerprints.invalid"
  | "tool.not_found"
  | "feedback.not_found"
  | "config.invalid"
  | "store.unusable"
  | "installation.unsound"
  | "model.invalid"
  | "model.unavailable"
  | "model.not_found"
  | "model.conflict"
  | "company.not_found"
  | "industry.not_found"
  | "company.exists"
  | "company.invalid"
  | "submission.not_found"
  | "submission.conflict"
  | "submission.invalid"
  | "job.not_found"
  | "correction.invalid"
  | "correction.not_found"
  | "crawl.failed"
  | "study.not_found"
  | "query.invalid"
  | "cursor.invalid"
  | "backup.invalid"
  | "backup.not_found"
  | "watch.not_found"
  | "watch.limit"
  | "webhook.not_found"
  | "webhook.invalid"
  | "webhook.exists"
  | "webhook.limit"
  | "webhook.not_taken"
  | "batch.not_found"
  | "batch.invalid"
  | "batch.conflict"
  | "stack.operator_only"
  | "service.draining"
  | "service.overloaded";

/** An expected failure: a stable code and one sentence that says what to do. Independent of HTTP and exit codes. */
export class Failure extends Error {
  constructor(
    readonly code: FailureCode,
    /** Shown to the caller, so without local paths and internal details. */
    message: string,
    readonly details: {
      retryAfterSeconds?: number;
      problems?: readonly Problem[];
      /** The requested names that do not exist. */
      unknown?: readonly string[];
      /** The error that led to the failure; logged, never shown. */
      cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "Failure";
  }
}

/** An error in an input. `pointer` is a JSON pointer, or a line or key for other inputs. */
export interface Problem {
  readonly pointer: string;
  readonly detail: string;
}

/** Messages of the schema library, and the message that replaces each. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^Expected required property$/, "It is required."],
  [/^Expected string$/, "Give a string."],
  [/^Expected boolean$/, "Give true or false."],
  [/^Expected integer$/, "Give a whole number."],
  [/^Expected number$/, "Give a number."],
  [/^Expected array$/, "Give a list."],
  [/^Expected object$/, "Give an object."],
  [/^Expected (?:integer|number) to be greater or equal to (-?\d+)$/, "Give $1 or more."],
  [/^Expected (?:integer|number) to be less or equal to (-?\d+)$/, "Give $1 at most."],
  [/^Expected array length to be greater or equal to (\d+)$/, "Give at least $1."],
  [/^Expected array length to be less or equal to (\d+)$/, "Give at most $1."],
  [/^Expected string length greater or equal to 1$/, "Give a non-empty string."],
  [/^Expected string length greater or equal to (\d+)$/, "Give a string of at least $1 characters."],
  [/^Expected string length less or equal to (\d+)$/, "Give a string of at most $1 characters."],
  [/^Expected object to have at least (\d+) properties$/, "Give at least one field."],
];

/** An error of the schema library: the schema that refused `value`, and one iterator of errors per choice of a union. */
export interface SchemaFault {
  readonly path?: string;
  readonly message?: string;
  readonly value?: unknown;
  readonly schema?: FaultSchema;
  readonly errors?: readonly Iterable<SchemaFault>[];
}

interface FaultSchema {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly error?: unknown;
  readonly anyOf?: readonly FaultSchema[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** What to do about a value that a schema refuses, in one sentence. A schema's own `error` text comes first. */
export function schemaProblem(fault: SchemaFault): Problem {
  const { path: pointer = "", message = "It is invalid.", value, schema = {}, errors = [] } = fault;
  const name = pointer.split("/").findLast((part) => part !== "" && !/^\d+$/.test(part)) ?? "value";
  const field = name.replaceAll("~1", "/").replaceAll("~0", "~");
  if (typeof schema.error === "string") return { pointer, detail: withValue(field, value, schema.error) };
  if (message === "Unexpected property") {
    const meant = findClosest(field, Object.keys(schema.properties ?? {}));
    const remedy = meant === undefined ? "remove it." : `did you mean ${meant}?`;
    return { pointer, detail: `Unknown field ${quoted(field)}: ${remedy}` };
  }
  const known = ADVICE.find(([pattern]) => pattern.test(message));
  if (known && value === undefined) return { pointer, detail: message.replace(known[0], known[1]) };
  const choices = schema.anyOf ? flat(schema.anyOf) : "const" in schema ? [schema] : [];
  if (choices.length > 0) {
    // The value has the type of one choice, such as a list or a text with a pattern: that choice says what is wrong.
    const near = (schema.anyOf ?? []).findIndex((choice) => !isLiteral(choice) && typeOf(choice) === kindOf(value));
    const inner = near === -1 ? undefined : [...(errors[near] ?? [])][0];
    if (inner) return schemaProblem(inner);
    return { pointer, detail: choiceText(field, value, choices) };
  }
  return { pointer, detail: withValue(field, value, known ? message.replace(known[0], known[1]) : message) };
}

/** Puts the refused value before the advice: `Invalid limit "0": give a whole number from 1 to 100.` */
function withValue(field: string, value: unknown, advice: string): string {
  const isShown = value !== undefined && !(typeof value === "object" && value !== null);
  return isShown && advice.startsWith("Give ") ? `Invalid ${field} ${quoted(value)}: g${advice.slice(1)}` : advice;
}

/** More choices than these are listed only if none is like the value. */
const MAX_CHOICES = 10;

function choiceText(field: string, value: unknown, choices: readonly FaultSchema[]): string {
  const names = choices.map((choice) =>
    "const" in choice ? String(choice.const) : (TYPE_NAMES[typeOf(choice)] ?? ""),
  );
  const isText = choices.some((choice) => typeof choice.const === "string");
  const meant = names.length > MAX_CHOICES && typeof value === "string" ? findClosest(value, names) : undefined;
  const last = names.at(-1);
  const list = names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${last}` : last;
  if (!isText) return `Give ${list}.`;
  return `Unknown ${field} ${quoted(value)}: ${meant === undefined ? `use ${list}.` : `did you mean ${meant}?`}`;
}

const flat = (choices: readonly FaultSchema[]): FaultSchema[] =>
  choices.flatMap((choice) => (choice.anyOf ? flat(choice.anyOf) : [choice]));

const isLiteral = (schema: FaultSchema): boolean => "const" in schema || (schema.anyOf ?? []).some(isLiteral);
const typeOf = (schema: FaultSchema): string => (schema.type === "integer" ? "number" : String(schema.type));
const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

/** The code of a system or library error, such as `ENOENT`; empty when it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
