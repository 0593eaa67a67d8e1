import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractPage } from "../../../src/casestudies/extract/extract-child.ts";
import { vendorOf } from "../../../src/casestudies/intake/read-file.ts";
import { createParseContext } from "../../../src/casestudies/record.ts";
import { createLocalEngine } from "../../../src/casestudies/structure/local-engine.ts";
import { organisationKey } from "../../../src/casestudies/structure/names.ts";
import {
  loadBuiltInCities,
  loadBuiltInIndustries,
  loadBuiltInOrganisations,
  loadBuiltInOutcomeMetrics,
} from "../../../src/casestudies/taxonomy/packed.ts";
import type { Outcome, PageText, StructuredStudy, Vendor } from "../../../src/casestudies/types.ts";
import { openBuiltInEncoder } from "../../../src/embedding/built-in.ts";
import type { TrainingPage } from "./cases.ts";
import { createToolKeys } from "./fit-tools.ts";
import { loadToolNames } from "./knowledge.ts";

const FOLDER = join(import.meta.dir, "../../labels/vendor-pages");

/** What a page of an invented vendor states, as `research/labels/vendor-pages.yaml` has it. */
interface PageTruth {
  readonly url: string;
  /** Accepted names; empty when the page does not name the client. */
  readonly client: readonly string[];
  /** Accepted slugs. */
  readonly industry: readonly string[];
  readonly country: string | null;
  readonly tools: readonly string[];
  /** `40 % decrease`: value, unit, direction. */
  readonly outcomes: readonly string[];
  /** Right, but not necessary. */
  readonly also?: readonly string[];
}

interface VendorPage {
  readonly name: string;
  readonly truth: PageTruth;
  readonly page: PageText;
  readonly vendor: Vendor;
}

async function loadVendorPages(): Promise<VendorPage[]> {
  const truths = Bun.YAML.parse(await Bun.file(`${FOLDER}.yaml`).text()) as Readonly<Record<string, PageTruth>>;
  return await Promise.all(
    Object.entries(truths).map(async ([name, truth]) => {
      const content = await Bun.file(join(FOLDER, `${name}.html`)).text();
      const page = await extractPage({ url: truth.url, kind: "html", content, language: null, last_modified: null });
      return { name, truth, page, vendor: vendorOf(truth.url) };
    }),
  );
}

/** The pages that are not set aside, to fit weights on: each has a vendor of its own. */
export async function loadTrainingPages(): Promise<TrainingPage[]> {
  const pages = (await loadVendorPages()).filter(({ name }) => !isSetAside(name));
  return pages.map(({ truth: { client, country, industry, tools, outcomes, also = [] }, page, vendor, name }) => {
    const accepted = { name: client[0] ?? null, alternatives: client.slice(1) };
    const used = tools.map((tool) => ({ name: tool, status: "uses" as const }));
    return {
      record: { id: name, vendor_slug: name },
      readings: [{ client: accepted, country, industry: null, tools: used }],
      ...{ client, country, industries: industry, siblings: pages.length },
      forms: [{ form: "record", page, vendor }],
      figures: [...outcomes, ...also].map((line) => line.replace(/ \w+$/, "")),
    };
  });
}

/** Pages whose misses nobody reads: by the hash of their name, so that the choice needs no look at them. */
const isSetAside = (name: string) => (createHash("sha256").update(name).digest()[0] ?? 0) % 3 === 0;

/**
 * Pages of invented vendors in the layouts of vendors' sites (sidebars, counters, cards, related stories, other languages), as
 * `casefile studies read` reads them. The weights are fitted on `read` too; they do not know those set aside.
 */
export async function measureVendorPages({ misses }: { misses: boolean }): Promise<unknown> {
  const encoder = await openBuiltInEncoder({ unpackDir: tmpdir() });
  const { industries, parseCountry, outcomeMetrics } = createParseContext({
    industries: loadBuiltInIndustries(),
    outcomeMetrics: loadBuiltInOutcomeMetrics(),
  });
  const toolNames = loadToolNames();
  const engine = createLocalEngine({
    ...{ industries, parseCountry, outcomeMetrics, toolNames },
    organisations: loadBuiltInOrganisations(),
    cities: loadBuiltInCities(),
    embed: (texts) => encoder.encode(texts, "passage"),
  });
  const keyOf = createToolKeys(toolNames);
  const tallies = { read: new PageTally(keyOf), set_aside: new PageTally(keyOf) };
  for (const { name, truth, page, vendor } of await loadVendorPages()) {
    const study = await engine.structure(page, vendor);
    const wrong = tallies[isSetAside(name) ? "set_aside" : "read"].add(study, truth);
    if (misses && !isSetAside(name)) for (const line of wrong) console.log(`${name}: ${line}`);
  }
  await encoder.close();
  const figures = { read: tallies.read.result, set_aside: tallies.set_aside.result };
  console.log(Bun.YAML.stringify(figures, null, 2));
  return figures;
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : Number((part / whole).toFixed(3)));

class PageTally {
  #pages = 0;
  readonly #counts = {
    client: { correct: 0, wrong: 0 },
    industry: { correct: 0, wrong: 0 },
    country: { correct: 0, wrong: 0 },
  };
  readonly #tools = { found: 0, right: 0, listed: 0 };
  readonly #outcomes = { found: 0, right: 0, listed: 0, named: 0, directed: 0 };
  readonly #keyOf: (tool: string) => string;

  constructor(keyOf: (tool: string) => string) {
    this.#keyOf = keyOf;
  }

  /** Returns a line for each error. */
  add({ fields }: StructuredStudy, truth: PageTruth): string[] {
    this.#pages += 1;
    const wrong: string[] = [];
    const judge = (field: "client" | "industry" | "country", found: string | null, accepted: readonly string[]) => {
      const isRight = found === null ? accepted.length === 0 : accepted.includes(found);
      if (isRight) this.#counts[field].correct += 1;
      else if (found !== null) this.#counts[field].wrong += 1;
      if (!isRight) wrong.push(`${field} ${found}, not ${accepted[0] ?? "none"}`);
    };
    const { name } = fields.client;
    judge("client", name === null ? null : organisationKey(name), truth.client.map(organisationKey));
    judge("industry", fields.industry, truth.industry);
    judge("country", fields.country, truth.country === null ? [] : [truth.country]);
    const listed = new Map(truth.tools.map((tool) => [this.#keyOf(tool), tool]));
    this.#tools.listed += listed.size;
    for (const tool of fields.tools) {
      this.#tools.found += 1;
      if (listed.delete(this.#keyOf(tool))) this.#tools.right += 1;
      else wrong.push(`tool ${tool} is not listed`);
    }
    wrong.push(...[...listed.values()].map((tool) => `tool ${tool} is missing`));
    this.#addOutcomes(fields.outcomes, truth, wrong);
    return wrong;
  }

  #addOutcomes(found: readonly Outcome[], { outcomes, also = [] }: PageTruth, wrong: string[]): void {
    const open = outcomes.map((line) => ({ line, isNeeded: true }));
    open.push(...also.map((line) => ({ line, isNeeded: false })));
    this.#outcomes.listed += outcomes.length;
    for (const { value, unit, direction, noun, kind, sentence } of found) {
      if (kind === "qualitative") continue;
      this.#outcomes.found += 1;
      const figure = `${value} ${unit ?? "count"} `;
      const same = open.filter(({ line }) => line.startsWith(figure));
      const label = same.find(({ line }) => line === `${figure}${direction}`) ?? same[0];
      if (label === undefined) {
        wrong.push(`outcome ${figure}${direction} is not listed: ${noun} | ${sentence}`);
        continue;
      }
      open.splice(open.indexOf(label), 1);
      this.#outcomes.right += 1;
      if (label.isNeeded) this.#outcomes.named += 1;
      if (label.line.endsWith(direction)) this.#outcomes.directed += 1;
      else wrong.push(`outcome ${figure}${direction}, not ${label.line}: ${noun} | ${sentence}`);
    }
    wrong.push(...open.flatMap(({ line, isNeeded }) => (isNeeded ? [`outcome ${line} is missing`] : [])));
  }

  get result() {
    const { client, industry, country } = this.#counts;
    const shares = ({ correct, wrong }: { correct: number; wrong: number }) => ({
      correct: share(correct, this.#pages),
      wrong: share(wrong, this.#pages),
    });
    const { found, right, listed, named, directed } = this.#outcomes;
    return {
      pages: this.#pages,
      client: shares(client),
      industry: shares(industry),
      country: shares(country),
      tools: {
        precision: share(this.#tools.right, this.#tools.found),
        recall: share(this.#tools.right, this.#tools.listed),
      },
      outcomes: { precision: share(right, found), recall: share(named, listed), direction: share(directed, right) },
    };
  }
}
