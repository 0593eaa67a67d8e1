import { expect, test } from "bun:test";
import { run } from "../cli/fake-host.ts";
import { openFakeApp } from "../services/fake-app.ts";
import { fill } from "../services/study-records.ts";

test("proof, brief, gaps and rivals print text, JSON or a file", async () => {
  const app = await openFakeApp({ clock: () => new Date("2026-05-04T12:00:00.000Z") });
  await fill(app);
  const command = (...argv: readonly string[]) => run(argv, { app });
  const { out } = await command(
    "proof",
    "meridian.test",
    "--vendor",
    "tidewell",
    "--industry",
    "banking",
    "--limit",
    "1",
  );
  expect(out.split("\n")).toEqual([
    "meridian.test: 3 tools, Financial Services",
    "",
    "0.50  Tidewell for Northgate Savings: Northgate Savings leaves its mainframe",
    "      https://tidewell.example/customers/northgate",
    expect.stringContaining("The client is in the same industry: Financial Services."),
    "",
    expect.stringContaining("3 excluded: "),
    expect.stringContaining("2 excluded: "),
    expect.stringContaining("1 excluded: "),
    expect.stringContaining("Score 0 to 1: "),
    expect.any(String),
    "",
  ]);
  const json = await command("proof", "meridian.test", "--industry", "banking", "--limit", "2", "--json");
  expect(JSON.parse(json.out).proofs).toHaveLength(2);
  const brief = await command("brief", "meridian.test", "--industry", "banking");
  expect(brief.out).toStartWith("# meridian.test\n\n## Summary\n\n- meridian.test: 3 tools detected");
  const html = await command("brief", "meridian.test", "--format", "html", "--output", "brief.html");
  expect(html.out).toBe("");
  expect(html.written.get("brief.html")).toStartWith("<!doctype html>");
  expect((await command("gaps", "meridian.test")).out).toBe(
    "The company's industry is not known: give it, such as --industry software.\n",
  );
  expect((await command("gaps", "meridian.test", "--industry", "banking")).out).toContain(
    "No other company of this industry has a stored result",
  );
  expect((await command("rivals", "tidewell")).out).toStartWith("Tidewell: ");
  expect((await command("proof", "meridian.test", "--vendor", "nobody")).code).toBe(1);
  expect((await command("proof", "meridian.test", "--max-age", "soon")).code).toBe(2);
  await app.close();
});
