import { describe, expect, test } from "bun:test";
import { run, type Surroundings } from "../cli/fake-host.ts";
import { jsonOf, open } from "../http/opened.ts";
import { enrichmentOf, fakeVerbs, seenOf } from "../services/fake-app.ts";

/** Verbs whose one result is this. */
const telling = (...tools: ReturnType<typeof seenOf>[]) => {
  const { verbs } = fakeVerbs();
  const analyse = async () => enrichmentOf("brightpine.test", { detections: tools });
  return { verbs: { ...verbs, analyse }, files: { "a.html": "<p>" } } satisfies Surroundings;
};

describe("the table", () => {
  test("shows each tool with its best evidence, then the sources that could not be checked", async () => {
    const { code, out, err, left } = await run(["enrich", "brightpine.test"]);
    expect(out).toBe(
      [
        "brightpine.test: 3 tools (2026-05-04 12:00 UTC)",
        "",
        "CATEGORY   TOOL       CONFIDENCE  EVIDENCE",
        "Analytics  Gauge 4.2  90%         html.script https://cdn.gauge.test/loader.js (https://brightpine.…",
        "Analytics  Meter      90%         html.script https://cdn.meter.test/loader.js (https://brightpine.…",
        "Email      Postbox    90%         html.script https://cdn.postbox.test/loader.js (https://brightpin…",
        "",
        "Incomplete: mail-dns (timeout). Add --include sources for details.",
        "",
      ].join("\n"),
    );
    expect([code, err, left]).toEqual([0, "", 0]);
  });

  test("says when the result is cached, and when nothing was found", async () => {
    expect((await run(["enrich", "stored.test"])).out).toStartWith("stored.test: 3 tools (cached, 2026-05-04");
    expect((await run(["enrich", "--from", "a.html"], telling())).out).toContain("No tools detected");
    expect((await run(["enrich", "--from", "a.html"], telling(seenOf("Gauge", "Analytics")))).out).toContain(
      "1 tool (",
    );
  });

  test.each([40, 60, 80, 100, 200])("fits a terminal of %d columns", async (columns) => {
    const tools = [
      seenOf("Gauge", "Analytics"),
      seenOf("A tool with a rather long name", "Customer Data Platform"),
      seenOf("計測器".repeat(8), "Email"),
    ];
    const { out } = await run(["enrich", "--from", "a.html", "--include", "sources"], {
      ...telling(...tools),
      host: { columns },
    });
    const table = out.split("\n").filter((line) => line !== "");
    expect(Math.max(...table.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(Math.max(columns, 48));
    expect(out.includes("…")).toBe(columns < 200);
  });

  test("columns stay aligned next to double-width characters", async () => {
    const { out } = await run(
      ["enrich", "--from", "a.html"],
      telling(seenOf("計測器", "Analytics"), seenOf("Meter", "Analytics")),
    );
    const places = out
      .split("\n")
      .filter((line) => line.includes("90%"))
      .map((line) => Bun.stringWidth(line.slice(0, line.indexOf("90%"))));
    expect(new Set(places).size).toBe(1);
  });

  test("--include evidence shows all evidence, --include sources the status of each source", async () => {
    const { out } = await run(["enrich", "brightpine.test", "--include", "evidence,sources"]);
    expect(out).toContain(
      "Gauge (runs)\n  html.script  https://cdn.gauge.test/loader.js\n    strong, rule gauge/loader, at https://brightpine.test/\n",
    );
    expect(out).toContain(
      "SOURCE     STATUS   TIME    DETAIL\nhome-page  ok       12 ms\nmail-dns   timeout  900 ms  No answer in time.\n",
    );
  });
});

describe("untrusted text", () => {
  const steering = "a\u001b[31mb\u009b2Jc\rd\u0007e\u202ef\u2028g\u0000h\nj\u007fk";
  const hostile = seenOf("Gauge", "Analytics", {
    version: steering,
    evidence: [
      { source: "s", signal: "html.script", value: steering, location: steering, rule: "a/b", strength: "weak" },
    ],
  });
  const SIGNS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/;

  test.each([[[]], [["--include", "evidence,sources"]], [["--json", "--include", "evidence"]]])(
    "never controls the terminal with %p",
    async (flags) => {
      const { out, err } = await run(["enrich", "--from", "a.html", ...flags], telling(hostile));
      expect(out).toContain("[31mb");
      expect(out).not.toMatch(SIGNS);
      expect(err).not.toMatch(SIGNS);
    },
  );

  test("in the name of a tool begins no line", async () => {
    const named = seenOf("Gauge\nForged (runs)\u001b[2J", "Analytics");
    const { out } = await run(["enrich", "--from", "a.html", "--include", "evidence"], telling(named));
    expect(out).toContain("Gauge Forged (runs)");
    expect(out).not.toMatch(/^Forged|\u001b/m);
  });

  test("is complete in JSON", async () => {
    const { out } = await run(["enrich", "--from", "a.html", "--json", "--include", "evidence"], telling(hostile));
    expect(JSON.parse(out).tools[0].evidence[0].value).toBe(steering);
  });

  test("in a file name or its error does not control the terminal either", async () => {
    const { err } = await run(["enrich", "--from", "x\u001b[2J.html"]);
    expect(err).toContain("no such file");
    expect(err).not.toMatch(SIGNS);
    const unknown = await run(["enrich", "--from", "x\u001b[2J.html"], { files: { "x\u001b[2J.html": "<p>hello" } });
    expect(unknown.err).toContain("--url");
    expect(unknown.err).not.toMatch(SIGNS);
  });
});

describe("--json", () => {
  test.each(["", "evidence", "sources", "evidence,sources"])(
    "equals the API response byte for byte (include=%s)",
    async (include) => {
      const { ask, key } = await open();
      const answer = await ask(`/v1/enrich/brightpine.test?include=${include}`, { key: await key() });
      const { out } = await run(["enrich", "brightpine.test", "--json", ...(include ? ["--include", include] : [])]);
      expect(out).toBe(`${await answer.text()}\n`);
    },
  );

  test("has its keys in the order of the API", async () => {
    const { ask, app } = await open();
    await app.accounts.issue("ana@brightpine.test");
    const { token } = await app.operator.ensureOperatorToken();
    const { out } = await run(["keys", "list", "--json"], { app });
    expect(JSON.parse(out)).toEqual(await jsonOf(await ask("/admin/keys", { operator: token })));
  });
});

describe("progress", () => {
  test("is drawn on a terminal, cleared at the end, and never written to standard output", async () => {
    const { out, err } = await run(["enrich", "brightpine.test", "--json"], { host: { interactive: true } });
    expect(err).toStartWith("\r\u001b[2Kbrightpine.test: scanning …");
    expect(err).toContain("identity (1 of 6), 1 tools so far");
    expect(err).toEndWith("\r\u001b[2K");
    expect(out).not.toContain("\u001b");
  });

  test("is not drawn without a terminal", async () => {
    expect((await run(["enrich", "brightpine.test"])).err).toBe("");
  });

  test("is cleared before an error is reported", async () => {
    const { code, err } = await run(["enrich", "missing.test"], { host: { interactive: true } });
    expect(code).toBe(1);
    expect(err).toEndWith("\r\u001b[2Kcasefile: missing.test does not exist in DNS; check its spelling.\n");
  });

  test("fits the terminal, whatever the argument", async () => {
    const typed = `brightpine.test/\u001b[2J${"x".repeat(300)}`;
    const { err } = await run(["enrich", typed], { host: { interactive: true, columns: 50 } });
    for (const line of err.split("\r\u001b[2K")) {
      expect(line.length).toBeLessThan(50);
      expect(line).not.toContain("\u001b");
    }
  });
});

describe("the origin of a result", () => {
  test("a visit passes on the accepted age and the minimum confidence", async () => {
    const { calls, opened } = await run([
      "enrich",
      "brightpine.test",
      "--max-age",
      "0",
      "--min-confidence",
      "possible",
    ]);
    expect(calls.map(({ options }) => [options.maxAgeSeconds, options.minConfidence])).toEqual([[0, 0.2]]);
    expect(opened.map(({ inMemory }) => inMemory)).toEqual([false]);
  });

  test("a file leaves no trace on disk unless it is saved", async () => {
    const surroundings = { files: { "a.html": "<p>" } };
    expect((await run(["enrich", "--from", "a.html"], surroundings)).opened[0]?.inMemory).toBe(true);
    expect((await run(["enrich", "--from", "a.html", "--keep"], surroundings)).opened[0]?.inMemory).toBe(false);
  });

  test.each([
    ["a saved page", { "--from": "page.html", "--url": "https://www.brightpine.test/" }, "<!doctype html><p>hello"],
    ["a page named after its host", { "--from": "www.brightpine.test.html" }, "<p>hello"],
    [
      "an HTTP response",
      { "--from": "r.txt", "--url": "brightpine.test" },
      "HTTP/1.1 200 OK\r\nserver: nginx\r\n\r\n<p>",
    ],
    ["what dig printed", { "--from": "-" }, "brightpine.test.\t300\tIN\tMX\t10 mx.brightpine.test.\n"],
    ["a zone file", { "--from": "z.txt" }, "$ORIGIN brightpine.test.\n@ 300 IN A 192.0.2.1\n"],
    ["a zone in YAML", { "--from": "brightpine.test.yaml" }, '"":\n  type: A\n  value: 192.0.2.1\n'],
    ["a record list", { "--from": "-" }, JSON.stringify({ domain: "brightpine.test", mx: ["10 mx.brightpine.test"] })],
    [
      "a HAR file",
      { "--from": "a.har" },
      JSON.stringify({
        log: {
          version: "1.2",
          entries: [
            {
              request: { method: "GET", url: "https://brightpine.test/" },
              response: { status: 200, headers: [], content: { mimeType: "text/html", text: "<p>" } },
            },
          ],
        },
      }),
    ],
    [
      "a snapshot",
      { "--from": "a.json" },
      JSON.stringify({
        format: "casefile-snapshot",
        version: 1,
        domain: "brightpine.test",
        captured_at: "2026-05-04T12:00:00.000Z",
        origin: "casefile 0",
        dns: [],
        http: [],
        certificates: [],
        requests: [],
        zone: false,
      }),
    ],
  ])("%s is reported separately", async (_, flags, text) => {
    const argv = Object.entries(flags).flat();
    const { code, out, err } = await run(["enrich", ...argv], { files: { [flags["--from"]]: text } });
    expect(err).toBe("");
    expect([code, out.split(":")[0]]).toEqual([0, "brightpine.test"]);
  });

  test("a page without an address is read, and a warning is printed", async () => {
    const { code, err } = await run(["enrich", "--from", "-"], { files: { "-": "<p>hello" } });
    expect(code).toBe(0);
    expect(err).toStartWith("casefile: The input does not state its address; give it with --url");
  });

  test("a page without an address is not kept, because nothing could find it", async () => {
    const { code, out, err } = await run(["enrich", "--from", "noname.html", "--keep"], {
      files: { "noname.html": "<p>hello" },
    });
    expect([code, out, err]).toEqual([
      2,
      "",
      "casefile: Cannot keep noname.html: it does not state its address; name it with --url, such as --url https://acme.com/.\n",
    ]);
  });

  const FORMATS = "a snapshot, HAR file, HTML page, HTTP response, zone or record list";
  test.each([
    ["empty.html", "", "Cannot read empty.html: it is empty."],
    ["a\u001b[2Jb", " \r\n\ufeff", "Cannot read a [2Jb: it is empty."],
    ["-", "", "Cannot read standard input: it is empty."],
    ["a.txt", "{", "Cannot read a.txt: it starts like JSON but cannot be parsed."],
    ["pages/a.txt", "hello", `Cannot read pages/a.txt: it is not ${FORMATS}.`],
    ["-", "hello", `Cannot read standard input: it is not ${FORMATS}.`],
    ["a.json", "{}", "Cannot read a.json: the JSON is not a snapshot of `casefile capture`, HAR file or record list."],
    ["a.har", '{"log":{"entries":[]}}', "Cannot read a.har: it does not state its address; give it with --url."],
    [
      "10.0.0.1.html",
      "<p>",
      "Cannot read 10.0.0.1.html: an IP address is not a company domain; give a name such as acme.com.",
    ],
  ])("%s that cannot be read is a usage error that names it", async (name, text, message) => {
    const { code, out, err } = await run(["enrich", "--from", name], { files: { [name]: text } });
    expect([code, out, err]).toEqual([2, "", `casefile: ${message}\n`]);
  });

  test.each([
    ["foo", '"foo" has no ending such as .com; give a domain such as acme.com.'],
    ["10.0.0.1", "an IP address is not a company domain; give a name such as acme.com."],
  ])("an address %s that is not a company's is named, as the file is not at fault", async (url, reason) => {
    const { code, err } = await run(["enrich", "--from", "a.html", "--url", url], { files: { "a.html": "<p>hello" } });
    expect([code, err]).toEqual([2, `casefile: Cannot read a.html with --url ${url}: ${reason}\n`]);
  });

  test("a snapshot with faults is named, with each fault", async () => {
    const files = { "a.json": '{"format":"casefile-snapshot","version":1}' };
    const { err } = await run(["enrich", "--from", "a.json"], { files });
    expect(err).toStartWith("casefile: Cannot read a.json: it is not a Casefile snapshot of version 1;");
    expect(err).toContain("\n  /domain: It is required.\n");
  });

  test("a replay uses the stored snapshot", async () => {
    const { code, out, calls } = await run(["enrich", "brightpine.test", "--replay"]);
    expect([code, calls]).toEqual([0, []]);
    expect(out).toStartWith("brightpine.test: 3 tools");
  });
});

describe("usage", () => {
  test("states the formats of --rows tools", async () => {
    const { out } = await run(["enrich", "--help"]);
    expect(out.replace(/\s+/g, " ")).toContain(
      "one row for each company or each tool; tools as a table, .csv or .parquet, or with --format ndjson",
    );
  });

  test.each([
    [["enrich"], "give a domain, a list of domains (a .csv, .txt or .jsonl file, or -), or --from FILE"],
    [
      ["enrich", "a.test", "--from", "x.html"],
      "a.test cannot be combined with --from x.html; --url names the address of a page or zone that does not state it: --from x.html --url a.test",
    ],
    [["enrich", "a.csv", "--from", "x.html"], "the list a.csv cannot be combined with --from x.html; use one of them"],
    [
      ["enrich", "--from", "a.html", "b.html"],
      "--from reads one file, and a.html and b.html are two; to join recordings of one company, put them into a folder: casefile ingest FOLDER",
    ],
    [
      ["enrich", "--from", "a.html", "--from", "b.html"],
      "option '--from <file>' argument 'b.html' is invalid. It is given twice, with a.html before; to join recordings of one company, put them into a folder: casefile ingest FOLDER",
    ],
    [
      ["enrich", "a.csv", "-o", "x.csv", "--output", "y.csv"],
      "'y.csv' is invalid. It is given twice, with x.csv before;",
    ],
    [
      ["enrich", "a.csv", "--column", "x", "--column", "y"],
      "'y' is invalid. It is given twice, with x before; give it once.",
    ],
    [
      ["enrich", "--from", "x", "--url", "a.test", "--url", "b.test"],
      "It is given twice, with a.test before; give it once.",
    ],
    [["capture", "a.test", "-o", "x", "-o", "y"], "'y' is invalid. It is given twice, with x before; give it once."],
    [["enrich", "a.test", "--keep"], "--keep and --url require --from"],
    [["enrich", "a.test", "--url", "x"], "--keep and --url require --from"],
    [["enrich", "--from", "x", "--replay"], "--replay runs a stored snapshot"],
    [["enrich", "--from", "x", "--max-age", "5"], "--max-age cannot be combined with --from or --replay"],
    [["enrich", "a.test", "--replay", "--max-age", "5"], "--max-age cannot be combined with --from or --replay"],
    [["enrich", "a.test", "--min-confidence", "sure"], "Use confirmed, likely, possible, or a number from 0 to 1."],
    [["enrich", "a.test", "--max-age", "soon"], "Give a whole number of seconds from 0 to 99999999, or any."],
    [["enrich", "a.test", "--max-age", "-1"], "Give a whole number of seconds from 0 to 99999999, or any."],
    [["enrich", "a.test", "--max-age", "1.5"], "Give a whole number of seconds from 0 to 99999999, or any."],
    [["enrich", "a.test", "--include", "all"], "Use evidence, sources, third_parties, or several"],
    [
      ["enrich", "a.test", "--rows", "tools"],
      "--rows is for a list of domains, and a.test is one domain; give a .csv, .tsv, .txt, .jsonl or .ndjson file, or - for standard input (echo a.test | casefile enrich - --rows tools); for JSON use --json",
    ],
    [
      ["enrich", "--from", "x", "--output", "y.csv"],
      "--output is for a list of domains, and cannot be combined with --from; for JSON use --json, for a table keep the result (--from x --keep) and then enrich a list: casefile enrich LIST --max-age any --output y.csv",
    ],
    [["enrich", "a.test", "b.test"], "too many arguments"],
    [["enrich", "10.0.0.1"], "An IP address is not a company domain"],
    [["enrich", "1"], '"1" is a number (the IP address 0.0.0.1), not a domain: give one such as acme.com.'],
    [["enrich", "brightpine.local"], "reserved"],
  ])("%p exits with 2 and a reason", async (argv, advice) => {
    const { code, out, err } = await run(argv);
    expect(err).toContain(advice);
    expect([code, out]).toEqual([2, ""]);
  });

  test.each(["missing.test", "silent.test", "busy.test"])("a visit to %s that fails exits with 1", async (domain) => {
    const { code, out, err, left } = await run(["enrich", domain]);
    expect(err).toStartWith("casefile: ");
    expect([code, out, left]).toEqual([1, "", 0]);
  });

  test("an unexpected error is rethrown, and the store is still closed", async () => {
    await expect(run(["enrich", "broken.test"])).rejects.toThrow("SQLITE_BUSY");
  });

  test("an interrupt ends a visit with 1", async () => {
    const interrupt = new AbortController();
    const ran = run(["enrich", "hanging.test"], { host: { signal: interrupt.signal } });
    await new Promise(setImmediate);
    interrupt.abort(new Error("interrupted"));
    expect(await ran).toMatchObject({ code: 1, out: "", left: 0 });
  });
});
