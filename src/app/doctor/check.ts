/** What one look came to. */
export interface Check {
  /** Words with dashes: `data-directory`, `source-tag-manager`. */
  readonly id: string;
  readonly title: string;
  /** `skipped`: it is switched off, or what it stands on is broken. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** What was seen, in one sentence. */
  readonly detail: string;
  /** What to do about it; null when nothing has to be done. */
  readonly remedy: string | null;
}

type Told = Omit<Check, "id" | "title">;

export const ok = (detail: string): Told => ({ status: "ok", detail, remedy: null });
export const skipped = (detail: string): Told => ({ status: "skipped", detail, remedy: null });
export const warning = (detail: string, remedy: string): Told => ({ status: "warning", detail, remedy });
export const failed = (detail: string, remedy: string): Told => ({ status: "failed", detail, remedy });

/** Splits a refusal that says what is wrong, and after a semicolon what to do. */
export function failedFor({ advice }: { readonly advice: string }, remedy: string): Told {
  const [fault = advice, ...rest] = advice.split("; ");
  if (rest.length === 0) return failed(advice, remedy);
  const told = rest.join("; ");
  return failed(`${fault}.`, told.charAt(0).toUpperCase() + told.slice(1));
}

/** Runs one look; what it throws is its failure. */
export async function check(
  id: string,
  title: string,
  look: () => Promise<Told> | Told,
  remedy: string,
): Promise<Check> {
  try {
    return { id, title, ...(await look()) };
  } catch (error) {
    return { id, title, ...failed(reasonOf(error), remedy) };
  }
}

/** A refusal's own sentence, or the error's. */
export function reasonOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "advice" in error) return String(error.advice);
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
