import { Failure } from "../core/errors.ts";
import type { Answer, Question } from "./encoder.ts";
import { type Model, openModel } from "./model.ts";

/** The thread that holds one model: whoever asks is never kept waiting by tokenising or by a run. */

declare const self: Worker;

let model: Model | undefined;

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  try {
    self.postMessage({ id: data.id, ...(await answer(data)) } satisfies Answer);
  } catch (error) {
    const { code, advice, details } =
      error instanceof Failure
        ? error
        : new Failure("model.unavailable", "The model stopped; try again, or open it anew.", {
            problems: [{ pointer: "model", detail: String(error) }],
          });
    self.postMessage({ id: data.id, failure: { code, advice, details } } satisfies Answer);
  }
};

async function answer(question: Question): Promise<Omit<Answer, "id">> {
  if (question.ask === "open") {
    model = await openModel(question.request);
    return {};
  }
  if (!model) throw new Error("no model is open");
  if (question.ask === "count") return { counts: question.texts.map(model.countTokens) };
  if (question.ask === "encode") return { vectors: await model.encode(question.texts, question.kind) };
  if (question.ask === "interact") return { likenesses: await model.interact(question.query, question.passages) };
  if (question.ask === "observe") {
    model.observe(question.passages);
    return {};
  }
  await model.close();
  model = undefined;
  return {};
}
