import { afterAll, describe, expect, test } from "bun:test";
import { createExtractor } from "../../../src/casestudies/extract/extractor.ts";
import { type ReadStudy, readSavedPage } from "../../../src/casestudies/intake/read-file.ts";
import { createLocalEngine } from "../../../src/casestudies/structure/local-engine.ts";
import { tools } from "../examples.ts";

/** Pages in shapes that vendors use and the labelled corpus lacks, read whole. */

const extractor = createExtractor(false);
afterAll(extractor.close);
const toolNames = "Xero|Workday|PostgreSQL|Airflow|Tableau|Splunk|SAP S/4HANA|GitLab".split("|");
const context = {
  extractor,
  parseContext: tools,
  engine: createLocalEngine({ ...tools, toolNames: toolNames.map((name) => ({ name, aliases: [] })) }),
};
const read = (content: string, url: string) =>
  readSavedPage(context, {
    bytes: Buffer.from(content),
    name: "",
    url: `https://www.tidewell.example/customers/${url}`,
  });

const factsOf = ({ client, industry, country, tools: found, outcomes, quote }: ReadStudy) => ({
  client: client.value,
  industry: industry.slug,
  country: country.value,
  tools: found.map(({ value }) => value),
  outcomes: outcomes.flatMap(({ value }) =>
    value === null || value.kind === "qualitative"
      ? []
      : [[value.noun, value.direction, value.from, value.value, value.unit].join(" ")],
  ),
  speaker: quote.value?.person ?? null,
});

const SIDEBAR = `<!doctype html><html lang="en"><head><title>Brightfold | Payroll Customer Story | Tidewell</title></head><body>
<div class="two-col"><aside><p>INDUSTRY</p><p>Retail</p><p>HQ</p><p>Austin, TX</p><p>TECH STACK</p><ul><li>PostgreSQL</li>
<li>Airflow</li><li>Tableau</li></ul></aside><div><h1>How Brightfold cut payroll errors by 83% with Tidewell</h1>
<div class="stats"><div><span class="num" data-count="83">0</span><span>%</span><p>fewer payroll errors</p></div>
<div><div>£240K</div><div>annual savings</div></div></div>
<p>Brightfold sells furniture and homeware in 64 shops. Its people team uses Workday and Xero.</p>
<p>A pay run took five days. Closing a pay run now takes two days instead of five.</p>
<p>“Nobody is paid wrong any more.”</p><p>Priya Raman</p><p>Head of People</p></div></div></body></html>`;

const GERMAN = `<html lang="de"><head><title>Referenz: Hallstein Maschinenbau</title></head><body><main>
<h1>Hallstein Maschinenbau: Fertigung mit Tidewell</h1><ul><li><strong>Unternehmen:</strong> Hallstein Maschinenbau</li>
<li><strong>Branche:</strong> Maschinenbau</li><li><strong>Standort:</strong> Reutlingen, Deutschland</li>
<li><strong>Technologien:</strong> SAP S/4HANA</li></ul>
<p>Seit 2022 nutzt Hallstein das System von Tidewell. Das System ist an SAP S/4HANA angebunden und wird in allen Werken genutzt. Die Planung erfolgte bisher von Hand, und niemand wusste, welcher Auftrag wann fertig wird.</p>
<p>Die Rüstzeit wurde von 60 auf 25 Minuten reduziert. Die Termintreue stieg von 78 % auf 96 %.</p></main></body></html>`;

const TABLE = `# Municipality of Varenholm secures its endpoints

**Customer:** Municipality of Varenholm
**Country:** Sweden
**Sector:** Local government

Varenholm has 32 people in its IT department. It sends events to Splunk, and its schools and care homes are covered too.

| Metric | Before | After |
|---|---|---|
| Time to respond | 9 hours | 25 minutes |
`;

const TABS = `<html lang="en"><head><title>Lumicore | Tidewell</title></head><body><main><h1>Lumicore slashes cloud spend by 38%</h1>
<p>E-commerce · Germany · 120 employees</p><p>Lumicore makes connected lamps for homes and hotels.</p>
<div role="tabpanel"><p>By 2022 its bill had grown faster than its revenue, and nobody knew why.</p></div>
<div role="tabpanel" hidden><p>Tidewell was connected to Kubernetes in an afternoon. Suggestions arrive as pull requests in GitLab.</p>
<p>91% of engineers read them. Idle capacity was halved.</p></div></main></body></html>`;

describe("a page of a vendor that nobody has seen", () => {
  test.each([
    [
      "with a sidebar before its heading, counters and cards",
      SIDEBAR,
      "brightfold",
      {
        client: "Brightfold",
        industry: "retail",
        country: "US",
        tools: ["PostgreSQL", "Airflow", "Tableau", "Workday", "Xero"],
        outcomes: expect.arrayContaining([
          "payroll errors decrease  83 %",
          "costs decrease  240000 GBP",
          "closing pay run time decrease 5 2 days",
        ]),
        speaker: "Priya Raman",
      },
    ],
    [
      "in German",
      GERMAN,
      "hallstein-maschinenbau",
      {
        client: "Hallstein Maschinenbau",
        industry: "manufacturing",
        country: "DE",
        tools: ["SAP S/4HANA"],
        outcomes: expect.arrayContaining(["Rüstzeit decrease 60 25 minutes", "Termintreue increase 78 96 %"]),
        speaker: null,
      },
    ],
    [
      "with labels in lines of Markdown and a table of before and after",
      TABLE,
      "varenholm",
      {
        client: "Municipality of Varenholm",
        industry: "government",
        country: "SE",
        tools: ["Splunk"],
        outcomes: expect.arrayContaining(["time to respond decrease 540 25 minutes"]),
        speaker: null,
      },
    ],
    [
      "with hidden tabs and a line of facts",
      TABS,
      "lumicore",
      {
        client: "Lumicore",
        industry: "retail",
        country: "DE",
        tools: ["GitLab"],
        outcomes: expect.arrayContaining(["idle capacity decrease  50 %", "cloud spend decrease  38 %"]),
        speaker: null,
      },
    ],
  ])("%s has its facts", async (_, page, slug, facts) => {
    expect(factsOf(await read(page, slug))).toEqual(facts);
  });
});
