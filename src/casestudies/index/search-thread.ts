import { createPassageMemory, type PassageMemory } from "./passage-memory.ts";
import type { NumberedRequest, SearchRequest, SearchResponse } from "./search-in-thread.ts";
import { createTermReader } from "./words.ts";

/** The worker thread that holds the passages of an index in memory and searches them. */

declare const self: Worker;

const memories = new Map<number, PassageMemory>();
const readTerms = createTermReader();

self.onmessage = ({ data }: MessageEvent<readonly NumberedRequest[]>) => {
  self.postMessage(
    data.map((request): SearchResponse => {
      try {
        return { id: request.id, result: handle(request) };
      } catch (error) {
        return { id: request.id, error: String(error) };
      }
    }),
  );
};

function handle(request: SearchRequest): unknown {
  if (request.type === "terms") {
    const all = request.texts.map(readTerms);
    const offsets = new Uint32Array(all.length + 1);
    for (const [at, terms] of all.entries()) offsets[at + 1] = offsets[at]! + terms.length;
    const terms = new Uint32Array(offsets[all.length]!);
    for (const [at, each] of all.entries()) terms.set(each, offsets[at]!);
    return { terms, offsets };
  }
  if (request.type === "open") return void memories.set(request.memory, createPassageMemory(request.dimensions));
  if (request.type === "close") return void memories.delete(request.memory);
  const memory = memories.get(request.memory);
  if (!memory) throw new Error("these passages are not in memory");
  if (request.type === "add") return memory.add(request.rows);
  if (request.type === "remove") return memory.remove(request.studies);
  if (request.type === "keepOnly") return memory.keepOnly(request.passages, request.writes);
  if (request.type === "counts") return memory.counts();
  if (request.type === "nearest") return memory.nearest(request.vector, request.limit, request.filter);
  return memory.keyword(readTerms(request.query), request.limit, request.filter);
}
