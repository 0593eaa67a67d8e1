import { expect, test } from "bun:test";
import type { ToolChange } from "../../src/detection/compare.ts";
import { changesMessage, testMessage } from "../../src/watches/webhooks.ts";

const AT = "2026-05-04T12:00:00.000Z";
const changeOf = (change: ToolChange["change"], number: number): ToolChange => ({
  ...{ change, tool_id: `tool-${number}`, tool: `Tool ${number}`, category: "Analytics", confidence: 0.9 },
  evidence: `html.script ${"x".repeat(180)}`,
});

test("a message has at most a hundred tools of each kind, and counts the omitted ones", () => {
  const numbers = Array.from({ length: 150 }, (_, number) => number);
  const changes = [
    ...numbers.map((number) => changeOf("appeared", number)),
    ...numbers.slice(0, 120).map((number) => changeOf("disappeared", number)),
  ];
  const body = changesMessage("acme.test", AT, { changes, toolsDetected: 160 });
  const { data } = JSON.parse(body);
  expect([data.appeared.length, data.disappeared.length, data.omitted]).toEqual([100, 100, 70]);
  expect(data.appeared[0]).toEqual({
    ...{ tool_id: "tool-0", tool: "Tool 0", category: "Analytics", confidence: 0.9 },
    evidence: `html.script ${"x".repeat(180)}`,
  });
  expect(body.length).toBeLessThan(80_000);
});

test("a test message has its own type", () => {
  expect(JSON.parse(testMessage(new Date(AT)))).toEqual({ type: "webhook.test", timestamp: AT, data: {} });
});
