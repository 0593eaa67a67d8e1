import { createSemaphore, onAbort } from "../core/async.ts";
import { type Child, startChild } from "./child.ts";

/** The process that read an input was ended by a limit or by itself. The same input would end the next one. */
export class ProcessEnded extends Error {
  override readonly name = "ProcessEnded";
}

export interface RequestLimits {
  /** Bytes, as in `ChildOptions`. */
  readonly memory: number;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
}

/** A task of another process, which reads one input at a time. */
export interface RemoteTask<In, Out> {
  /**
   * Waits for its turn, and starts the process if there is none.
   *
   * @throws ProcessEnded when the process did not survive the input; Error with the message of what the task threw; the
   * reason of `signal`
   */
  run(input: In, signal?: AbortSignal): Promise<Out>;
  close(): void;
}

/** `peak`: the most bytes that the process has had resident. */
export type TaskAnswer = ({ readonly value: unknown } | { readonly error: string }) & { readonly peak: number };

/** An idle process gives its memory back. */
const IDLE_MS = 30_000;

export function createRemoteTask<In, Out>(task: string, limits: RequestLimits): RemoteTask<In, Out> {
  const turn = createSemaphore(1);
  const closing = new AbortController();
  let child: Child | undefined;
  let idle: Timer | undefined;
  let pending: { resolve(answer: TaskAnswer): void; reject(error: Error): void } | undefined;

  const start = (): Child => {
    const started = startChild({
      task,
      memory: limits.memory,
      // The child is this program, and answers nothing else.
      onMessage(message) {
        if (child === started) pending?.resolve(message as TaskAnswer);
      },
      onEnd(reason) {
        if (child === started) end(reason);
      },
    });
    return started;
  };
  const end = (reason: string) => {
    clearTimeout(idle);
    child?.kill(reason);
    child = undefined;
    pending?.reject(new ProcessEnded(`The process that read it ${reason}.`));
  };

  return {
    async run(input, signal) {
      const stopped = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const release = await turn.acquire(stopped);
      clearTimeout(idle);
      const timeout = setTimeout(() => end(`took longer than ${limits.timeoutMs / 1_000} s`), limits.timeoutMs);
      let stopListening = () => {};
      try {
        const answer = await new Promise<TaskAnswer>((resolve, reject) => {
          pending = { resolve, reject };
          stopListening = onAbort(signal, () => {
            reject(signal?.reason);
            end("was no longer needed");
          });
          // It may have aborted, or this been closed, at the moment in which the turn came.
          if (stopped.aborted) return reject(stopped.reason);
          child ??= start();
          child.setBusy(true);
          child.send(input);
        });
        // The next input must not pay for this one.
        if (answer.peak > limits.memory / 2) end("has used much memory");
        if ("error" in answer) throw new Error(answer.error);
        return answer.value as Out;
      } finally {
        pending = undefined;
        clearTimeout(timeout);
        stopListening();
        child?.setBusy(false);
        idle = setTimeout(() => end("was idle"), IDLE_MS);
        idle.unref();
        release();
      }
    },
    close() {
      closing.abort(new Error("The service is stopping."));
      pending?.reject(closing.signal.reason);
      end("was no longer needed");
    },
  };
}
