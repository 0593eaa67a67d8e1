import { Failure } from "../core/errors.ts";
import type { ThreadRequest, ThreadResponse } from "./encoder.ts";
import { type Model, openModel } from "./model.ts";

/** The worker thread that runs one model, so that tokenising and inference do not block the main thread. */

declare const self: Worker;

let model: Model | undefined;

self.onmessage = async ({ data }: MessageEvent<ThreadRequest>) => {
  try {
    const response = await handle(data);
    const { scores, matches, nearest } = response.interaction ?? {};
    const moved = [scores, matches, nearest].flatMap((list) => (list ? [list.buffer as ArrayBuffer] : []));
    self.postMessage({ id: data.id, ...response } satisfies ThreadResponse, moved);
  } catch (error) {
    const { code, message, details } =
      error instanceof Failure
        ? error
        : new Failure("model.unavailable", "The model failed; try again, or restart Casefile.", {
            problems: [{ pointer: "model", detail: String(error) }],
          });
    self.postMessage({ id: data.id, failure: { code, message, details } } satisfies ThreadResponse);
  }
};

async function handle(request: ThreadRequest): Promise<Omit<ThreadResponse, "id">> {
  if (request.type === "open") {
    model = await openModel(request.request);
    return {};
  }
  if (!model) throw new Error("no model is open");
  if (request.type === "count") return { counts: request.texts.map(model.countTokens) };
  if (request.type === "encode") return { vectors: await model.encode(request.texts, request.kind) };
  if (request.type === "interact") {
    if (!("numbers" in request.passages)) return { interaction: await model.interact(request.query, request.passages) };
    const found = model.tokensOf(request.passages);
    return "missing" in found ? found : { interaction: await model.interact(request.query, found.tokens) };
  }
  if (request.type === "observe") {
    model.observe(request.passages);
    return {};
  }
  await model.close();
  model = undefined;
  return {};
}
