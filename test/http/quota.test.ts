import { describe, expect, test } from "bun:test";
import { inDirectory } from "../store/examples.ts";
import { type Opened, open } from "./opened.ts";

const clock = () => new Date("2026-05-04T12:00:00.000Z");
/** From noon of 4 May to the end of the month. */
const LEFT = 27 * 86_400 + 43_200;

const remaining = (answer: Response) => Number(/;r=(\d+);/.exec(answer.headers.get("ratelimit") ?? "")?.[1] ?? NaN);
const enrich = ({ ask }: Opened, key: string, path = "/v1/enrich/brightpine.test", headers = {}) =>
  ask(path, { key, headers });

describe("the quota headers", () => {
  test.each([
    ["200", "/v1/enrich/brightpine.test", 9],
    ["404", "/v1/enrich/missing.test", 10],
    ["422 of a domain", "/v1/enrich/10.0.0.1", 10],
    ["422 of a parameter", "/v1/enrich/brightpine.test?typo=1", 10],
    ["503", "/v1/enrich/silent.test", 10],
    ["500", "/v1/enrich/broken.test", 10],
    ["a stream", "/v1/enrich-stream/brightpine.test", 9],
    ["a refused stream", "/v1/enrich-stream/missing.test", 10],
  ])("are on %s, which counts only if it succeeds", async (_, path, left) => {
    const service = await open({ monthlyLimit: 10, clock });
    const answer = await enrich(service, await service.key(), path);
    expect(answer.headers.get("ratelimit-policy")).toBe('"monthly";q=10;w=2678400');
    expect(answer.headers.get("ratelimit")).toBe(`"monthly";r=${left};t=${LEFT}`);
  });

  test("are absent where no key is required", async () => {
    const { ask } = await open();
    expect((await ask("/v1/stats")).headers.has("ratelimit")).toBe(false);
  });
});

describe("counting", () => {
  test("a 304 does not count", async () => {
    const service = await open({ monthlyLimit: 10 });
    const key = await service.key();
    const etag = (await enrich(service, key)).headers.get("etag") ?? "";
    const again = await enrich(service, key, "/v1/enrich/brightpine.test", { "if-none-match": etag });
    expect([again.status, remaining(again)]).toEqual([304, 9]);
  });

  test("a stream counts one for any number of events", async () => {
    const service = await open({ monthlyLimit: 10 });
    const key = await service.key();
    await (await enrich(service, key, "/v1/enrich-stream/brightpine.test")).text();
    expect(remaining(await enrich(service, key, "/v1/enrich/missing.test"))).toBe(9);
  });

  test("of twenty concurrent requests with five units left exactly five succeed", async () => {
    const service = await open({ monthlyLimit: 5 });
    const key = await service.key();
    const answers = await Promise.all(Array.from({ length: 20 }, () => enrich(service, key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test("above the limit requests are 429 until the next month", async () => {
    const service = await open({ monthlyLimit: 1, clock });
    const key = await service.key();
    await enrich(service, key);
    for (const path of ["/v1/enrich/brightpine.test", "/v1/enrich-stream/brightpine.test"]) {
      const answer = await enrich(service, key, path);
      expect(answer.status).toBe(429);
      expect(answer.headers.get("retry-after")).toBe(String(LEFT));
      expect(answer.headers.get("ratelimit")).toBe(`"monthly";r=0;t=${LEFT}`);
      expect(await answer.json()).toMatchObject({ code: "quota.exceeded", status: 429 });
    }
    expect(service.calls).toHaveLength(1);
  });

  test("a refused request does not use the last unit", async () => {
    const service = await open({ monthlyLimit: 1 });
    const key = await service.key();
    for (const path of ["missing.test", "broken.test", "10.0.0.1"]) await enrich(service, key, `/v1/enrich/${path}`);
    expect((await enrich(service, key)).status).toBe(200);
  });

  test("keys are counted separately", async () => {
    const service = await open({ monthlyLimit: 1 });
    const [one, two] = [await service.key("one@brightpine.test"), await service.key("two@brightpine.test")];
    await enrich(service, one);
    expect((await enrich(service, two)).status).toBe(200);
  });

  test("usage survives a restart", async () => {
    await inDirectory(async (dataDir) => {
      const before = await open({ dataDir, monthlyLimit: 3 });
      const key = await before.key();
      await enrich(before, key);
      await enrich(before, key);
      await before.app.close();
      const after = await open({ dataDir, monthlyLimit: 3 });
      expect(remaining(await enrich(after, key))).toBe(0);
      expect((await enrich(after, key)).status).toBe(429);
      await after.app.close();
    });
  });
});
