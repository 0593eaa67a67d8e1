import { onAbort } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import { type Interaction, type NumberedMessage, type PackedInteraction, unpacked } from "./interaction.ts";
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

/**
 * Steps of urgent tasks that may be under way: the thread handles one at a time, but need not wait until the main thread has
 * received the answer to the last one.
 */
const URGENT_AT_ONCE = 4;

/** Runs urgent tasks first, the others in turn, one step at a time. */
export function createQueue(maxWaiting: number): Queue {
  let waiting: QueuedTask[] = [];
  const running = new Map<QueuedTask, Promise<void>>();

  const startSteps = (): void => {
    for (;;) {
      const next = waiting.find(({ urgent }) => urgent) ?? waiting[0];
      if (!next || running.size >= URGENT_AT_ONCE) return;
      // A query waits for at most one step of the others.
      if (!next.urgent && running.keys().some(({ urgent }) => !urgent)) return;
      waiting = waiting.filter((task) => task !== next);
      const step = next.step().then((hasMore) => {
        running.delete(next);
        // A long task continues after the others had their turn.
        if (hasMore) waiting.push(next);
        startSteps();
      });
      running.set(next, step);
    }
  };

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
        let stopListening = () => {};
        const end = (settle: () => void) => {
          isSettled = true;
          stopListening();
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
        waiting.push(task);
        stopListening = onAbort(signal, () => {
          waiting = waiting.filter((other) => other !== task);
          task.reject(signal?.reason);
        });
        startSteps();
      });
    },
    async drain(reason) {
      const rejected = [...running.keys(), ...waiting];
      waiting = [];
      for (const task of rejected) task.reject(reason);
      await Promise.all(running.values());
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
    | ((query: string, passages: readonly string[] | NumberedTexts, signal?: AbortSignal) => Promise<Interaction>)
    | undefined;
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

/** Texts that are read when the thread has not kept their tokens. */
export interface NumberedTexts extends Omit<NumberedMessage, "texts"> {
  /** Texts that do not exist any more are missing. */
  readonly read: (numbers: readonly number[]) => Promise<ReadonlyMap<number, string>>;
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
          const asked = async (given: readonly string[] | NumberedMessage) => {
            const step = async () => [await thread.send({ type: "interact", query, passages: given })];
            const [{ interaction, missing = [] } = {}] = await run({ urgent: true, signal, steps: [step] });
            return { interaction, missing };
          };
          if (!("numbers" in passages)) return unpacked((await asked(passages)).interaction ?? NOTHING);
          const { collection, numbers, read } = passages;
          const texts = new Map<number, string>();
          for (;;) {
            const { interaction, missing } = await asked({ collection, numbers, texts });
            if (interaction) return unpacked(interaction);
            const found = await read(missing);
            for (const number of missing) texts.set(number, found.get(number) ?? "");
          }
        }
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

const NOTHING: PackedInteraction = {
  scores: new Float64Array(),
  weights: [],
  matches: new Float64Array(),
  nearest: new Float32Array(),
};

/** A message to the thread; it handles one at a time. */
export type ThreadRequest = { readonly id: number } & (
  | { readonly type: "open"; readonly request: ModelRequest }
  | { readonly type: "count"; readonly texts: readonly string[] }
  | { readonly type: "encode"; readonly texts: readonly string[]; readonly kind: "query" | "passage" }
  | { readonly type: "interact"; readonly query: string; readonly passages: readonly string[] | NumberedMessage }
  | { readonly type: "observe"; readonly passages: readonly string[] }
  | { readonly type: "close" }
);

/** The response to the request with this id. A message loses the class of an error, so its fields are sent. */
export interface ThreadResponse {
  readonly id: number;
  readonly vectors?: readonly Float32Array[];
  readonly counts?: readonly number[];
  readonly interaction?: PackedInteraction;
  /** Numbers of the texts that must be given. */
  readonly missing?: readonly number[];
  readonly failure?: Pick<Failure, "code" | "message" | "details">;
}
