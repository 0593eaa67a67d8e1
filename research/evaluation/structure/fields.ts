import { tmpdir } from "node:os";
import { join } from "node:path";
import { YAML } from "bun";
import { extractPage } from "../../../src/casestudies/extract/extract-child.ts";
import { createCountryParser } from "../../../src/casestudies/fields.ts";
import { type ClientFields, createClientFieldsReader } from "../../../src/casestudies/structure/local-engine.ts";
import { nameWords, organisationKey } from "../../../src/casestudies/structure/names.ts";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import {
  loadBuiltInCities,
  loadBuiltInIndustries,
  loadBuiltInOrganisations,
} from "../../../src/casestudies/taxonomy/packed.ts";
import type { PageText } from "../../../src/casestudies/types.ts";
import { openBuiltInEncoder } from "../../../src/embedding/built-in.ts";
import { type CorpusRecord, type StructureCorpus, vendorsKeptApart } from "./corpus.ts";
import { loadToolNames } from "./knowledge.ts";
import { pageOf, vendorOf } from "./record-page.ts";

const STARTER = join(import.meta.dir, "../../../data/starter");

/** The fields of a hand-made record of the starter index that are compared. */
interface Starter {
  readonly industry: string | null;
  readonly country: string | null;
  readonly tools?: readonly string[];
  readonly products?: readonly string[];
}

interface Read {
  readonly record: CorpusRecord;
  readonly reading: ClientFields;
  readonly page: PageText;
  readonly starter: Starter | undefined;
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : Number((part / whole).toFixed(3)));

/**
 * Compares clients, domains, industries, countries, tools and products with the records and the starter index. The
 * vendors are also reported in two halves: weights fitted on one half generalise to the other.
 */
export async function measureFields(corpus: StructureCorpus, { misses }: { misses: boolean }): Promise<unknown> {
  const industries = loadBuiltInIndustries();
  const encoder = await openBuiltInEncoder({ unpackDir: tmpdir() });
  const toolNames = loadToolNames();
  const parts = {
    industries,
    parseCountry: createCountryParser(),
    toolNames,
    organisations: loadBuiltInOrganisations(),
    cities: loadBuiltInCities(),
  };
  const read = createClientFieldsReader({ ...parts, embed: (texts) => encoder.encode(texts, "passage") });
  const bare = createClientFieldsReader(parts);
  const reads: Read[] = [];
  let milliseconds = 0;
  let words = 0;
  for (const record of corpus.records) {
    const page = pageOf(record);
    const vendor = vendorOf(record);
    const story = readStory(page);
    const begun = performance.now();
    await bare(page, vendor, story);
    milliseconds += performance.now() - begun;
    words += record.body_markdown.split(/\s+/).length;
    reads.push({ record, page, reading: await read(page, vendor, story), starter: await starterOf(record.id) });
  }
  const keptApart = vendorsKeptApart(corpus.records);
  const isFirst = ({ record }: Read) => !keptApart.has(record.vendor_slug);
  const isShown = (one: Read) => misses && isFirst(one);
  const figures = {
    client: {
      all: clientFigures(reads, isShown),
      first_half: clientFigures(reads.filter(isFirst)),
      second_half: clientFigures(reads.filter((one) => !isFirst(one))),
      pages_as_served: clientFigures(await readPages(corpus, bare), isShown),
    },
    domain: domainFigures(reads, isShown),
    industry: {
      by_hand: industryFigures(
        reads,
        ({ starter }) => starter?.industry,
        ({ starter }) => starter?.industry === null,
      ),
      by_source: industryFigures(
        reads,
        ({ record }) => record.industry && industries.resolve(record.industry).slug,
        () => false,
      ),
    },
    country: countryFigures(reads, isShown),
    tools: listFigures(reads, toolNames, "tools"),
    products: listFigures(reads, [], "products"),
    ms_per_1500_words: Number(((milliseconds / words) * 1_500).toFixed(2)),
  };
  await encoder.close();
  // Timings depend on the machine and are not saved.
  const { ms_per_1500_words, ...kept } = figures;
  console.log(YAML.stringify(figures, null, 2));
  return kept;
}

/** Pages as their site served them, through the extractor. */
async function readPages(corpus: StructureCorpus, read: ReturnType<typeof createClientFieldsReader>): Promise<Read[]> {
  const reads: Read[] = [];
  for (const { kind, record, page: fetched } of corpus.pages) {
    if (kind !== "rendered") continue;
    const page = await extractPage(fetched);
    reads.push({ record, page, reading: await read(page, vendorOf(record), readStory(page)), starter: undefined });
  }
  return reads;
}

async function starterOf(id: string): Promise<Starter | undefined> {
  const file = Bun.file(join(STARTER, `${id.replace("--", "/")}.yaml`));
  return (await file.exists()) ? (YAML.parse(await file.text()) as Starter) : undefined;
}

/** An expected value may have two names: `Leinao (Bitahub)`. */
const variantsOf = (truth: string) =>
  [
    truth,
    truth.replace(/\([^)]*\)/g, " "),
    ...[...truth.matchAll(/\(([^)]*)\)/g)].map(([, inner = ""]) => inner),
  ].filter((name) => organisationKey(name).length > 1);
const namesOf = (truth: string) => new Set(variantsOf(truth).map(organisationKey));

/** Another name of the same company: "Camunda" for "Camunda Services GmbH". */
function isVariant(told: string, truth: string): boolean {
  const [a, b] = [organisationKey(told), organisationKey(truth)];
  return a.includes(b) || b.includes(a) || told.split(" ")[0]?.toLowerCase() === truth.split(" ")[0]?.toLowerCase();
}

function clientFigures(reads: readonly Read[], isShown: (read: Read) => boolean = () => false) {
  const counts = {
    records: reads.length,
    named: 0,
    named_in_text: 0,
    right: 0,
    variants: 0,
    other_company: 0,
    unnamed: 0,
    told_where_unnamed: 0,
  };
  for (const one of reads) {
    const { record, reading, page } = one;
    const told = reading.client?.name ?? null;
    if (record.client === null) {
      counts.unnamed += 1;
      if (told !== null) counts.told_where_unnamed += 1;
    } else {
      const names = namesOf(record.client);
      const text = ` ${[page.title, page.description, page.markdown].flatMap((each) => wordsIn(each ?? "")).join(" ")} `;
      counts.named += 1;
      if (spellingsOf(record.client).some((name) => text.includes(` ${name} `))) counts.named_in_text += 1;
      if (told !== null && names.has(organisationKey(told))) counts.right += 1;
      else if (told !== null && isVariant(told, record.client)) counts.variants += 1;
      else if (told !== null) counts.other_company += 1;
    }
    const isRight =
      record.client === null ? told === null : told !== null && namesOf(record.client).has(organisationKey(told));
    if (!isRight && isShown(one))
      console.log(`  ${record.id}: ${record.client} · told ${told} (${reading.client?.confidence.toFixed(2) ?? "–"})`);
  }
  return {
    ...counts,
    accuracy: share(counts.right, counts.named),
    accuracy_where_text_names: share(counts.right, counts.named_in_text),
    wrong_rate: share(counts.variants + counts.other_company + counts.told_where_unnamed, counts.records),
    wrong_company_rate: share(counts.other_company + counts.told_where_unnamed, counts.records),
  };
}

const wordsIn = (text: string) => (text.match(/[^\n]{1,180}/g) ?? []).flatMap(nameWords);

/** The words of the expected names, without legal forms. */
const spellingsOf = (truth: string) =>
  variantsOf(truth).map((name) => {
    const words = nameWords(name);
    while (words.length > 1 && organisationKey(words.join(" ")) !== words.join("")) words.pop();
    return words.join(" ");
  });

function domainFigures(reads: readonly Read[], isShown: (read: Read) => boolean) {
  const known = reads.filter(({ record }) => record.client_domain !== null);
  const isRight = ({ record, reading }: Read) => reading.client?.domain === record.client_domain;
  const told = known.filter(({ reading }) => reading.client?.domain != null);
  const right = told.filter(isRight);
  for (const one of told.filter((each) => !isRight(each) && isShown(each)))
    console.log(`  ${one.record.id}: ${one.record.client_domain} · told ${one.reading.client?.domain}`);
  return {
    known: known.length,
    told: told.length,
    right: right.length,
    precision: share(right.length, told.length),
    recall: share(right.length, known.length),
    told_where_unknown: reads.filter(
      ({ record, reading }) => record.client_domain === null && reading.client?.domain != null,
    ).length,
  };
}

function industryFigures(
  reads: readonly Read[],
  truthOf: (read: Read) => string | null | undefined,
  isNone: (read: Read) => boolean,
) {
  const known = reads.filter((one) => truthOf(one));
  const right = known.filter((one) => one.reading.industry?.slug === truthOf(one));
  const none = reads.filter(isNone);
  const confusion = new Map<string, number>();
  for (const one of known) {
    if (one.reading.industry?.slug === truthOf(one)) continue;
    const pair = `${truthOf(one)} → ${one.reading.industry?.slug ?? "none"}`;
    confusion.set(pair, (confusion.get(pair) ?? 0) + 1);
  }
  return {
    known: known.length,
    right: right.length,
    accuracy: share(right.length, known.length),
    none: none.length,
    told_where_none: none.filter(({ reading }) => reading.industry !== null).length,
    confusion: Object.fromEntries([...confusion].sort((a, b) => b[1] - a[1]).slice(0, 12)),
  };
}

function countryFigures(reads: readonly Read[], isShown: (read: Read) => boolean) {
  const labelled = reads.filter(({ starter }) => starter !== undefined);
  const known = labelled.filter(({ starter }) => starter?.country != null);
  const right = known.filter(({ starter, reading }) => reading.country?.code === starter?.country);
  const wrong = known.filter(
    ({ starter, reading }) => reading.country !== null && reading.country.code !== starter?.country,
  );
  for (const { record, starter, reading } of wrong.filter(isShown))
    console.log(`  ${record.id}: ${starter?.country} · told ${reading.country?.code}`);
  return {
    known: known.length,
    right: right.length,
    wrong: wrong.length,
    recall: share(right.length, known.length),
    unknown: labelled.length - known.length,
    told_where_unknown: labelled.filter(({ starter, reading }) => starter?.country == null && reading.country !== null)
      .length,
  };
}

/** The starter records list what a client works with; a text may name more. */
function listFigures(
  reads: readonly Read[],
  names: readonly { readonly name: string; readonly aliases: readonly string[] }[],
  field: "tools" | "products",
) {
  const canonical = new Map(
    names.flatMap(({ name, aliases }) => [name, ...aliases].map((each) => [each.toLowerCase(), name] as const)),
  );
  const keyOf = (name: string) => organisationKey(canonical.get(name.toLowerCase()) ?? name);
  let [told, listed, both] = [0, 0, 0];
  for (const { starter, reading } of reads) {
    if (starter === undefined) continue;
    const truth = new Set((starter[field] ?? []).map(keyOf));
    const found = new Set(reading[field].map(({ name }) => keyOf(name)));
    told += found.size;
    listed += truth.size;
    both += [...found].filter((name) => truth.has(name)).length;
  }
  return { listed, told, both, told_that_are_listed: share(both, told), listed_that_are_told: share(both, listed) };
}
