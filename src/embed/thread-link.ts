import { Failure } from "../vocabulary/failure.ts";
import type { Answer, Question } from "./thread-messages.ts";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

export interface ThreadLink {
  /** @throws Failure as the thread tells it; `model.unavailable` when the thread has ended */
  ask(question: WithoutId<Question>): Promise<Answer>;
  end(): void;
}

/** An executable holds each entry point under its place in `src`; its program is one bundle at the root. */
const IN_EXECUTABLE = /^file:\/\/\/(\$bunfs|[A-Z]:\/~BUN)\//.test(import.meta.url);
const ENTRY = new URL(IN_EXECUTABLE ? "./embed/thread.ts" : "./thread.ts", import.meta.url).href;

/** Starts the thread that holds a model. */
export function startThread(): ThreadLink {
  const worker = new Worker(ENTRY);
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(reason: Failure): void }>();
  let asked = 0;
  let ended = false;

  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const asker = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failure) asker?.reject(new Failure(data.failure.code, data.failure.advice, data.failure.details));
    else asker?.resolve(data);
  };
  const fail = () => {
    ended = true;
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  };
  worker.addEventListener("error", fail);
  worker.addEventListener("close", fail);
  // An idle encoder does not keep the program alive; a question that is being answered does.
  worker.unref();

  return {
    async ask(question) {
      if (ended) throw gone();
      const id = asked;
      asked += 1;
      worker.ref();
      try {
        return await new Promise<Answer>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          worker.postMessage({ id, ...question } satisfies Question);
        });
      } finally {
        if (waiting.size === 0) worker.unref();
      }
    },
    end() {
      fail();
      worker.terminate();
    },
  };
}

const gone = () => new Failure("model.unavailable", "The model's thread has ended; open the model again.");
