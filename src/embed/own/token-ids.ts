import { Failure } from "../../vocabulary/failure.ts";

/**
 * The highest number that a tokenizer gives to a token: a graph that has no row for it belongs to another tokenizer.
 *
 * @param json the text of a `tokenizer.json`
 * @throws Failure `model.invalid` when it has no vocabulary
 */
export function highestIdOf(json: string): number {
  const { model, added_tokens: added } = objectOf(parsed(json));
  const { vocab } = objectOf(model);
  let highest = -1;
  const see = (id: unknown) => {
    if (typeof id === "number" && Number.isSafeInteger(id) && id > highest && id < 2 ** 31) highest = id;
  };
  // Unigram models list [token, score]; the others name each token's number.
  if (Array.isArray(vocab)) see(vocab.length - 1);
  else for (const id of Object.values(objectOf(vocab))) see(id);
  if (Array.isArray(added)) for (const token of added) see(objectOf(token).id);
  if (highest < 1) throw unreadable();
  return highest;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw unreadable();
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const unreadable = () => new Failure("model.invalid", "The model's tokenizer.json has no vocabulary; fetch it again.");
