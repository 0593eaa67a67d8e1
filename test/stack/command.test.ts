import { expect, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import { run } from "../cli/fake-host.ts";
import { openFakeApp } from "../services/fake-app.ts";

const AT = (day: number) => `2026-05-0${day}T08:00:00.000Z`;
const gadget = { tool_id: "gadget", tool: "Gadget", category: "Analytics", confidence: 0.9 };

async function command(argv: string[]) {
  const app = await openFakeApp({});
  const { stack } = app;
  return await run(argv, {
    app: {
      ...app,
      stack: {
        ...stack,
        history: async () => ({
          domain: "acme.test",
          ...{ first_scanned_at: AT(1), last_scanned_at: AT(1), observations: 1 },
          tools: [
            {
              ...gadget,
              state: "in_use",
              intervals: [
                { first_seen: AT(3), last_seen: AT(3), absent_before: AT(1), missing_since: null, gone_at: null },
              ],
            },
          ],
          changes: [{ ...gadget, change: "appeared", evidence: "html.script x", previous_at: AT(1), at: AT(3) }],
        }),
        async tool(name) {
          throw new Failure("tool.not_found", `Unknown tool "${name}": list the tools to find its id or name.`);
        },
      },
    },
  });
}

test("a history shows a day once, the time of a change as a span, and what the dates limit", async () => {
  const { out } = await command(["history", "acme.test", "--since", "2026-05-02"]);
  expect(out).toContain("acme.test: 1 scan or recording, 2026-05-01\n");
  expect(out).toContain("The changes are those since 2026-05-02;");
  expect(out).toMatch(/Gadget +Analytics +in use +2026-05-03\n/);
  expect(out).toContain("between 2026-05-01 and 2026-05-03");
});

test("an unknown tool among several suggests quotes and the command that finds tools", async () => {
  const { code, err } = await command(["who-uses", "google", "analytics"]);
  expect([code, err]).toEqual([
    1,
    'casefile: Unknown tool "google": find its id or name with `casefile tools TEXT`. A name with spaces needs quotes: "google analytics".\n',
  ]);
});
