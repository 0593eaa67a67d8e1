import { describe, expect, test } from "bun:test";
import { managed } from "../../http/managed.ts";
import { jsonOf, problemOf } from "../../http/opened.ts";
import { scannedStore } from "../../services/scanned-store.ts";

const NOW = "2026-05-04T12:00:00.000Z";
const WRONG = { domain: "https://www.Acme.test/x", tool: "widget", note: " a left-over tag " };
const REPORT = {
  domain: "acme.test",
  tool_id: "widget",
  tool: "Widget",
  rules: ["widget/loader"],
  note: "a left-over tag",
  reported_at: NOW,
};
const opened = async () => managed({ store: await scannedStore() });
const report = (service: Awaited<ReturnType<typeof opened>>, json: unknown) =>
  service.manage("/admin/feedback", { method: "POST", json });

describe("a false-positive report", () => {
  test("is answered with the suppressed rules, and listed", async () => {
    const service = await opened();
    const answer = await report(service, WRONG);
    expect(answer.status).toBe(200);
    expect(await jsonOf(answer)).toEqual(REPORT);
    expect(await jsonOf(await service.manage("/admin/feedback"))).toEqual({
      feedback: [REPORT],
      total: 1,
      next_cursor: null,
    });
  });

  test("is withdrawn once", async () => {
    const service = await opened();
    await report(service, WRONG);
    const taken = await service.manage("/admin/feedback/acme.test/Widget", { method: "DELETE" });
    expect([taken.status, await jsonOf(taken)]).toEqual([200, REPORT]);
    const again = await service.manage("/admin/feedback/acme.test/Widget", { method: "DELETE" });
    expect((await problemOf(again)).code).toBe("feedback.not_found");
    expect((await jsonOf(await service.manage("/admin/feedback"))).total).toBe(0);
  });

  test.each([
    [{ ...WRONG, tool: "Nobody's" }, 404, "tool.not_found"],
    [{ ...WRONG, tool: "Gadget" }, 404, "feedback.not_found"],
    [{ ...WRONG, domain: "other.test" }, 404, "feedback.not_found"],
    [{ ...WRONG, domain: "192.0.2.7" }, 422, "domain.invalid"],
    [{ domain: "acme.test" }, 422, "request.invalid"],
    [{ ...WRONG, rule: "x" }, 422, "request.invalid"],
    [{ ...WRONG, note: "x".repeat(1_001) }, 422, "request.invalid"],
  ])("%j is refused with %i %s", async (json, status, code) => {
    const answer = await report(await opened(), json);
    expect([answer.status, (await problemOf(answer)).code]).toEqual([status, code]);
  });

  test.each([
    ["GET", "/admin/feedback"],
    ["POST", "/admin/feedback"],
    ["DELETE", "/admin/feedback/acme.test/widget"],
  ])("needs the operator's token: %s %s", async (method, path) => {
    const { ask } = await opened();
    expect((await problemOf(await ask(path, { method, ...(method === "POST" ? { json: WRONG } : {}) }))).code).toBe(
      "operator.invalid",
    );
  });
});
