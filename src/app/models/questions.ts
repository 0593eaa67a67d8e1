import { Failure, type Problem } from "../../vocabulary/failure.ts";

/** A question with the case studies that answer it. */
export interface JudgedQuestion {
  readonly query: string;
  /** Ids of case studies; one at least. */
  readonly relevant: readonly string[];
}

const MOST_QUESTIONS = 10_000;
const MOST_RELEVANT = 1_000;
const MOST_QUERY = 1_000;
const MOST_ID = 200;
const SHOWN = 20;

/**
 * Reads questions as JSON lines: `{"query": "…", "relevant": ["id", …]}`; other fields are passed over.
 *
 * @throws Failure `query.invalid` that names the lines
 */
export function parseQuestions(text: string): JudgedQuestion[] {
  const lines = text.split("\n").map((line, at) => ({ line, number: at + 1 }));
  const filled = lines.filter(({ line }) => line.trim() !== "");
  if (filled.length === 0 || filled.length > MOST_QUESTIONS)
    throw new Failure("query.invalid", `Give 1 to ${MOST_QUESTIONS} questions, one JSON object a line.`);
  const problems: Problem[] = [];
  const questions = filled.flatMap(({ line, number }) => {
    const question = questionOf(line);
    if (typeof question !== "string") return [question];
    problems.push({ pointer: `line ${number}`, detail: question });
    return [];
  });
  if (problems.length > 0)
    throw new Failure("query.invalid", "The questions cannot be read; correct these lines.", {
      problems: problems.slice(0, SHOWN),
    });
  return questions;
}

function questionOf(line: string): JudgedQuestion | string {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return "It is no JSON.";
  }
  const { query, relevant }: { query?: unknown; relevant?: unknown } =
    typeof given === "object" && given !== null ? given : {};
  if (typeof query !== "string" || query.trim() === "" || query.trim().length > MOST_QUERY)
    return "`query` has 1 to 1,000 characters.";
  const isList = Array.isArray(relevant) && relevant.length >= 1 && relevant.length <= MOST_RELEVANT;
  if (!isList || !relevant.every((id) => typeof id === "string" && id !== "" && id.length <= MOST_ID))
    return "`relevant` lists the ids of 1 to 1,000 case studies.";
  return { query: query.trim(), relevant: relevant.map(String) };
}
