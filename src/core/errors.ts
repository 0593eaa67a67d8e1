/** The codes of expected failures. Clients depend on them. Each surface maps every code to its own status or exit code. */
export type FailureCode =
  | "domain.invalid"
  | "domain.reserved"
  | "domain.not_found"
  | "dns.unreachable"
  | "snapshot.invalid"
  | "snapshot.not_found"
  | "key.exists"
  | "key.invalid"
  | "key.not_found"
  | "operator.invalid"
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
    } = {},
  ) {
    super(message);
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
  [/^Unexpected property$/, "Unknown field; remove it."],
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

/** What to do about a value that a schema refuses, in one sentence. An unknown message is returned unchanged. */
export function faultText(message: string): string {
  const known = ADVICE.find(([pattern]) => pattern.test(message));
  return known ? message.replace(known[0], known[1]) : message;
}

/** The code of a system or library error, such as `ENOENT`; empty when it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
