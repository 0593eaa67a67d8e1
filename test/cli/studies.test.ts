import { describe, expect, test } from "bun:test";
import type { Services } from "../../src/compose.ts";
import { filled } from "../http/filled.ts";
import { openFakeApp } from "../services/fake-app.ts";
import { fill, linesOf, NEWEST_FIRST, RECORDS } from "../services/study-records.ts";
import { run, type Surroundings } from "./fake-host.ts";

/** One installation for all commands of a test. */
async function installation(app?: Services) {
  const own = app ?? (await openFakeApp({ clock: () => new Date("2026-05-04T12:00:00.000Z") }));
  const command = (argv: readonly string[], rest: Surroundings = {}) => run(argv, { app: own, ...rest });
  return { app: own, command };
}

const idsOf = (results: readonly { id: string }[]) => results.map(({ id }) => id);

/** What an import of the invented case studies reports. */
const UNKNOWN = '1 record: the industry "Zymurgy" is not in the taxonomy; it is kept as written.\n';

describe("search", () => {
  test("shows vendor, client, outcome, matching sentences and id", async () => {
    const { app, command } = await installation();
    await fill(app);
    const { code, out, err, left } = await command(["search", "bank that left its mainframe", "--limit", "2"]);
    expect(out).toBe(
      [
        "1. Northgate Savings leaves its mainframe",
        "   Tidewell, for Northgate Savings, Financial Services, 2024-03-05",
        "   A savings bank moved its ledger from a mainframe to the cloud.",
        "   • 42% lower hosting cost",
        "   • Replies within 120 ms",
        "   https://tidewell.example/customers/northgate  id tidewell-northgate",
        "",
        "2. Kestrel Bank answers customers at night",
        "   Quayline, for Kestrel Bank, Financial Services, 2024-06-30",
        "   A support desk of a bank learned to answer questions at night.",
        "   https://quayline.example/stories/kestrel  id quayline-kestrel",
        "",
      ].join("\n"),
    );
    expect([code, err, left]).toEqual([0, "", 0]);
  });

  test("joins its arguments into one query, with or without quotes", async () => {
    const { app, command } = await installation();
    await fill(app);
    const quoted = await command(["search", "bank that left its mainframe", "--limit", "2"]);
    expect(await command(["search", "bank", "that", "--limit", "2", "left", "its", "mainframe"])).toEqual(quoted);
    expect(JSON.parse((await command(["search", "a", "b", "--json"])).out).query).toBe("a b");
  });

  test.each([
    [["--company", "nobody"], 'No company has the slug "nobody": find it with `casefile companies TEXT`.'],
    [["--company", "tidwell"], 'No company has the slug "tidwell": did you mean tidewell?'],
    [
      ["--industry", "zeppelin"],
      'Unknown industry "zeppelin": use a name such as Financial Services, Education, Healthcare.',
    ],
    [
      ["--company", "tidewell", "--industry", "finacial"],
      'Unknown industry "finacial": did you mean Financial Services?',
    ],
  ])("an unknown name in a filter is an error: %j", async (filter, message) => {
    const { app, command } = await installation();
    await fill(app);
    const { code, out, err } = await command(["search", "bank", ...filter]);
    expect([code, out, err]).toEqual([1, "", `casefile: ${message}\n`]);
  });

  test("an unknown country is an error with the nearest name, for search and ask", async () => {
    const { app, command } = await installation();
    await fill(app);
    for (const name of ["search", "ask"]) {
      const { code, out, err } = await command([name, "bank", "--country", "Norwey"]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain('Unknown country "Norwey": did you mean Norway?');
    }
    const { out } = await command(["search", "bank", "--country", "norway", "--json"]);
    const countries = JSON.parse(out).results.map(({ country }: { country: string | null }) => country);
    expect(countries).toContain("NO");
    expect(new Set(countries).size).toBe(1);
  });

  test("--tool limits search and ask to the case studies that name it", async () => {
    const { app, command } = await installation();
    await fill(app);
    const outputOf = async (name: string) =>
      JSON.parse((await command([name, "a bank", "--tool", "postgresql", "--json"])).out);
    expect((await outputOf("search")).results.map(({ id }: { id: string }) => id)).toEqual(["tidewell-northgate"]);
    const cited = (await outputOf("ask")).groups.flatMap(({ citations }: { citations: { id: string }[] }) => citations);
    expect(new Set(cited.map(({ id }: { id: string }) => id))).toEqual(new Set(["tidewell-northgate"]));
  });

  test("without results says what to try", async () => {
    const { app, command } = await installation();
    await fill(app);
    const { out } = await command(["search", "bank", "--company", "Tidewell", "--industry", "hospital"]);
    expect(out).toBe("No case studies found. Try other words or fewer filters.\n");
  });

  test("--json equals the API response", async () => {
    const { app, get } = await filled();
    const { command } = await installation(app);
    const body = { query: "a savings bank", industry: "banking", company: "tidewell", limit: 3, mode: "semantic" };
    const answer = await (await get("/v1/casestudies/semantic", { json: body })).text();
    const argv = ["search", " a savings bank ", "--json", "--industry", "banking", "--company", "tidewell"];
    expect((await command([...argv, "--limit", "3", "--mode", "semantic"])).out).toBe(`${answer}\n`);
    const plain = await (await get("/v1/casestudies/semantic", { json: { query: "night" } })).text();
    expect((await command(["search", "night", "--json"])).out).toBe(`${plain}\n`);
  });

  test("highlights the terms on a colour terminal, and wraps to its width", async () => {
    const { app, command } = await installation();
    await fill(app);
    const { out } = await command(["search", "mainframe", "--limit", "1"], { host: { colour: true, columns: 40 } });
    expect(out).toContain("\u001b[1mmainframe\u001b[22m");
    const widths = out.split("\n").filter((line) => !line.includes("https:") && !line.startsWith("1. "));
    for (const line of widths) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(68);
  });

  test("control characters in case studies are escaped", async () => {
    const { app, command } = await installation();
    const words = "Barrels \u001b[2J and \u202e kegs";
    await fill(app, [{ title: words, url: "https://tidewell.example/x", company: words, summary: `${words}.` }]);
    for (const argv of [["search", "barrels"], ["companies"], ["search", "barrels", "--json"]]) {
      const { out } = await command(argv);
      expect(out).toContain("Barrels");
      expect(out).not.toMatch(/[\u001b\u202e]/);
    }
  });

  test("in an empty installation says that nothing was found", async () => {
    const { command } = await installation();
    expect(await command(["search", "anything"])).toMatchObject({
      code: 0,
      out: "No case studies found. Try other words or fewer filters.\n",
      err: "",
    });
    expect((await command(["search", "anything", "--json"])).out).toBe('{"query":"anything","results":[]}\n');
  });

  test.each([
    [["search"], "missing required argument 'query'"],
    [["search", "a", "--limit", "0"], "Give a whole number from 1 to 50."],
    [["search", "a", "--limit", "51"], "Give a whole number from 1 to 50."],
    [["search", "a", "--limit", "2.5"], "Give a whole number from 1 to 50."],
    [["search", "a", "--mode", "fuzzy"], "hybrid, semantic, keyword"],
    [["search", "  "], '/query: Invalid query "": give 1 to 1,000 characters.'],
    [["search", "a".repeat(1_001)], `/query: Invalid query "${"a".repeat(119)}…": give 1 to 1,000 characters.`],
  ])("%p exits with 2", async (argv, advice) => {
    const { command } = await installation();
    const { code, out, err, left } = await command(argv);
    expect(err).toContain(advice);
    expect([code, out, left]).toEqual([2, "", 0]);
  });
});

describe("import", () => {
  test("imports valid lines, reports invalid ones, and search finds the imported ones", async () => {
    const { command } = await installation();
    const bad = '{"title":"No address","company":"Tidewell"}\nno JSON at all\n\n';
    const files = { "s.jsonl": `${linesOf(RECORDS.slice(0, 2))}${bad}${linesOf(RECORDS.slice(2))}` };
    const { code, out, err, left } = await command(["import", "s.jsonl"], { files });
    expect(out).toMatch(/^9 read in (?:\d+ ms|\d+\.\d s): 7 added, 0 updated, 0 unchanged, 0 duplicates, 2 invalid\n$/);
    expect(err).toBe(
      `line 3: The URL of the original is missing.\nline 4: The line is not valid JSON. Put each record on one line.\n${UNKNOWN}`,
    );
    expect([code, left]).toEqual([0, 0]);
    const { results } = JSON.parse((await command(["search", "tablets", "--json", "--mode", "keyword"])).out);
    expect(idsOf(results)).toEqual(["quarrystone-larkfield"]);
    const again = await command(["import", "s.jsonl"], { files });
    expect(again.out).toContain("0 added, 0 updated, 7 unchanged, 0 duplicates, 2 invalid");
  });

  test("--json prints the summary", async () => {
    const { command } = await installation();
    const files = { "-": `${linesOf(RECORDS)}nonsense\n` };
    const { code, out } = await command(["import", "-", "--json"], { files });
    expect(JSON.parse(out)).toEqual({
      read: 8,
      added: 7,
      updated: 0,
      unchanged: 0,
      duplicate: 0,
      duplicates: [],
      bad_lines: 1,
      bad: [{ line: 8, reason: "The line is not valid JSON. Put each record on one line." }],
      left_out_fields: 0,
      left_out: [],
      ...{ kept_fields: 0, kept: {}, replaced_fields: 0, replaced: {}, removed_fields: 0, removed: {} },
      unknown_industries: { Zymurgy: 1 },
      seconds: expect.any(Number),
    });
    expect(code).toBe(0);
  });

  test("shows twenty invalid lines and the number of the rest", async () => {
    const { command } = await installation();
    const files = { "s.jsonl": `${linesOf(RECORDS)}${"{}\n".repeat(25)}` };
    const { err } = await command(["import", "s.jsonl"], { files });
    expect(err.trimEnd().split("\n")).toHaveLength(22);
    expect(err).toEndWith(`… and 5 more invalid lines; --json lists them.\n${UNKNOWN}`);
    const { out } = await command(["import", "s.jsonl", "--json"], { files });
    expect(JSON.parse(out).bad).toHaveLength(25);
  });

  test("draws progress only on a terminal, and clears it", async () => {
    const { command } = await installation();
    const files = { "s.jsonl": linesOf(RECORDS) };
    const { err, out } = await command(["import", "s.jsonl"], { files, host: { interactive: true } });
    expect(err).toStartWith("\r\u001b[2K7 read …");
    expect(err).toEndWith(`\r\u001b[2K${UNKNOWN}`);
    expect(out).not.toContain("\u001b");
  });

  test("of a file without case studies exits with 2", async () => {
    const { command } = await installation();
    const { code, out, err, left } = await command(["import", "x.csv"], { files: { "x.csv": "a,b\n1,2\n3,4\n" } });
    expect(out).toContain("2 invalid");
    expect(err).toEndWith("casefile: The file has no valid case studies.\n");
    expect([code, left]).toEqual([2, 0]);
  });

  test("reports which fields it skipped, where and why", async () => {
    const { command } = await installation();
    const record = (n: number, more: object) =>
      JSON.stringify({ title: "A", url: `https://tidewell.example/${n}`, company: "Tidewell", ...more });
    const dated = Array.from({ length: 8 }, (_, n) => record(n, { date: "2024-11" }));
    const files = { "s.jsonl": [...dated, record(8, { "clinet\u001b": "B", country: "Atlantis" })].join("\n") };
    const { code, out, err } = await command(["import", "s.jsonl"], { files });
    expect(out).toEndWith(" 0 invalid; 10 fields ignored\n");
    expect(err.split("\n")).toEqual([
      "lines 1, 2, 3, 4, 5 and 3 more: `date` was ignored. Give a date as YYYY-MM-DD.",
      "line 9: `clinet` was ignored. No field has this name; did you mean client?",
      "line 9: `country` was ignored. Give a two-letter country code, such as DE, or the country's English name.",
      "",
    ]);
    expect(code).toBe(0);
  });

  test("shows twenty skipped fields and the number of the rest", async () => {
    const { command } = await installation();
    const colours = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`colour ${n}`, "red"]));
    const files = { "s.jsonl": JSON.stringify({ ...RECORDS[0], ...colours }) };
    const { err } = await command(["import", "s.jsonl"], { files });
    expect(err.trimEnd().split("\n")).toHaveLength(21);
    expect(err).toEndWith("… and 5 more kinds of ignored fields; --json lists them.\n");
    const { out } = await command(["import", "s.jsonl", "--json"], { files });
    expect(JSON.parse(out).left_out).toHaveLength(25);
  });

  test.each([
    ["nothing", ""],
    ["the names of columns", "title,url,company_name\r\n"],
    ["one line of rubbish", "zzzz"],
    ["a spreadsheet", "PK\u0003\u0004zzzz"],
  ])("of a file that contains %s exits with 2", async (_, content) => {
    const { command } = await installation();
    const { code, out, err } = await command(["import", "x.xlsx"], { files: { "x.xlsx": content } });
    expect(out).toContain(" 0 added, ");
    expect(err).toMatch(/CSV.*\.\ncasefile: The file has no valid case studies\.\n/);
    expect(code).toBe(2);
  });

  test("--help names the columns of an export, and the formats of dates and outcomes", async () => {
    const { command } = await installation();
    const { out } = await command(["import", "--help"]);
    const columns = (await command(["export", "--format", "csv"])).out.trim().split(",");
    for (const word of [...columns, "2024-03-05", '[{"text": ']) expect(out).toContain(word);
  });

  test.each([
    [["import"], "missing required argument 'file'"],
    [["import", "missing.jsonl"], "Cannot read missing.jsonl: no such file."],
  ])("%p exits with 2", async (argv, advice) => {
    const { command } = await installation();
    const { code, out, err, left } = await command(argv);
    expect(err).toContain(advice);
    expect([code, out, left]).toEqual([2, "", 0]);
  });

  test("an interrupt exits with 1, and imported records remain", async () => {
    const { app, command } = await installation();
    const stopped = AbortSignal.abort(new Error("interrupted"));
    const { code, left } = await command(["import", "s.jsonl"], {
      files: { "s.jsonl": linesOf(RECORDS) },
      host: { signal: stopped },
    });
    expect([code, left]).toEqual([1, 0]);
    expect((await app.caseStudies.list({})).total).toBe(0);
  });
});

describe("export", () => {
  test("writes lines that can be imported again, with fields that the API omits", async () => {
    const { app, command } = await installation();
    await fill(app);
    const { code, out, err } = await command(["export"]);
    expect([code, err]).toEqual([0, "7 case studies exported.\n"]);
    const lines = out.trimEnd().split("\n");
    expect(idsOf(lines.map((line) => JSON.parse(line)))).toEqual(RECORDS.map(({ id }) => id));
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      ...(await app.caseStudies.get("tidewell-northgate")),
      company: {
        name: "Tidewell",
        slug: "tidewell",
        domain: "tidewell.example",
        industry: "Cloud & Hosting",
        logo_url: "https://tidewell.example/logo.svg",
      },
      origin: "imported",
      licence: null,
      body: null,
      industry_raw: "Banking",
    });
  });

  test.each([
    ["jsonl", "out.jsonl"],
    ["csv", "out.csv"],
  ])("as %s reproduces the case studies and companies in another installation", async (format, name) => {
    const { app, command } = await installation();
    await fill(app);
    const { code, out, written } = await command(["export", "--format", format, "-o", name]);
    expect([code, out]).toEqual([0, ""]);
    const other = await installation();
    const text = written.get(name) ?? "";
    expect((await other.command(["import", name], { files: { [name]: text } })).out).toContain("7 added");
    const [before, after] = [await app.caseStudies.list({}), await other.app.caseStudies.list({})];
    expect(after).toEqual(before);
    expect(idsOf(after.case_studies)).toEqual(NEWEST_FIRST);
    expect(await other.app.companies.find({})).toEqual(await app.companies.find({}));
    const question = [{ query: "a savings bank" }];
    expect(await other.app.caseStudies.search(question)).toEqual(await app.caseStudies.search(question));
    expect((await command(["import", name], { files: { [name]: text } })).out).toContain("7 unchanged");
  });

  test("without records is empty, or the header row", async () => {
    const { command } = await installation();
    expect((await command(["export"])).out).toBe("");
    expect((await command(["export", "--format", "csv"])).out).toStartWith("id,title,url,company_name,");
  });

  test("in another format exits with 2", async () => {
    const { command } = await installation();
    expect(await command(["export", "--format", "xml"])).toMatchObject({ code: 2, out: "", left: 0 });
  });
});

describe("reindex", () => {
  test("rebuilds the index, and prints the number of case studies", async () => {
    const { app, command } = await installation();
    await fill(app);
    const before = await app.caseStudies.search([{ query: "a savings bank" }]);
    expect(await command(["reindex"])).toMatchObject({
      code: 0,
      out: "7 case studies indexed.\n",
      err: "",
      left: 0,
    });
    expect(await app.caseStudies.search([{ query: "a savings bank" }])).toEqual(before);
  });
});

describe("companies", () => {
  test("are listed in a table", async () => {
    const { app, command } = await installation();
    await fill(app);
    const { code, out, err } = await command(["companies"]);
    expect(out).toBe(
      [
        "SLUG         NAME         DOMAIN               INDUSTRY         CASE STUDIES",
        "quarrystone  Quarrystone  quarrystone.example                   1",
        "quayline     Quayline     quayline.example                      2",
        "tidewell     Tidewell     tidewell.example     Cloud & Hosting  4",
        "3 of 3",
        "",
      ].join("\n"),
    );
    expect([code, err]).toEqual([0, ""]);
  });

  test("are found with a typing error, by industry, and up to the limit", async () => {
    const { app, command } = await installation();
    await fill(app);
    const slugs = async (...argv: string[]) => {
      const { companies } = JSON.parse((await command(["companies", ...argv, "--json"])).out);
      return companies.map(({ slug }: { slug: string }) => slug);
    };
    expect(await slugs("quarystone")).toEqual(["quarrystone"]);
    expect(await slugs("--industry", "cloud")).toEqual(["tidewell"]);
    expect(await slugs("--limit", "2")).toEqual(["quarrystone", "quayline"]);
    expect((await command(["companies", "qwxyz"])).out).toBe(
      'No company matches "qwxyz". List all companies: casefile companies\n',
    );
    expect((await command(["companies", "--industry", "qwxyz"])).err).toBe(
      'casefile: Unknown industry "qwxyz": use a name such as Financial Services, Education, Healthcare.\n',
    );
  });

  test("--json equals the API response", async () => {
    const { app, get } = await filled();
    const { command } = await installation(app);
    expect((await command(["companies", "qua", "--limit", "1", "--json"])).out).toBe(
      `${await (await get("/v1/companies?q=qua&limit=1")).text()}\n`,
    );
  });

  test.each([[["--limit", "0"]], [["--limit", "101"]], [["--limt", "5"]], [["a", "b"]]])(
    "%p exits with 2",
    async (flags) => {
      const { command } = await installation();
      expect(await command(["companies", ...flags])).toMatchObject({ code: 2, out: "", left: 0 });
    },
  );
});
