import type { Step } from "../../app/app.ts";
import { stepView } from "../enrichment-view.ts";

/** Proxies close what is silent; a comment keeps them awake and is invisible to `onmessage`. */
const KEEP_ALIVE_MS = 5_000;

/**
 * Sends steps as server-sent events without an event name: `id: n`, `data: {…}`.
 *
 * @param onEnd called once, when the stream is over or the client is gone
 */
export function eventStream(steps: AsyncIterable<Step>, onEnd: (error?: unknown) => void): Response {
  const encoder = new TextEncoder();
  const iterator = steps[Symbol.asyncIterator]();
  let ended = false;
  let gone = false;
  let keepAlive: ReturnType<typeof setInterval> | undefined;
  const end = (error?: unknown) => {
    if (ended) return;
    ended = true;
    clearInterval(keepAlive);
    onEnd(error);
  };

  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (text: string) => {
        if (!ended) controller.enqueue(encoder.encode(text));
      };
      keepAlive = setInterval(() => send(": \n\n"), KEEP_ALIVE_MS);
      try {
        let id = 0;
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          id += 1;
          send(`id: ${id}\ndata: ${JSON.stringify(stepView(next.value))}\n\n`);
        }
        end();
      } catch (error) {
        // The status line is long gone, and an error would take back events that still wait to be sent: a stream
        // that ends without `done` is how a client learns of it.
        end(gone ? undefined : error);
      }
      if (!gone) controller.close();
    },
    async cancel() {
      gone = true;
      end();
      await iterator.return?.();
    },
  });

  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      // nginx would hold events back otherwise.
      "x-accel-buffering": "no",
    },
  });
}
