import { describe, expect, test } from "bun:test";
import { managed } from "../../http/managed.ts";
import { jsonOf, problemOf } from "../../http/opened.ts";
import { scannedStore } from "../../services/scanned-store.ts";

const opened = async () => managed({ store: await scannedStore() });

describe("the tools that can be detected", () => {
  test("are listed by name, page by page, and searched by a part of the name", async () => {
    const { manage } = await opened();
    const first = await jsonOf(await manage("/admin/fingerprints?limit=1"));
    expect(first).toEqual({
      fingerprints: [{ id: "gadget", name: "Gadget", category: "Analytics", rules: 0, own: false }],
      total: 2,
      next_cursor: expect.any(String),
    });
    const rest = await jsonOf(await manage(`/admin/fingerprints?limit=1&cursor=${first.next_cursor}`));
    expect([rest.fingerprints[0].id, rest.next_cursor]).toEqual(["widget", null]);
    expect((await jsonOf(await manage("/admin/fingerprints?q=WIDG"))).total).toBe(1);
    expect((await problemOf(await manage("/admin/fingerprints?cursor=x"))).code).toBe("cursor.invalid");
  });

  test("are explained by id or name, with the newest scans that detected them", async () => {
    const { manage, app } = await opened();
    const reported = await jsonOf(await manage("/admin/fingerprints/Widget"));
    expect(reported).toEqual({ ...(await app.fingerprints.explain("widget")) });
    expect(reported).toMatchObject({ id: "widget", domains: 1, latest: [{ domain: "acme.test", confidence: 0.9 }] });
    expect(await problemOf(await manage("/admin/fingerprints/nobody"))).toMatchObject({
      status: 404,
      code: "tool.not_found",
    });
  });

  test("unmatched signals are listed by kind", async () => {
    const { manage } = await opened();
    const { unknown } = await jsonOf(await manage("/admin/fingerprints/unknown?kind=script"));
    expect(unknown).toEqual([
      {
        ...{ kind: "script", value: "stranger.test", example: "cdn.stranger.test" },
        ...{ companies: 1, domain: "acme.test", last_seen: "2026-05-04T12:00:00.000Z" },
      },
    ]);
    expect((await jsonOf(await manage("/admin/fingerprints/unknown"))).unknown).toHaveLength(2);
  });

  test.each(["/admin/fingerprints", "/admin/fingerprints/widget", "/admin/fingerprints/unknown", "/admin/sources"])(
    "%s needs the operator's token",
    async (path) => {
      const { ask } = await opened();
      expect((await problemOf(await ask(path))).code).toBe("operator.invalid");
    },
  );
});
