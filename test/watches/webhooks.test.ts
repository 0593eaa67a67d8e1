import { describe, expect, test } from "bun:test";
import type { Attempt } from "../../src/watches/repository.ts";
import { storeWithClock } from "../casestudies/study-examples.ts";

const URL = "https://hooks.acme.test/casefile";
const WEBHOOK = { id: "wh_1", url: URL, secret: "whsec_one" };
const message = (id: string, webhook = "wh_1") => ({ id, webhook, type: "domain.tools_changed", body: '{"a":1}' });
const attempt = (more: Partial<Attempt>): Attempt => ({
  ...{ attempts: 1, state: "waiting", status: 500, error: "The endpoint answered 500.", retryInSeconds: 5 },
  ...more,
});

async function withWebhook(...ids: string[]) {
  const opened = await storeWithClock();
  await opened.webhooks.add(WEBHOOK, 3);
  await opened.webhooks.enqueue(ids.map((id) => message(id)));
  const claim = () => opened.webhooks.claim(["webhook"], 60);
  const listed = async () => (await opened.webhooks.listDeliveries({}, { limit: 20 })).deliveries;
  return { ...opened, claim, listed };
}

describe("a webhook", () => {
  test("is listed without its secret", async () => {
    const { webhooks, clock } = await withWebhook();
    const created_at = clock().toISOString();
    expect(await webhooks.list()).toEqual([
      { id: "wh_1", url: URL, state: "active", created_at, last_success_at: null },
    ]);
  });

  test("is refused beyond the limit", async () => {
    const { webhooks } = await withWebhook();
    expect(await webhooks.add({ ...WEBHOOK, id: "wh_2" }, 1)).toBeUndefined();
    expect(await webhooks.add({ ...WEBHOOK, id: "wh_2" }, 2)).toMatchObject({ id: "wh_2" });
  });

  test("that is removed takes its deliveries with it", async () => {
    const { webhooks, claim, listed } = await withWebhook("msg_1");
    expect(await webhooks.remove("wh_1")).toMatchObject({ id: "wh_1" });
    expect(await webhooks.remove("wh_1")).toBeUndefined();
    expect([await listed(), await claim(), await webhooks.findOutgoing("msg_1")]).toEqual([[], undefined, undefined]);
  });

  test("also signs with its old secret until the grace period ends", async () => {
    const { webhooks, after } = await withWebhook("msg_1");
    const secrets = async () => (await webhooks.findOutgoing("msg_1"))?.secrets;
    expect(await secrets()).toEqual(["whsec_one"]);
    expect(await webhooks.rotate("wh_1", "whsec_two", 60)).toMatchObject({ id: "wh_1" });
    expect(await secrets()).toEqual(["whsec_two", "whsec_one"]);
    after(60);
    expect(await secrets()).toEqual(["whsec_two"]);
    expect(await webhooks.rotate("nobody", "x", 60)).toBeUndefined();
  });
});

describe("a delivery", () => {
  test("is due at once, again after a failed attempt, and never once it ended", async () => {
    const { webhooks, claim, after, listed, clock } = await withWebhook("msg_1");
    const created_at = clock().toISOString();
    const job = await claim();
    expect(job).toMatchObject({ kind: "webhook", payload: { id: "msg_1" }, attempts: 1 });
    await webhooks.recordAttempt("msg_1", attempt({}));
    await webhooks.done(job!);
    expect(await listed()).toEqual([
      {
        ...{ id: "msg_1", webhook_id: "wh_1", type: "domain.tools_changed", state: "waiting", attempts: 1 },
        ...{ last_status: 500, last_error: "The endpoint answered 500.", created_at },
        next_attempt_at: new Date(clock().getTime() + 5_000).toISOString(),
      },
    ]);
    expect(await claim()).toBeUndefined();
    after(5);
    const again = await claim();
    expect(again).toMatchObject({ payload: { id: "msg_1" }, attempts: 2 });
    const taken = attempt({ attempts: 2, state: "delivered", status: 204, error: null, retryInSeconds: null });
    await webhooks.recordAttempt("msg_1", { ...taken, webhook: "active" });
    await webhooks.done(again!);
    expect(await listed()).toMatchObject([
      { state: "delivered", attempts: 2, last_error: null, next_attempt_at: null },
    ]);
    expect((await webhooks.list())[0]?.last_success_at).toBe(clock().toISOString());
    after(1_000_000);
    expect(await claim()).toBeUndefined();
  });

  test("sets the state of its webhook", async () => {
    const { webhooks } = await withWebhook("msg_1");
    const failed = attempt({ state: "failed", status: 410, retryInSeconds: null, webhook: "disabled" });
    await webhooks.recordAttempt("msg_1", failed);
    expect(await webhooks.list()).toMatchObject([{ state: "disabled", last_success_at: null }]);
  });

  test("with an internal error is tried ten times", async () => {
    const { webhooks, claim, after, listed } = await withWebhook("msg_1");
    const states = [];
    for (let tried = 0; tried < 10; tried++) {
      states.push(await webhooks.failed((await claim())!, "a bug", { waitSeconds: 1 }));
      after(1);
    }
    expect(states).toEqual([...Array(9).fill("waiting"), "dead"]);
    expect(await claim()).toBeUndefined();
    expect(await listed()).toMatchObject([{ state: "failed", last_error: "a bug" }]);
  });

  test("may wait before its first attempt", async () => {
    const { webhooks, claim, after } = await withWebhook();
    await webhooks.enqueue([{ ...message("msg_1"), waitSeconds: 600 }]);
    expect(await claim()).toBeUndefined();
    after(600);
    expect(await claim()).toBeDefined();
  });

  test("waits while its webhook has another in flight, and delays no other webhook", async () => {
    const { webhooks, claim, after } = await withWebhook("msg_1", "msg_2");
    await webhooks.add({ ...WEBHOOK, id: "wh_2" }, 3);
    await webhooks.enqueue([message("msg_3", "wh_2")]);
    const claimed = async () => (await claim())?.payload.id;
    const hanging = await claim();
    expect([hanging?.payload.id, await claimed(), await claimed()]).toEqual(["msg_1", "msg_3", undefined]);
    await webhooks.release(hanging!, 5);
    expect([await claimed(), await claimed()]).toEqual(["msg_2", undefined]);
    after(61);
    expect([await claimed(), await claimed(), await claimed()]).toEqual(["msg_2", "msg_3", undefined]);
  });

  test("is listed newest first, by webhook and state, page by page", async () => {
    const { webhooks } = await withWebhook("msg_1", "msg_2");
    await webhooks.add({ ...WEBHOOK, id: "wh_2" }, 3);
    await webhooks.enqueue([message("msg_3", "wh_2")]);
    await webhooks.recordAttempt("msg_1", attempt({ state: "failed", retryInSeconds: null }));
    const ids = async (filter: Parameters<typeof webhooks.listDeliveries>[0]) =>
      (await webhooks.listDeliveries(filter, { limit: 20 })).deliveries.map(({ id }) => id);
    expect(await ids({})).toEqual(["msg_3", "msg_2", "msg_1"]);
    expect(await ids({ webhook: "wh_1" })).toEqual(["msg_2", "msg_1"]);
    expect(await ids({ webhook: "wh_1", state: "failed" })).toEqual(["msg_1"]);
    const first = await webhooks.listDeliveries({}, { limit: 2 });
    const rest = await webhooks.listDeliveries({}, { limit: 2, cursor: first.next_cursor! });
    expect([first.total, rest.deliveries.map(({ id }) => id), rest.next_cursor]).toEqual([3, ["msg_1"], null]);
  });
});
