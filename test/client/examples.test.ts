import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { CasefileProblem } from "../../client/src/index.ts";
import { checkReferences } from "../../examples/check-references.ts";
import { enrichCsv } from "../../examples/enrich-csv.ts";
import { outreachList } from "../../examples/outreach-list.ts";
import { salesBrief } from "../../examples/sales-brief.ts";
import { inDirectory } from "../store/examples.ts";
import { served } from "./served.ts";

const ROOT = join(import.meta.dir, "../..");

function files(input: string, before = "") {
  let written = before;
  return {
    input,
    before,
    append: async (text: string) => {
      written += text;
    },
    written: () => written,
  };
}

describe("the sales brief", () => {
  test("lists what a company uses and sells, and whose customer it is", async () => {
    const { client } = await served();
    const known = {
      ...client,
      enrich: async () => ({ ...(await client.enrich("brightpine.test")), domain: "tidewell.example" }),
    };
    const brief = await salesBrief(known, "tidewell.example");
    expect(brief).toStartWith(
      "# Tidewell\n\n## What it uses (3 tools)\n\n- **Analytics**: Gauge, Meter\n- **Email**: Postbox\n",
    );
    expect(brief).toMatch(/## What it sells \(\d case studies\)\n\nMostly to: /);
    expect(brief).toContain("## Whose customer it is");
  });

  test("of a company without case studies lists its tools", async () => {
    const { client } = await served();
    const brief = await salesBrief(client, "brightpine.test");
    expect(brief).toContain("No case studies indexed.");
    expect(brief).toContain("No case studies about it.");
  });

  test("escapes text from case studies", async () => {
    const { client } = await served();
    const {
      case_studies: [study],
    } = await client.listCaseStudies({ limit: 1 });
    const evil = { ...study!, title: "](x) <img> | # *b*\n# h", url: "https://a.example/> <script>" };
    const known = { ...client, listCaseStudies: async () => ({ case_studies: [evil], total: 1, next_cursor: null }) };
    const brief = await salesBrief(known, "brightpine.test");
    expect(brief).toContain("\\]\\(x) \\<img\\> \\| \\# \\*b\\* \\# h".replace("\\(", "("));
    expect(brief).toContain("(<https://a.example/%3E%20%3Cscript%3E>)");
  });
});

test("the outreach list has the best case study for each company, or why there is none", async () => {
  const { client } = await served();
  const lines = await Array.fromAsync(outreachList(client, "tidewell", ["brightpine.example", "missing.test"]));
  expect(lines).toEqual([
    { domain: "brightpine.example", case_study: null, url: null, score: 0, reasons: [], problem: null },
    { domain: "missing.test", case_study: null, url: null, score: 0, reasons: [], problem: "domain.not_found" },
  ]);
  expect(await Array.fromAsync(outreachList(client, "tidewell", ["northwind.no"]))).toMatchObject([
    // The same country alone does not make a case study convincing.
    { domain: "northwind.no", case_study: null, score: 0, reasons: [], problem: null },
  ]);
  const unknown = await Array.fromAsync(outreachList(client, "nobody", ["brightpine.test"])).catch((error) => error);
  expect(unknown).toBeInstanceOf(CasefileProblem);
});

test("the references of a vendor are listed by what scans say", async () => {
  const { client } = await served();
  const text = await checkReferences(client, "tidewell");
  expect(text).toContain("## Still seen at the client (0)");
  expect(text).toContain("- Northgate Savings (https://tidewell.example/customers/northgate)");
});

describe("the list of domains", () => {
  const LIST =
    'name,domain\n"A, B",brightpine.test\nC,stored.test\nD,missing.test\nE,brightpine.test\nF,not a domain\n';

  test("gets the tools of each, once, and the reason of each failure, which the next run tries again", async () => {
    const { client } = await served();
    const out = files(LIST);
    expect(await enrichCsv(client, out, { atOnce: 1 })).toEqual({ done: 4, total: 4, failed: 2 });
    expect(out.written().split("\n")).toEqual([
      "domain,tools_detected,tools,problem",
      "brightpine.test,3,Gauge; Meter; Postbox,",
      "stored.test,3,Gauge; Meter; Postbox,",
      "missing.test,,,domain.not_found",
      "not a domain,,,domain.invalid",
      "",
    ]);
    const second = files(LIST, out.written());
    expect(await enrichCsv(client, second, { atOnce: 1 })).toEqual({ done: 2, total: 2, failed: 2 });
    expect(second.written()).toBe(out.written());
  });

  test("is found in a file of a spreadsheet, and the progress counts from zero", async () => {
    const { client } = await served();
    const out = files("\uFEFFFirma;Website\r\nAcme, Inc.;https://brightpine.test/about\r\nGone;missing.test\r\n");
    const seen: string[] = [];
    const onProgress = ({ done, failed }: { done: number; failed: number }) => void seen.push(`${done} ${failed}`);
    expect(await enrichCsv(client, out, { onProgress })).toEqual({ done: 2, total: 2, failed: 1 });
    expect(out.written()).toContain("\nbrightpine.test,3,");
    expect(seen[0]).toBe("0 0");
    expect(seen.every((each) => Number(each.split(" ")[1]) <= Number(each.split(" ")[0]))).toBe(true);
  });

  test("resumes after an aborted run and retries the failures", async () => {
    const { client, calls } = await served();
    const first = files("silent.test\nbrightpine.test\n");
    expect(await enrichCsv(client, first, { atOnce: 2 })).toEqual({ done: 2, total: 2, failed: 1 });
    const asked = calls.length;
    const second = files("silent.test\nbrightpine.test\nstored.test\n", first.written().trimEnd());
    expect(await enrichCsv(client, second)).toMatchObject({ total: 2, failed: 1 });
    expect(calls.slice(asked).map(({ domain }) => domain)).not.toContain("brightpine.test");
    expect(second.written()).toContain("\nstored.test,3,");
  });

  test("stops when the monthly quota is used up, and keeps its results", async () => {
    const { client } = await served({ service: { monthlyLimit: 2 } });
    const out = files("brightpine.test\nstored.test\na.test\nb.test\n");
    const ended = enrichCsv(client, out, { atOnce: 1 });
    await expect(ended).rejects.toBeInstanceOf(CasefileProblem);
    expect(out.written().trimEnd().split("\n")).toHaveLength(3);
  });

  test("never exceeds the limit of in-flight requests", async () => {
    const { client } = await served();
    let under = 0;
    let most = 0;
    const watched: typeof client = {
      ...client,
      async enrich(domain, query) {
        most = Math.max(most, ++under);
        const answer = await client.enrich(domain, query);
        under -= 1;
        return answer;
      },
    };
    await enrichCsv(watched, files(Array.from({ length: 20 }, (_, at) => `a${at}.test`).join("\n")), { atOnce: 3 });
    expect(most).toBe(3);
  });
});

test("both run as programs against a service", async () => {
  const { handler, key } = await served();
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => handler(request, "127.0.0.1") });
  const run = async (cwd: string, ...argv: string[]) => {
    const env = { PATH: process.env.PATH ?? "", CASEFILE_API_KEY: await key(`${argv.length}@brightpine.test`) };
    const words = [process.execPath, ...argv, "--server", server.url.origin];
    const child = Bun.spawn(words, { cwd, env, stdout: "pipe", stderr: "pipe" });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { out, err, code };
  };
  try {
    await inDirectory(async (directory) => {
      const brief = await run(directory, join(ROOT, "examples/sales-brief.ts"), "brightpine.test");
      expect([brief.code, brief.err, brief.out.split("\n")[0]]).toEqual([0, "", "# brightpine.test"]);
      await Bun.write(join(directory, "list.csv"), "domain\nbrightpine.test\n");
      const list = await run(directory, join(ROOT, "examples/enrich-csv.ts"), "list.csv", "--at-once", "2");
      expect([list.code, list.err]).toEqual([0, "\r0 of 1, 0 failed\r1 of 1, 0 failed\nlist.enriched.csv: 1 added\n"]);
      expect(await Bun.file(join(directory, "list.enriched.csv")).text()).toContain("brightpine.test,3,");
    });
  } finally {
    await server.stop(true);
  }
}, 60_000);

test.each([
  ["sales-brief.ts", [], "Usage: npx bun examples/sales-brief.ts DOMAIN"],
  ["sales-brief.ts", ["a.test", "b.test"], "Usage: npx bun examples/sales-brief.ts DOMAIN"],
  ["sales-brief.ts", ["a.test", "--sever", "x"], "Usage: npx bun examples/sales-brief.ts DOMAIN"],
  ["enrich-csv.ts", [], "Usage: npx bun examples/enrich-csv.ts FILE.csv"],
  ["enrich-csv.ts", ["absent.csv"], "Cannot read absent.csv."],
])(
  "a usage error of %s prints its usage: %j",
  async (name, args, told) => {
    await inDirectory(async (directory) => {
      const words = [process.execPath, join(ROOT, "examples", name), ...args];
      const child = Bun.spawn(words, {
        cwd: directory,
        env: { PATH: process.env.PATH ?? "" },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      expect([out, code]).toEqual(["", 2]);
      expect(err).toStartWith(told);
      expect(err).not.toContain("    at ");
    });
  },
  60_000,
);
