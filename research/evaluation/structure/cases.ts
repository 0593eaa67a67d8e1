import { join } from "node:path";
import { YAML } from "bun";
import { extractPage } from "../../../src/casestudies/extract/extract-child.ts";
import { extractMarkdown } from "../../../src/casestudies/extract/markdown-file.ts";
import { vendorOf as vendorOfAddress } from "../../../src/casestudies/intake/read-file.ts";
import type { PageText, Vendor } from "../../../src/casestudies/types.ts";
import type { CorpusRecord } from "./corpus.ts";
import { dressPage } from "./page-shells.ts";
import { pageOf, vendorOf } from "./record-page.ts";

const LABELS = join(import.meta.dir, "../../labels/case-studies.jsonl");
const STARTER = join(import.meta.dir, "../../../data/starter");

/** A reading of a case study by a person, as `research/labels/case-studies.jsonl` has it. */
export interface Reading {
  readonly client: { readonly name: string | null; readonly alternatives: readonly string[] };
  readonly country: string | null;
  /** One of the 23 industries of the labels; the taxonomy of the product is finer. */
  readonly industry: string | null;
  readonly tools: readonly { readonly name: string; readonly status: "uses" | "mentioned" | "migrated_from" }[];
}

/** What the weights are fitted on. */
export type TrainingCase = Pick<Case, "readings" | "client" | "country" | "forms"> & {
  readonly record: Pick<CorpusRecord, "id" | "vendor_slug">;
  readonly industry?: Case["industry"];
  /** Number of cases that count as one vendor, where it is not that of the vendor. */
  readonly siblings?: number;
  /** Accepted slugs, in place of those of the readings. */
  readonly industries?: readonly string[];
};

/** A page of an invented vendor. */
export type TrainingPage = TrainingCase & {
  /** `40 %`: value and unit of each outcome. */
  readonly figures: readonly string[];
};

/** One case study with what people read in it, in the three forms in which the product may get it. */
export interface Case {
  readonly record: CorpusRecord;
  /** The readings of `case-studies.jsonl`; empty when it was not read for it. */
  readonly readings: readonly Reading[];
  /** Accepted names of the client: empty where the page does not name it. Undefined: nobody read it. */
  readonly client: readonly string[] | undefined;
  /** Slug of the product's taxonomy, from the included case studies. */
  readonly industry: string | null | undefined;
  readonly country: string | null | undefined;
  readonly forms: readonly { readonly form: Form; readonly page: PageText; readonly vendor: Vendor }[];
}

/**
 * `record`: title, summary and Markdown of the record, with the vendor's name. `html`: the same in one of three invented
 * sites without fields for client and industry, `markdown`: the bare Markdown without a title; both with a vendor named
 * after the address.
 */
export const FORMS = ["record", "html", "markdown"] as const;
export type Form = (typeof FORMS)[number];

/** Shells of `page-shells.ts` that do not print the record's client and industry. */
const PLAIN_SHELLS = [0, 3, 4];

export async function loadCases(records: readonly CorpusRecord[]): Promise<Case[]> {
  const labels = new Map<string, readonly Reading[]>(
    (await Bun.file(LABELS).text())
      .split("\n")
      .filter((line) => line !== "")
      .map((line): { id: string; readings: readonly Reading[] } => JSON.parse(line))
      .map(({ id, readings }) => [id, readings]),
  );
  const cases: Case[] = [];
  for (const [index, record] of records.entries()) {
    const readings = labels.get(record.id) ?? [];
    const starter = await starterOf(record.id);
    const turn = index * 5 + (PLAIN_SHELLS[index % PLAIN_SHELLS.length] ?? 0);
    const dressed = dressPage(record, Bun.markdown.html(record.body_markdown), turn);
    const vendor = vendorOfAddress(record.url);
    cases.push({
      record,
      readings,
      client: clientOf(record, readings),
      industry: starter?.industry,
      country: readings.length > 0 ? (readings[0]?.country ?? null) : starter?.country,
      forms: [
        { form: "record", page: pageOf(record), vendor: vendorOf(record) },
        { form: "html", page: await extractPage(dressed), vendor },
        { form: "markdown", page: extractMarkdown(record.body_markdown, record.url), vendor },
      ],
    });
  }
  return cases;
}

/** The names that the readings give, else that of the record, which may have two: `Leinao (Bitahub)`. */
function clientOf({ client }: CorpusRecord, readings: readonly Reading[]): readonly string[] {
  if (readings.length > 0)
    return readings.flatMap(({ client: { name, alternatives } }) => (name === null ? [] : [name, ...alternatives]));
  if (client === null) return [];
  return [
    client,
    client.replace(/\([^)]*\)/g, " "),
    ...[...client.matchAll(/\(([^)]*)\)/g)].map(([, inner = ""]) => inner),
  ];
}

async function starterOf(id: string): Promise<{ industry: string | null; country: string | null } | undefined> {
  const file = Bun.file(join(STARTER, `${id.replace("--", "/")}.yaml`));
  return (await file.exists())
    ? (YAML.parse(await file.text()) as { industry: string | null; country: string | null })
    : undefined;
}
