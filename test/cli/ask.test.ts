import { expect, test } from "bun:test";
import { openFakeApp } from "../services/fake-app.ts";
import { fill } from "../services/study-records.ts";
import { run } from "./fake-host.ts";

async function asked(...argv: string[]) {
  const app = await openFakeApp({ clock: () => new Date("2026-05-04T12:00:00.000Z") });
  await fill(app);
  return await run(["ask", ...argv], { app });
}

test("ask cites sentences under what they claim, with figure, client, vendor and address", async () => {
  const { code, out, err } = await asked("fuel", "cost", "of", "parcels", "--company", "tidewell");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(
    [
      "Cost",
      "   [1] A parcel carrier plans its routes every night. 18% lower fuel cost.",
      "   cost: −18%",
      "   Brightpine, by Tidewell  https://tidewell.example/customers/brightpine",
    ].join("\n"),
  );
});

test("ask --json prints what the service answers", async () => {
  const { out } = await asked("fuel cost", "--json");
  const { query, groups } = JSON.parse(out);
  expect(query).toBe("fuel cost");
  expect(groups[0].citations[0]).toMatchObject({ id: "tidewell-brightpine", figure: { text: "−18%" } });
});

test("ask says what is wrong with a filter", async () => {
  const { code, err } = await asked("cost", "--company", "tidwell");
  expect(code).not.toBe(0);
  expect(err).toContain('No company has the slug "tidwell": did you mean tidewell?');
});
