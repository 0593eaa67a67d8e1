import { tmpdir } from "node:os";
import { createCountryParser } from "../../../src/casestudies/fields.ts";
import { createKnownOrganisations } from "../../../src/casestudies/structure/industry.ts";
import { type ClientFields, createClientFieldsReader } from "../../../src/casestudies/structure/local-engine.ts";
import { createVendorNames, nameWords, organisationKey } from "../../../src/casestudies/structure/names.ts";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import {
  loadBuiltInCities,
  loadBuiltInIndustries,
  loadBuiltInOrganisations,
} from "../../../src/casestudies/taxonomy/packed.ts";
import { openBuiltInEncoder } from "../../../src/embedding/built-in.ts";
import { type Case, FORMS, type Form, loadCases } from "./cases.ts";
import { type StructureCorpus, vendorsKeptApart } from "./corpus.ts";
import { clientChoices, fitClient } from "./fit-client.ts";
import { acceptedIndustries, fitIndustry, industryChoices } from "./fit-industry.ts";
import { createToolKeys, fitTools, toolChoices, toolTruth } from "./fit-tools.ts";
import { loadNameKnowledge, loadToolNames } from "./knowledge.ts";
import { loadTrainingPages } from "./vendor-pages.ts";

interface Answer {
  readonly one: Case;
  readonly form: Form;
  readonly fields: ReadFields;
}

/** What is measured of the fields that an engine reads. */
interface ReadFields {
  readonly client: Pick<NonNullable<ClientFields["client"]>, "name"> | null;
  readonly industry: Pick<NonNullable<ClientFields["industry"]>, "slug"> | null;
  readonly country: Pick<NonNullable<ClientFields["country"]>, "code"> | null;
  readonly tools: readonly Pick<ClientFields["tools"][number], "name">[];
}

/**
 * Fields of the 150 case studies that were read, each read with all weights fitted without its vendor, and once more with the
 * weights of the product, which know it. The first is what to expect of a vendor that nobody has seen; the rules and
 * lists of names are the same for both.
 */
export async function measureTransfer(corpus: StructureCorpus, { misses }: { misses: boolean }): Promise<unknown> {
  const cases = await loadCases(corpus.records);
  const encoder = await openBuiltInEncoder({ unpackDir: tmpdir() });
  const toolNames = loadToolNames();
  const organisations = loadBuiltInOrganisations();
  const parts = {
    industries: loadBuiltInIndustries(),
    parseCountry: createCountryParser(),
    toolNames,
    organisations,
    cities: loadBuiltInCities(),
    embed: (texts: readonly string[]) => encoder.encode(texts, "passage"),
  };
  const training = [...cases, ...(await loadTrainingPages())];
  const clients = clientChoices(training, loadNameKnowledge());
  const tools = toolChoices(training, toolNames);
  const industries = await industryChoices(training, {
    ...parts,
    organisations: createKnownOrganisations(organisations),
  });
  const vendors = [...new Set(cases.map(({ record }) => record.vendor_slug))].sort();
  const keptApart = vendorsKeptApart(corpus.records);
  const unseen: Answer[] = [];
  const known: Answer[] = [];
  const readKnown = createClientFieldsReader(parts);
  for (const vendor of vendors) {
    const isOther = (choice: { readonly vendor: string }) => choice.vendor !== vendor;
    const read = createClientFieldsReader({
      ...parts,
      models: {
        client: fitClient(clients.filter(isOther)),
        tools: fitTools(tools.filter(isOther)),
        industry: fitIndustry(industries.filter(isOther)),
      },
    });
    for (const one of cases) {
      if (one.record.vendor_slug !== vendor || one.readings.length === 0) continue;
      for (const { form, page, vendor: publisher } of one.forms) {
        const story = readStory(page);
        unseen.push({ one, form, fields: await read(page, publisher, story) });
        known.push({ one, form, fields: await readKnown(page, publisher, story) });
      }
    }
  }
  await encoder.close();
  const keyOf = createToolKeys(toolNames);
  const byForm = (answers: readonly Answer[], shown: boolean) =>
    Object.fromEntries(
      FORMS.map((form) => [
        form,
        figuresOf(
          answers.filter((answer) => answer.form === form),
          keyOf,
          ({ record }) => shown && form === "html" && !keptApart.has(record.vendor_slug),
        ),
      ]),
    );
  const figures = {
    vendors: vendors.length,
    unseen_vendor: byForm(unseen, misses),
    unseen_vendor_unread_half: byForm(
      unseen.filter(({ one }) => keptApart.has(one.record.vendor_slug)),
      false,
    ),
    known_vendor: byForm(known, false),
  };
  console.log(Bun.YAML.stringify(figures, null, 2));
  return figures;
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : Number((part / whole).toFixed(3)));

/** `correct` and `wrong` are shares of all pages; where the page does not say, null is correct. */
export function figuresOf(
  answers: readonly Pick<Answer, "one" | "fields">[],
  keyOf: (name: string) => string,
  isShown: (one: Case) => boolean = () => false,
) {
  const tally = () => ({ correct: 0, wrong: 0, missed: 0 });
  const [client, industry, country] = [tally(), tally(), tally()];
  const tools = { found: 0, right: 0, used: 0 };
  const stated = { pages: 0, correct: 0 };
  const judge = (
    counts: ReturnType<typeof tally>,
    what: string,
    one: Case,
    found: string | null,
    isRight: boolean,
    expected: string,
  ) => {
    counts[isRight ? "correct" : found === null ? "missed" : "wrong"] += 1;
    if (!isRight && isShown(one)) console.log(`${one.record.id}: ${what} ${found}, not ${expected}`);
  };
  for (const { one, fields } of answers) {
    const { record, readings, client: names = [] } = one;
    const name = fields.client?.name ?? null;
    const keys = new Set(names.map(organisationKey));
    const isNamed = name === null ? keys.size === 0 : keys.has(organisationKey(name));
    judge(client, "client", one, name, isNamed, names[0] ?? "none");
    const slug = fields.industry?.slug ?? null;
    const accepted = acceptedIndustries(one) ?? new Set<string>();
    const isIndustry = slug === null ? accepted.size === 0 : accepted.has(slug);
    judge(industry, "industry", one, slug, isIndustry, String(readings[0]?.industry));
    const code = fields.country?.code ?? null;
    const isCountry = readings.some((reading) => reading.country === code);
    judge(country, "country", one, code, isCountry, String(readings[0]?.country));
    if (readings.some((reading) => reading.country !== null)) {
      stated.pages += 1;
      if (code !== null && isCountry) stated.correct += 1;
    }
    const vendor = createVendorNames({ name: record.vendor, slug: record.vendor_slug, domain: null }, null);
    const isOwn = (tool: string) => vendor.isVendorOrProduct(organisationKey(tool), nameWords(tool));
    const truth = toolTruth(one, keyOf);
    const used = new Set(
      readings
        .flatMap((reading) => reading.tools)
        .flatMap((tool) => (tool.status !== "uses" || isOwn(tool.name) ? [] : [keyOf(tool.name)])),
    );
    const found = new Set(
      fields.tools.map((tool) => keyOf(tool.name)).filter((key) => !truth.has(key) || truth.get(key) !== undefined),
    );
    if (isShown(one)) {
      for (const key of found.difference(used)) console.log(`${record.id}: tool ${key} is not used`);
      for (const key of used.difference(found)) console.log(`${record.id}: tool ${key} is missing`);
    }
    tools.used += used.size;
    tools.found += found.size;
    tools.right += [...found].filter((key) => truth.get(key) === true).length;
  }
  const pages = answers.length;
  const shares = ({ correct, wrong, missed }: ReturnType<typeof tally>) => ({
    correct: share(correct, pages),
    wrong: share(wrong, pages),
    missed: share(missed, pages),
  });
  return {
    pages,
    client: shares(client),
    industry: shares(industry),
    country: { ...shares(country), stated: stated.pages, correct_where_stated: share(stated.correct, stated.pages) },
    tools: { precision: share(tools.right, tools.found), recall: share(tools.right, tools.used), used: tools.used },
  };
}
