import { Failure } from "../core/errors.ts";
import type { Interaction, TokenIds } from "./interaction.ts";
import type { Manifest, ModelFiles } from "./manifest.ts";
import type { ModelRequest } from "./model.ts";

/** A task of several steps, each of which returns a part of one list. Steps of other tasks may run in between. */
interface Task<T> {
  /** Runs before tasks that are not urgent. */
  readonly urgent: boolean;
  readonly signal: AbortSignal | undefined;
  readonly steps: readonly (() => Promise<readonly T[]>)[];
}

interface Queue {
  /**
   * @returns the parts, joined in order
   * @throws Failure `service.overloaded` when too many tasks wait; the signal's reason when it aborts; a step's error
   */
  run<T>(task: Task<T>): Promise<T[]>;
  /** Rejects all tasks with `reason`, and waits for the running step. */
  drain(reason: Failure): Promise<void>;
}

interface QueuedTask {
  readonly urgent: boolean;
  /** Runs one step; returns whether there is another. */
  step(): Promise<boolean>;
  reject(reason: unknown): void;
}

/** Runs one step at a time: urgent tasks first, the others in turn. */
export function createQueue(maxWaiting: number): Queue {
  let waiting: QueuedTask[] = [];
  let current: QueuedTask | undefined;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (;;) {
      const next = waiting.find(({ urgent }) => urgent) ?? waiting[0];
      if (!next) {
        // In the same tick as the check: a later task must start `work` again.
        running = undefined;
        return;
      }
      waiting = waiting.filter((task) => task !== next);
      // A long task continues after the others had their turn.
      current = next;
      if (await next.step()) waiting.push(next);
      current = undefined;
    }
  }

  return {
    run<T>({ urgent, signal, steps }: Task<T>): Promise<T[]> {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (steps.length === 0) return Promise.resolve([]);
      if (waiting.length >= maxWaiting)
        return Promise.reject(
          new Failure("service.overloaded", "Too many texts are being encoded; try again in a moment.", {
            retryAfterSeconds: 2,
          }),
        );
      return new Promise((resolve, reject) => {
        const parts: T[] = [];
        let at = 0;
        let isSettled = false;
        const end = (settle: () => void) => {
          isSettled = true;
          signal?.removeEventListener("abort", onAbort);
          settle();
        };
        const task: QueuedTask = {
          urgent,
          async step() {
            try {
              const part = await steps[at]!();
              if (isSettled) return false;
              for (const item of part) parts.push(item);
              at += 1;
              if (at === steps.length) end(() => resolve(parts));
            } catch (error) {
              if (!isSettled) end(() => reject(error));
            }
            return !isSettled;
          },
          reject: (reason) => end(() => reject(reason)),
        };
        function onAbort(): void {
          waiting = waiting.filter((other) => other !== task);
          task.reject(signal?.reason);
        }
        signal?.addEventListener("abort", onAbort);
        waiting.push(task);
        running ??= work();
      });
    },
    async drain(reason) {
      const rejected = current ? [current, ...waiting] : waiting;
      waiting = [];
      for (const task of rejected) task.reject(reason);
      await running;
    },
  };
}

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

interface EncoderThread {
  /** @throws Failure of the thread, or `model.unavailable` when the thread has ended */
  send(request: WithoutId<ThreadRequest>): Promise<ThreadResponse>;
  end(): void;
}

/** The executable holds each entry point at its path within `src`, and the program as one bundle at the root. */
const IN_EXECUTABLE = /^file:\/\/\/(\$bunfs|[A-Z]:\/~BUN)\//.test(import.meta.url);
const ENTRY = new URL(IN_EXECUTABLE ? "./embedding/encoder-thread.ts" : "./encoder-thread.ts", import.meta.url).href;

function startThread(): EncoderThread {
  const worker = new Worker(ENTRY);
  const waiting = new Map<number, { resolve(response: ThreadResponse): void; reject(reason: Failure): void }>();
  let sent = 0;
  let ended = false;

  worker.onmessage = ({ data }: MessageEvent<ThreadResponse>) => {
    const caller = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failure) caller?.reject(new Failure(data.failure.code, data.failure.message, data.failure.details));
    else caller?.resolve(data);
  };
  const fail = () => {
    ended = true;
    for (const { reject } of waiting.values()) reject(threadEnded());
    waiting.clear();
  };
  worker.addEventListener("error", fail);
  worker.addEventListener("close", fail);
  // An idle encoder does not keep the process alive; a pending request does.
  worker.unref();

  return {
    async send(request) {
      if (ended) throw threadEnded();
      const id = sent;
      sent += 1;
      worker.ref();
      try {
        return await new Promise<ThreadResponse>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          worker.postMessage({ id, ...request } satisfies ThreadRequest);
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

const threadEnded = () => new Failure("model.unavailable", "The model's thread has stopped; try again.");

/** Converts texts to vectors: the more similar the meaning of two texts, the higher the cosine of their vectors. */
export interface Encoder {
  /** Id of the model. Vectors of different models must not be compared. */
  readonly id: string;
  readonly dimensions: number;
  /** Longer texts are cut. */
  readonly maxTokens: number;
  /**
   * Number of tokens of each text, without special tokens and without a limit.
   *
   * @throws Failure as `encode` does
   */
  countTokens(texts: readonly string[]): Promise<number[]>;
  /**
   * Returns one vector per text, in order. Equal texts give equal vectors to within 1e-6, in any batch. A blank text gives
   * the zero vector.
   *
   * @throws Failure `service.overloaded` when too many callers wait, `model.unavailable` when the encoder is closed or
   *   its thread has ended; the signal's reason when it aborts
   */
  encode(texts: readonly string[], kind: "query" | "passage", signal?: AbortSignal): Promise<Float32Array[]>;
  /**
   * Compares passages with a query token by token (late interaction): more precise than vectors and more expensive, for
   * the few best passages of a search. Undefined for models without it.
   *
   * @throws Failure as `encode` does
   */
  readonly interact?:
    | ((query: string, passages: readonly (string | TokenIds)[], signal?: AbortSignal) => Promise<Interaction>)
    | undefined;
  /**
   * Returns the token ids of passages, which `interact` takes in place of their texts: tokenising takes a third of a
   * comparison. Defined if `interact` is.
   *
   * @throws Failure as `encode` does
   */
  readonly tokenise?: ((passages: readonly string[], signal?: AbortSignal) => Promise<TokenIds[]>) | undefined;
  /**
   * Replaces the token statistics by those of these passages, a sample of the collection: `interact` weights query tokens
   * by their rarity there. Defined if `interact` is.
   *
   * @throws Failure as `encode` does
   */
  readonly observe?: ((passages: readonly string[]) => Promise<void>) | undefined;
  /** Ends the thread. Waiting callers get `model.unavailable`. */
  close(): Promise<void>;
}

export interface EncoderSource {
  readonly manifest: Manifest;
  readonly files: ModelFiles;
  /** Folder for the executable's native libraries, writable by the operator only. */
  readonly unpackDir: string;
  /** Threads per run; 1 by default. */
  readonly threads?: number;
  /** Maximum number of waiting callers; 256 by default. */
  readonly maxWaiting?: number;
}

/** Texts per message to the thread; a query waits for at most one such chunk. */
const CHUNK = 32;

/**
 * Verifies the files of a model and opens it in a new thread.
 *
 * @throws Failure `model.invalid` or `model.unavailable`
 */
export async function openEncoder(source: EncoderSource): Promise<Encoder> {
  const { manifest, files, unpackDir, threads = 1, maxWaiting = 256 } = source;
  const thread = startThread();
  try {
    await thread.send({ type: "open", request: { manifest, files, unpackDir, threads } });
  } catch (error) {
    thread.end();
    throw error;
  }
  const queue = createQueue(maxWaiting);
  let closed = false;
  const run = async <T>(task: Task<T>): Promise<T[]> => {
    if (closed) throw new Failure("model.unavailable", "The model is closed; open it again.");
    return await queue.run(task);
  };
  const canInteract = manifest.late_interaction;
  return {
    id: manifest.id,
    dimensions: manifest.dimensions,
    maxTokens: manifest.max_tokens,
    countTokens: (texts) =>
      run({
        urgent: false,
        signal: undefined,
        steps: chunksOf(texts).map(
          (chunk) => async () => (await thread.send({ type: "count", texts: chunk })).counts ?? [],
        ),
      }),
    encode: (texts, kind, signal) =>
      run({
        urgent: kind === "query",
        signal,
        steps: chunksOf(texts).map(
          (chunk) => async () => (await thread.send({ type: "encode", texts: chunk, kind })).vectors ?? [],
        ),
      }),
    interact: canInteract
      ? async (query, passages, signal) => {
          const step = async () => {
            const { interaction } = await thread.send({ type: "interact", query, passages });
            return interaction ? [interaction] : [];
          };
          const [found] = await run({ urgent: true, signal, steps: [step] });
          return found ?? { scores: [], weights: [], matches: [], nearest: [] };
        }
      : undefined,
    tokenise: canInteract
      ? (passages, signal) =>
          run({
            urgent: true,
            signal,
            steps: [async () => (await thread.send({ type: "tokenise", passages })).tokens ?? []],
          })
      : undefined,
    observe: canInteract
      ? async (passages) => {
          const step = async () => {
            await thread.send({ type: "observe", passages });
            return [];
          };
          await run({ urgent: true, signal: undefined, steps: [step] });
        }
      : undefined,
    async close() {
      if (closed) return;
      closed = true;
      await queue.drain(new Failure("model.unavailable", "The model was closed."));
      await thread.send({ type: "close" }).catch(() => undefined);
      thread.end();
    },
  };
}

function chunksOf(texts: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(texts.length / CHUNK) }, (_, at) => texts.slice(at * CHUNK, (at + 1) * CHUNK));
}

/** A message to the thread; it handles one at a time. */
export type ThreadRequest = { readonly id: number } & (
  | { readonly type: "open"; readonly request: ModelRequest }
  | { readonly type: "count"; readonly texts: readonly string[] }
  | { readonly type: "encode"; readonly texts: readonly string[]; readonly kind: "query" | "passage" }
  | { readonly type: "interact"; readonly query: string; readonly passages: readonly (string | TokenIds)[] }
  | { readonly type: "tokenise"; readonly passages: readonly string[] }
  | { readonly type: "observe"; readonly passages: readonly string[] }
  | { readonly type: "close" }
);

/** The response to the request with this id. A message loses the class of an error, so its fields are sent. */
export interface ThreadResponse {
  readonly id: number;
  readonly vectors?: readonly Float32Array[];
  readonly counts?: readonly number[];
  readonly interaction?: Interaction;
  readonly tokens?: readonly TokenIds[];
  readonly failure?: Pick<Failure, "code" | "message" | "details">;
}
