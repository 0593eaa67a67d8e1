import { describe, expect, test } from "bun:test";
import { openStore } from "../../../src/store.ts";
import { reportOf } from "../../store/examples.ts";

const START = Date.parse("2026-05-04T12:00:00.000Z");

async function open() {
  let minute = 0;
  return await openStore({ dataDir: ":memory:", clock: () => new Date(START + 60_000 * minute++) });
}
const report = (domain: string, rules: readonly string[], note: string | null = null) => ({
  domain,
  tool_id: "widget",
  tool: "Widget",
  rules,
  note,
});

describe("a false-positive report", () => {
  test("is returned by its domain until it is withdrawn", async () => {
    const { feedback } = await open();
    const kept = await feedback.save(report("acme.example", ["widget/loader"], "left over"));
    expect(await feedback.ofDomain("acme.example")).toEqual([kept]);
    expect(await feedback.ofDomain("other.example")).toEqual([]);
    expect(await feedback.delete("acme.example", "widget")).toEqual(kept);
    expect(await feedback.delete("acme.example", "widget")).toBeUndefined();
    expect(await feedback.ofDomain("acme.example")).toEqual([]);
  });

  test("that is repeated adds its rules and keeps the note", async () => {
    const { feedback } = await open();
    await feedback.save(report("acme.example", ["widget/loader"], "left over"));
    const again = await feedback.save(report("acme.example", ["widget/cookie", "widget/loader"]));
    expect(again).toMatchObject({ rules: ["widget/cookie", "widget/loader"], note: "left over" });
    expect(await feedback.ofDomain("acme.example")).toEqual([again]);
  });

  test("is listed once, newest first, page by page", async () => {
    const { feedback } = await open();
    for (const domain of ["a.example", "b.example", "c.example"])
      await feedback.save(report(domain, ["widget/loader"]));
    const first = await feedback.list({ limit: 2 });
    expect(first.feedback.map(({ domain }) => domain)).toEqual(["c.example", "b.example"]);
    expect(first.total).toBe(3);
    const second = await feedback.list({ limit: 2, cursor: first.next_cursor ?? "" });
    expect(second.feedback.map(({ domain }) => domain)).toEqual(["a.example"]);
    expect(second.next_cursor).toBeNull();
  });
});

test("lists the domains that have a tool, most recently detected first", async () => {
  const { scans } = await open();
  await scans.save({ domain: "a.example", report: reportOf("2026-05-01T00:00:00.000Z", "widget") });
  await scans.save({ domain: "b.example", report: reportOf("2026-05-02T00:00:00.000Z", "widget") });
  await scans.save({ domain: "c.example", report: reportOf("2026-05-03T00:00:00.000Z", "other") });
  expect(await scans.domainsWith("widget", 5)).toEqual({ domains: ["b.example", "a.example"], total: 2 });
  expect(await scans.domainsWith("widget", 1)).toEqual({ domains: ["b.example"], total: 2 });
});
