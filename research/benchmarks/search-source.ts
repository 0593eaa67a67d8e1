import { join } from "node:path";
import { type Source, TooMuch } from "./search-engine.ts";
import { FILES, type Passage } from "./search-material.ts";
import { residentMb } from "./search-memory.ts";

export interface Limits {
  readonly mb: number;
  readonly seconds: number;
}

/** An engine's speed before this many seconds is not representative. */
const PACE_SECONDS = 45;

/** Reads the first `studies` of the material, as records and as passages with their vectors. */
export function openSource(
  folder: string,
  options: { studies: number; passages: number; dimensions: number; limits: Limits; others: () => readonly number[] },
): Source {
  const { studies, passages, dimensions, limits } = options;
  let began = 0;
  return {
    studies,
    async *records() {
      for await (const batch of linesOf(join(folder, FILES.studies), studies, 500))
        yield new TextEncoder().encode(`${batch.join("\n")}\n`);
    },
    async *passages(size) {
      const vectors = Bun.file(join(folder, FILES.vectors));
      const bytes = dimensions * 4;
      let number = 0;
      for await (const batch of linesOf(join(folder, FILES.passages), passages, size)) {
        const read = await vectors.slice(number * bytes, (number + batch.length) * bytes).arrayBuffer();
        yield batch.map((line, at) => {
          const passage: Passage = JSON.parse(line);
          return { ...passage, number: number + at, vector: new Float32Array(read, at * bytes, dimensions) };
        });
        number += batch.length;
      }
    },
    check(taken) {
      began ||= performance.now();
      const seconds = (performance.now() - began) / 1_000;
      const mb = residentMb([process.pid, ...options.others()]).now;
      if (mb > limits.mb)
        throw new TooMuch(`passed ${limits.mb} MB of memory at ${taken} of ${passages} passages`, { cause: taken });
      const whole = (seconds / taken) * passages;
      if (seconds > PACE_SECONDS && whole > limits.seconds)
        throw new TooMuch(
          `at its pace would take ${Math.round(whole / 60)} min for ${passages} passages (${taken} after ${Math.round(seconds)} s)`,
        );
    },
  };
}

async function* linesOf(path: string, count: number, size: number): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let rest = "";
  let told = 0;
  for await (const part of Bun.file(path).stream().pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (told === count) break;
      batch.push(line);
      told++;
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
    if (told === count) break;
  }
  if (batch.length > 0) yield batch;
}
