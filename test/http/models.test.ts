import { expect, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import { problemResponse } from "../../src/http/problems.ts";
import { jsonOf, open } from "./opened.ts";

const MINE = {
  name: "mine",
  id: "mine-0a1b2c3d4e5f",
  description: "Mean pooling, from model.onnx.",
  dimensions: 384,
  max_tokens: 256,
  size: 22_972_370,
  licence: "apache-2.0",
};

test("the operator lists the models and selects one without waiting", async () => {
  const { ask, app } = await open();
  await app.models.add({ dir: "folder", name: "mine" });
  const { token: operator } = await app.operator.ensureOperatorToken();
  const listed = await jsonOf(await ask("/admin/models", { operator }));
  expect(listed).toMatchObject({
    models: [
      { name: "built-in", state: "used" },
      { ...MINE, state: "idle" },
    ],
    total: 2,
  });
  const chosen = await ask("/admin/models/mine/use", { method: "POST", operator });
  expect(chosen.status).toBe(202);
  expect(await jsonOf(chosen)).toEqual({ ...MINE, state: "next" });
  const unknown = await ask("/admin/models/none/use", { method: "POST", operator });
  expect([unknown.status, (await jsonOf(unknown)).code]).toEqual([404, "model.not_found"]);
});

test("other callers are refused", async () => {
  const { ask } = await open();
  expect((await ask("/admin/models", { operator: "guess" })).status).toBe(401);
  expect((await ask("/admin/models/built-in/use", { method: "POST" })).status).toBe(401);
});

test("a model that cannot be used is reported with a remedy, and may work later", async () => {
  const answer = problemResponse(new Failure("model.invalid", "Remove it and add it again."), "r");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await answer.json()).toMatchObject({ code: "model.invalid", detail: "Remove it and add it again." });
});
