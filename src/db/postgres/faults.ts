import { errorCode, Failure } from "../../core/errors.ts";

/**
 * An error of PostgreSQL by its message and SQLSTATE. The driver's own error also has the rows that caused it, which may
 * contain what no log should.
 */
export class PostgresError extends Error {
  override readonly name = "PostgresError";
  constructor(
    message: string,
    /** Five characters of PostgreSQL, or `ERR_POSTGRES_…` of the driver. */
    readonly code: string,
  ) {
    super(message);
  }
}

/** Shown to callers of every surface. */
export const NO_ANSWER = "The database does not answer. Try again in a moment.";

/** Faults that an operator can correct. Any other error is a bug. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^(53100|58030|XX00[12])$/, "The disk of the database is full or damaged. Ask its operator."],
  [/^53/, "The database has no connection or memory left. Lower database.max_connections, or raise its limits."],
  [/^(25006)$/, NO_ANSWER],
  [/^(40001|40P01|55P03)$/, "Other nodes change the same data. Try again."],
  [/^42501$/, "The user of database.url lacks rights on Casefile's tables. Make it their owner."],
];

/**
 * The driver's error without what it reveals; a Failure `store.unusable` for what an operator can correct.
 */
export function asPostgresFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const code = stateOf(error);
  if (code === "") return error;
  const cause = new PostgresError(error instanceof Error ? error.message : "PostgreSQL failed.", code);
  const message = isLost(code) ? NO_ANSWER : FAULTS.find(([pattern]) => pattern.test(code))?.[1];
  return message === undefined ? cause : new Failure("store.unusable", message, { cause });
}

/** SQLSTATE of an error, else the driver's code; empty for an error of neither. */
export function stateOf(error: unknown): string {
  if (error instanceof PostgresError) return error.code;
  if (typeof error !== "object" || error === null || !errorCode(error).startsWith("ERR_POSTGRES_")) return "";
  const state: unknown = Reflect.get(error, "errno");
  return typeof state === "string" && state !== "" ? state : errorCode(error);
}

/** Connection errors, a server that starts or stops, and a standby that is not promoted yet. */
const isLost = (code: string): boolean =>
  /^(08...|57P0[1-3]|25006|ERR_POSTGRES_(CONNECTION_\w+|IDLE_TIMEOUT|LIFETIME_TIMEOUT|EXPECTED_\w+|UNEXPECTED_\w+))$/.test(
    code,
  );

/** Nothing of the statement was done. */
export const isNeverSent = (error: unknown): boolean =>
  /^(ERR_POSTGRES_CONNECTION_(REFUSED|TIMEOUT)|57P03|25006)$/.test(stateOf(causeOf(error)));

/** The connection was lost; whether the statement was done is not known. */
export const isConnectionLost = (error: unknown): boolean => isLost(stateOf(causeOf(error)));

/** PostgreSQL ended this transaction so that another one could finish. */
export const isConflict = (error: unknown): boolean => /^(40001|40P01)$/.test(stateOf(causeOf(error)));

const causeOf = (error: unknown): unknown => (error instanceof Failure ? error.details.cause : error);
