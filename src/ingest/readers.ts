import { type Child, processorSeconds, startChild } from "../processes/child.ts";
import type { Recognised } from "./formats/recognise.ts";
import { type Batch, type FromChild, INGEST_TASK, type IngestSettings, type ToChild } from "./messages.ts";
import { noCounts } from "./outcomes.ts";
import type { FilePart } from "./read-file.ts";

/** As for a scan. */
const MEMORY = 640 * 1_048_576;
/** Seconds of processor time without a sign of life. */
const STALL_SECONDS = 30;
const WATCH_MS = 2_000;

/** One process that reads parts of files, and is started again when a record ends it. */
export interface Reader {
  inspect(path: string): Promise<Recognised | undefined>;
  /**
   * Reads a part. A record that ends the process is passed over and counted as `reader_stopped`.
   *
   * @param store stores a batch; the next one is read when it has
   * @throws Error when the file cannot be read; what `store` throws
   */
  read(part: FilePart, capturedAt: string, store: (batch: Batch) => Promise<void>): Promise<void>;
  close(): void;
}

/** The process that read a part ended, and would end again. */
export class ReaderLost extends Error {}

export function createReader(settings: IngestSettings): Reader {
  let child: Child | undefined;
  let onMessage: (message: FromChild) => void = () => {};
  let onLost: (error: Error) => void = () => {};
  let busySince = 0;
  let closed = false;

  const watch = setInterval(async () => {
    const watched = child;
    if (!watched || busySince === 0) return;
    const seconds = await processorSeconds(watched.pid);
    if (child === watched && busySince > 0 && seconds - busySince > STALL_SECONDS)
      watched.kill("computed for too long");
  }, WATCH_MS);
  watch.unref();

  const signOfLife = async () => {
    const living = child;
    if (living) busySince = Math.max(await processorSeconds(living.pid), 0.001);
  };
  const start = (): Child => {
    const started = startChild({
      task: INGEST_TASK,
      memory: MEMORY,
      onMessage(message) {
        if (child !== started) return;
        signOfLife();
        // The child is this program, and sends nothing else.
        onMessage(message as FromChild);
      },
      onEnd(reason) {
        if (child !== started) return;
        child = undefined;
        busySince = 0;
        onLost(new ReaderLost(`The process that read it ${reason}.`));
      },
    });
    child = started;
    send({ type: "open", settings });
    return started;
  };
  const send = (message: ToChild) => child?.send(message);

  /** A process without memory reads nothing more. */
  const fail = (message: string, reject: (error: Error) => void) => {
    if (/^RangeError|out of memory/i.test(message)) child?.kill("ran out of memory");
    else reject(new Error(message));
  };

  /** Runs one request until `take` resolves it. */
  async function ask<T>(
    message: ToChild,
    take: (answer: FromChild, done: (value: T) => void, fail: (error: unknown) => void) => void,
  ): Promise<T> {
    if (closed) throw new Error("the reader is closed");
    const running = child ?? start();
    running.setBusy(true);
    try {
      return await new Promise<T>((resolve, reject) => {
        onMessage = (answer) =>
          answer.type === "failed" ? fail(answer.message, reject) : take(answer, resolve, reject);
        onLost = reject;
        signOfLife();
        send(message);
      });
    } finally {
      busySince = 0;
      onMessage = () => {};
      onLost = () => {};
      child?.setBusy(false);
    }
  }

  return {
    inspect: (path) =>
      ask({ type: "inspect", path }, (answer, done) => {
        if (answer.type === "inspected") done(answer.recognised);
      }),

    async read(part, capturedAt, store) {
      let from = part.from;
      let careful = false;
      let passFirst = part.passFirst;
      /** Position of the record that is read, where it is reported. */
      let at: number | undefined;
      for (;;) {
        const request = { part: { ...part, from, passFirst }, capturedAt, careful };
        try {
          return await ask<void>({ type: "read", request }, (answer, done, fail) => {
            if (answer.type === "at") at = answer.position;
            if (answer.type !== "batch") return;
            const { batch } = answer;
            store(batch).then(() => {
              from = batch.position;
              passFirst = false;
              at = undefined;
              if (batch.done) done();
              else send({ type: "stored" });
            }, fail);
          });
        } catch (error) {
          // A process that ends before it reads, or while it passes over a record, would end again.
          const isHopeless = passFirst || (careful && at === undefined);
          if (!(error instanceof ReaderLost) || closed || isHopeless) throw error;
          if (!careful) {
            careful = true;
            continue;
          }
          // The record at this position ended the process also when it was read alone.
          from = at ?? from;
          passFirst = true;
          const counts = noCounts();
          counts.records = 1;
          counts.refused.reader_stopped = 1;
          await store({ position: from, counts, recordings: [], done: false });
        }
      }
    },

    close() {
      closed = true;
      clearInterval(watch);
      child?.kill("was no longer needed");
    },
  };
}
