import { expect, test } from "bun:test";
import { open } from "./opened.ts";

const MADE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test.each(["a", "req-42", "01HZX.trace:7_b", "x".repeat(128)])("the client's id is kept: %p", async (id) => {
  const { ask, logged } = await open();
  const answer = await ask("/v1/stats", { headers: { "x-request-id": id } });
  expect(answer.headers.get("x-request-id")).toBe(id);
  expect(logged()).toMatchObject([
    { request_id: id, method: "GET", route: "/v1/stats", status: 200, msg: "answered", level: 30 },
  ]);
});

test.each(["", "<script>", "a b", "a\tb", "x".repeat(129), "x".repeat(300), "ä", "../../etc"])(
  "an invalid id is replaced: %p",
  async (id) => {
    const { ask, logged } = await open();
    const answer = await ask("/v1/stats", { headers: { "x-request-id": id } });
    const made = answer.headers.get("x-request-id");
    expect(made).toMatch(MADE);
    expect(logged().map((line) => line.request_id)).toEqual([made]);
  },
);

test("a missing id is generated, a new one for each request", async () => {
  const { ask } = await open();
  const ids = [await ask("/healthz"), await ask("/nothing")].map(({ headers }) => headers.get("x-request-id"));
  expect(ids[0]).toMatch(MADE);
  expect(new Set(ids).size).toBe(2);
});

test("no log line contains a key, a token or a requested value", async () => {
  const { ask, key, app, logged } = await open();
  const own = await key();
  const { token } = await app.operator.ensureOperatorToken();
  await ask("/v1/enrich/brightpine.test", { key: own, operator: token });
  await ask("/admin/keys/ana@brightpine.test", { method: "DELETE", operator: token });
  const text = JSON.stringify(logged());
  for (const secret of [own, token ?? "", "ana@brightpine.test"]) expect(text).not.toContain(secret);
});
