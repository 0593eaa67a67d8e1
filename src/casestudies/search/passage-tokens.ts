import type { Encoder } from "../../embedding/encoder.ts";
import type { TokenIds } from "../../embedding/interaction.ts";
import { type PassageInContext, textInContext } from "./term-statistics.ts";

type ReadPassages = (ids: readonly number[]) => Promise<readonly PassageInContext[]>;

/** Passages as `Encoder.interact` takes them; passages that do not exist any more are missing. */
export type PassageTokens = (
  encoder: Pick<Encoder, "tokenise">,
  ids: readonly number[],
  read: ReadPassages,
  signal: AbortSignal | undefined,
) => Promise<ReadonlyMap<number, string | TokenIds>>;

/** About 100,000 passages: 170 tokens of two bytes, and the array that holds them. */
const MAX_BYTES = 48 * 1024 * 1024;
const ARRAY_BYTES = 120;

/**
 * Caches the token ids of passages, the last used ones, for the last used model: reading and tokenising them would take
 * half of a comparison. A changed case study gets new passages, so an id always has the same text.
 */
export function createPassageTokens(maxBytes = MAX_BYTES): PassageTokens {
  let owner: unknown;
  let cached = new Map<number, TokenIds>();
  let bytes = 0;
  const sizeOf = (tokens: TokenIds) => tokens.byteLength + ARRAY_BYTES;

  const add = (id: number, tokens: TokenIds) => {
    const former = cached.get(id);
    if (former) bytes -= sizeOf(former);
    cached.set(id, tokens);
    bytes += sizeOf(tokens);
    for (const [oldest, removed] of cached) {
      if (bytes <= maxBytes) break;
      cached.delete(oldest);
      bytes -= sizeOf(removed);
    }
  };

  return async (encoder, ids, read, signal) => {
    const { tokenise } = encoder;
    if (!tokenise) return new Map((await read(ids)).map((passage) => [passage.id, textInContext(passage)]));
    if (owner !== tokenise) {
      owner = tokenise;
      cached = new Map();
      bytes = 0;
    }
    const found = new Map<number, TokenIds>();
    const missing: number[] = [];
    for (const id of ids) {
      const tokens = cached.get(id);
      if (!tokens) {
        missing.push(id);
        continue;
      }
      found.set(id, tokens);
      // The end of the map is the last used.
      cached.delete(id);
      cached.set(id, tokens);
    }
    if (missing.length === 0) return found;
    const passages = await read(missing);
    const tokens = await tokenise(passages.map(textInContext), signal);
    for (const [at, { id }] of passages.entries()) {
      const ofPassage = tokens[at];
      if (!ofPassage) continue;
      found.set(id, ofPassage);
      if (owner === tokenise) add(id, ofPassage);
    }
    return found;
  };
}
