/** Every way in which a verb may refuse. Stable: clients read them. Each surface has one table from code to its own words. */
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

/**
 * An expected refusal: a stable code and one sentence that tells the caller what to do.
 * Knows nothing of HTTP or exit codes.
 */
export class Failure extends Error {
  constructor(
    readonly code: FailureCode,
    /** Shown to the caller: no path of the machine, no internal text. */
    readonly advice: string,
    readonly details: {
      retryAfterSeconds?: number;
      problems?: readonly Problem[];
      /** What was asked for by name and does not exist. */
      unknown?: readonly string[];
    } = {},
  ) {
    super(`${code}: ${advice}`);
    this.name = "Failure";
  }
}

/** One fault of an input; `pointer` is a JSON pointer, or a line or key for other inputs. */
export interface Problem {
  readonly pointer: string;
  readonly detail: string;
}

/** What the schema library says of a value, and what to do instead. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^Expected required property$/, "It is required."],
  [/^Unexpected property$/, "Nothing of this name is known; leave it out."],
  [/^Expected string$/, "Give a text."],
  [/^Expected boolean$/, "Give true or false."],
  [/^Expected integer$/, "Give a whole number."],
  [/^Expected number$/, "Give a number."],
  [/^Expected array$/, "Give a list."],
  [/^Expected object$/, "Give an object."],
  [/^Expected (?:integer|number) to be greater or equal to (-?\d+)$/, "Give $1 or more."],
  [/^Expected (?:integer|number) to be less or equal to (-?\d+)$/, "Give $1 at most."],
  [/^Expected array length to be greater or equal to (\d+)$/, "Give at least $1."],
  [/^Expected array length to be less or equal to (\d+)$/, "Give at most $1."],
  [/^Expected string length greater or equal to (\d+)$/, "Give a text; characters: $1 or more."],
  [/^Expected string length less or equal to (\d+)$/, "Give a shorter text; characters: $1 at most."],
  [/^Expected object to have at least (\d+) properties$/, "Give at least one field."],
];

/** One sentence that says what to do about a value that a schema does not allow; what is not known here as it came. */
export function faultText(message: string): string {
  const known = ADVICE.find(([said]) => said.test(message));
  return known ? message.replace(known[0], known[1]) : message;
}

/** The code of a system or library error, such as `ENOENT`; empty when it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
