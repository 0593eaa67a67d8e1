import { Failure } from "../core/errors.ts";
import type { ThreadRequest, ThreadResponse } from "./encoder.ts";
import { type Model, openModel } from "./model.ts";

/** The worker thread that runs one model, so that tokenising and inference do not block the main thread. */

declare const self: Worker;

let model: Model | undefined;

self.onmessage = async ({ data }: MessageEvent<ThreadRequest>) => {
  try {
    self.postMessage({ id: data.id, ...(await handle(data)) } satisfies ThreadResponse);
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
  if (request.type === "interact") return { interaction: await model.interact(request.query, request.passages) };
  if (request.type === "tokenise") return { tokens: model.tokenise(request.passages) };
  if (request.type === "observe") {
    model.observe(request.passages);
    return {};
  }
  await model.close();
  model = undefined;
  return {};
}
