import { expect, test } from "bun:test";
import type { OpenApi } from "../../src/reference/openapi.ts";
import { open, problemOf } from "./opened.ts";

const opened = await open({ keylessPerHour: 1_000 });
const { paths }: OpenApi = JSON.parse(await (await opened.ask("/openapi.json")).text());
const { token } = await opened.app.operator.ensureOperatorToken();
const key = await opened.key();

const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
/** A HEAD request to a counted route would be charged and its response discarded. */
const COUNTED = /^\/v1\/(?:enrich(?:-stream)?|casestudies|companies|industries)(?:\/|$)/;

const TABLE = Object.entries(paths).flatMap(([path, operations]) => {
  const known = Object.keys(operations).map((method) => method.toUpperCase());
  const takes = [...known, ...(known.includes("GET") && !COUNTED.test(path) ? ["HEAD"] : [])].sort();
  const filled = path.replace(/\{\w+\}/g, "brightpine.test");
  return METHODS.filter((method) => !takes.includes(method)).map((method) => [method, path, filled, takes] as const);
});

test.each(TABLE)(
  "%s of %s is not allowed, and the response lists the allowed methods",
  async (method, _, path, takes) => {
    for (const credentials of [{}, { key, operator: token }]) {
      const answer = await opened.ask(path, { method, ...credentials });
      expect([answer.status, answer.headers.get("allow")?.split(", ").sort()]).toEqual([405, [...takes]]);
      if (method !== "HEAD") expect((await problemOf(answer)).code).toBe("route.method");
    }
    expect(opened.calls).toEqual([]);
  },
);

test("a path below any route is 404, also for HEAD", async () => {
  expect((await opened.ask("/v1/casestudies/semantic/more", { key })).status).toBe(404);
  expect((await opened.ask("/v1/casestudies/semantic/more", { key, method: "HEAD" })).status).toBe(404);
});
