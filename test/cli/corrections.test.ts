import { describe, expect, test } from "bun:test";
import { managed } from "../http/managed.ts";
import { fill, RECORDS } from "../services/study-records.ts";
import { run } from "./fake-host.ts";

/** One installation with seven case studies, and requests to its API. */
async function installation() {
  const { app, manage } = await managed();
  await fill(app, [{ ...RECORDS[0], origin: "submitted" }, ...RECORDS.slice(1)]);
  return { app, manage, command: (...argv: string[]) => run(argv, { app }) };
}

describe("studies", () => {
  test("those to review are listed, and --json equals the API response", async () => {
    const { app, manage, command } = await installation();
    await app.caseStudies.correct("tidewell-northgate", { country: "SE" });
    const filter = ["--company", "tidewell", "--industry", "banking", "--corrected", "yes"];
    const { code, out, err } = await command("studies", "review", ...filter, "--order", "newest");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      /^ID +FIELD +CONFIDENCE +CORRECTED +TITLE\ntidewell-northgate +country +Northgate Savings leaves/,
    );
    expect(out).toEndWith("\n1 of 1\n");
    const path = "/admin/casestudies?order=newest&limit=2";
    const json = await command("studies", "review", "--order", "newest", "--limit", "2", "--json");
    expect(json.out).toBe(`${await (await manage(path)).text()}\n`);
    const { next_cursor } = JSON.parse(json.out);
    const next = await command("studies", "review", "--order", "newest", "--limit", "2", "--cursor", next_cursor);
    expect(next.out).toContain("2 of 7; next page: --cursor ");
    expect((await command("studies", "review", "--company", "nobody")).err).toContain(
      `No company has the slug "nobody"`,
    );
    expect((await command("studies", "review", "--order", "oldest")).code).toBe(2);
  });

  test("one is shown with its provenance", async () => {
    const { app, command } = await installation();
    await app.caseStudies.correct("tidewell-northgate", { country: "SE" });
    const { code, out, err } = await command("studies", "show", "tidewell-northgate");
    expect(out.replace(/12:\d\d/g, "12:00")).toBe(
      [
        "ID         tidewell-northgate",
        "Title      Northgate Savings leaves its mainframe",
        "Address    https://tidewell.example/customers/northgate",
        "Company    Tidewell (tidewell)",
        "Client     Northgate Savings (northgate.example)",
        "Industry   Financial Services",
        "Country    SE",
        "Date       2024-03-05",
        "Language   en",
        "Products   Tidewell Ledger",
        "Tools      PostgreSQL",
        "Summary    A savings bank moved its ledger from a mainframe to the cloud.",
        "Challenge  The mainframe could not keep up with card payments.",
        "Solution   The ledger moved table by table over one winter.",
        "Quote      “We sleep again.” Ida Berg, CTO",
        "Origin     submitted",
        "Indexed    not yet",
        "Corrected  country",
        "Versions   1 until 2026-05-04 12:00 UTC",
        "",
        "Outcomes:",
        "  • 42% lower hosting cost (cost)",
        "  • Replies within 120 ms (latency)",
        "",
        "FIELD     SOURCE    CONFIDENCE  SENTENCE",
        "/country  operator  100%",
        "",
      ].join("\n"),
    );
    expect([code, err]).toEqual([0, ""]);
  });

  test("--json equals the API response", async () => {
    const { manage, command } = await installation();
    const path = "/admin/casestudies/tidewell-northgate";
    const show = async () => (await command("studies", "show", "tidewell-northgate", "--json")).out;
    expect(await show()).toBe(`${await (await manage(path)).text()}\n`);
    const { out } = await command("studies", "correct", "tidewell-northgate", "--set", 'title="A"', "--json");
    expect(out).toBe(`${await (await manage(path)).text()}\n`);
  });

  test("several fields are corrected at once", async () => {
    const { app, command } = await installation();
    const quote = '{"text":"We sleep.","person":null,"role":null}';
    const { code, out, left } = await command(
      ...["studies", "correct", "tidewell-northgate", "--set", `quote=${quote}`, "--set", "solution=null"],
    );
    expect([code, out, left]).toEqual([0, "quote, solution of tidewell-northgate corrected.\n", 0]);
    expect(await app.caseStudies.get("tidewell-northgate")).toMatchObject({
      quote: JSON.parse(quote),
      solution: null,
    });
  });

  test("a correction is removed only once", async () => {
    const { app, command } = await installation();
    await app.caseStudies.correct("tidewell-northgate", { country: "SE" });
    const { code, out } = await command("studies", "take-back", "tidewell-northgate", "country");
    expect([code, out]).toEqual([0, "Correction of country of tidewell-northgate removed.\n"]);
    expect((await app.caseStudies.get("tidewell-northgate")).country).toBe("NO");
    expect((await command("studies", "take-back", "tidewell-northgate", "country")).code).toBe(1);
  });

  test("a case study is removed", async () => {
    const { app, command } = await installation();
    expect(await command("studies", "remove", "tidewell-northgate")).toMatchObject({ code: 0, out: "Removed.\n" });
    expect((await app.caseStudies.list({})).total).toBe(6);
    expect((await command("studies", "show", "tidewell-northgate")).code).toBe(1);
  });

  test.each([
    [["studies"], 2, "Commands:"],
    [["studies", "shw", "x"], 2, "(Did you mean show?)"],
    [["studies", "correct", "tidewell-northgate"], 2, "--set <field=JSON>"],
    [["studies", "correct", "tidewell-northgate", "--set", "country"], 2, "FIELD=JSON"],
    [["studies", "correct", "tidewell-northgate", "--set", "country=NO"], 2, "The value after country= must be JSON"],
    [["studies", "correct", "tidewell-northgate", "--set", "country=1", "--set", "country=2"], 2, "Give country once."],
    [["studies", "correct", "tidewell-northgate", "--set", 'country="Nowhere"'], 2, "/country: "],
    [["studies", "correct", "tidewell-northgate", "--set", 'indexed_at="x"'], 2, "/indexed_at: "],
    [["studies", "correct", "nowhere", "--set", "country=null"], 1, 'No case study has the id "nowhere"; search'],
    [["studies", "remove", "nowhere"], 1, 'No case study has the id "nowhere"; search'],
  ])("%p exits with %d", async (argv, expected, advice) => {
    const { command } = await installation();
    const { code, out, err, left } = await command(...argv);
    expect(err).toContain(advice);
    expect([code, out, left]).toEqual([expected, "", 0]);
  });
});

describe("companies", () => {
  test("are edited", async () => {
    const { app, command } = await installation();
    const argv = ["--name", "Tidewell Group", "--slug", "tidewell-group", "--domain", "", "--industry", "Banking"];
    const { code, out } = await command("companies", "edit", "tidewell", ...argv, "--logo-url", "");
    expect([code, out.split("\n")[1]]).toEqual([0, "tidewell-group  Tidewell Group          Financial Services  4"]);
    expect(await app.companies.get("tidewell-group")).toMatchObject({ domain: null, logo_url: null });
  });

  test("are merged, and --json prints the remaining one", async () => {
    const { app, command } = await installation();
    const { out } = await command("companies", "merge", "tidewell", "quayline", "--json");
    expect(JSON.parse(out)).toMatchObject({ slug: "quayline", total_case_studies: 6 });
    expect((await app.companies.find({})).total).toBe(2);
  });

  test("are found by a query that equals a command name", async () => {
    const { command } = await installation();
    expect((await command("companies", "list", "--q", "merge")).out).toBe(
      'No company matches "merge". List all companies: casefile companies\n',
    );
    expect((await command("companies", "list", "--q", "quayline")).out).toContain("quayline.example");
    expect((await command("companies", "list", "quayline")).out).toContain("quayline.example");
  });

  test("are listed page by page", async () => {
    const { command } = await installation();
    const { out } = await command("companies", "--limit", "2");
    const cursor = /^2 of 3; next page: --cursor (\S+)\n$/m.exec(out)?.[1] ?? "";
    expect((await command("companies", "--limit", "2", "--cursor", cursor)).out).toContain("tidewell");
  });

  test.each([
    [["edit", "tidewell"], 2, "give --name, --slug, --domain, --industry or --logo-url"],
    [["edit", "tidewell", "--slug", "quayline"], 1, "merge the two instead"],
    [["edit", "tidewell", "--slug", "No slug"], 2, "/slug: "],
    [
      ["edit", "nowhere", "--name", "A"],
      1,
      'No company has the slug "nowhere": find it with `casefile companies TEXT`.',
    ],
    [["edit", "tidewel", "--name", "A"], 1, 'casefile: No company has the slug "tidewel": did you mean tidewell?\n'],
    [["merge", "tidewell", "quaylin"], 1, 'casefile: No company has the slug "quaylin": did you mean quayline?\n'],
    [["merge", "tidewell"], 2, "missing required argument 'into'"],
    [["merge", "tidewell", "tidewell"], 1, "Name two different companies"],
    [["list", "a", "--q", "b"], 2, "give the query once"],
  ])("%p exits with %d", async (argv, expected, advice) => {
    const { command } = await installation();
    const { code, out, err, left } = await command("companies", ...argv);
    expect(err).toContain(advice);
    expect([code, out, left]).toEqual([expected, "", 0]);
  });
});
