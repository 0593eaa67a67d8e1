import { csvCell } from "../../core/csv.ts";
import type { CaseStudy } from "../types.ts";

/** A case study as the API returns it, with what an import needs to restore it exactly. */
export interface ExportedStudy extends Omit<CaseStudy, "company"> {
  readonly company: {
    readonly name: string;
    readonly slug: string;
    readonly domain: string | null;
    readonly industry: string | null;
    readonly logo_url: string | null;
  };
  /** The industry as the source writes it, when it differs from the taxonomy's name. */
  readonly industry_raw?: string | null;
  readonly body: string | null;
  readonly licence: string | null;
}

export interface ExportSource {
  /** Up to `size` case studies after an id, in a stable order; an empty list at the end. */
  readonly page: (after: string | null, size: number) => Promise<readonly ExportedStudy[]>;
  readonly format: "jsonl" | "csv";
  /** Receives the number of case studies written so far. */
  readonly onProgress?: ((count: number) => void) | undefined;
}

const PAGE = 200;

/** Every case study as JSON Lines or CSV text, read page by page as the consumer takes it. The text can be imported. */
export async function* exportStudies({ page, format, onProgress }: ExportSource): AsyncGenerator<string> {
  if (format === "csv") yield `${COLUMNS.map(([name]) => name).join(",")}\r\n`;
  let count = 0;
  for (let after: string | null = null; ; ) {
    const studies: readonly ExportedStudy[] = await page(after, PAGE);
    const last = studies.at(-1);
    if (last === undefined) return;
    yield studies.map(format === "csv" ? csvRow : jsonLine).join("");
    count += studies.length;
    onProgress?.(count);
    after = last.id;
  }
}

const jsonLine = (study: ExportedStudy) => `${JSON.stringify(study)}\n`;

const csvRow = (study: ExportedStudy) => `${COLUMNS.map(([, read]) => csvCell(read(study) ?? "")).join(",")}\r\n`;

const jsonList = (values: readonly unknown[]) => (values.length === 0 ? null : JSON.stringify(values));

const COLUMNS: readonly (readonly [string, (study: ExportedStudy) => string | null])[] = [
  ["id", ({ id }) => id],
  ["title", ({ title }) => title],
  ["url", ({ url }) => url],
  ["company_name", ({ company }) => company.name],
  ["company_slug", ({ company }) => company.slug],
  ["company_domain", ({ company }) => company.domain],
  ["company_industry", ({ company }) => company.industry],
  ["company_logo_url", ({ company }) => company.logo_url],
  ["client_name", ({ client }) => client.name],
  ["client_domain", ({ client }) => client.domain],
  ["industry", ({ industry, industry_raw }) => industry_raw ?? industry],
  ["country", ({ country }) => country],
  ["summary", ({ summary }) => summary],
  ["challenge", ({ challenge }) => challenge],
  ["solution", ({ solution }) => solution],
  ["outcomes", ({ outcomes }) => jsonList(outcomes)],
  ["products", ({ products }) => jsonList(products)],
  ["tools", ({ tools }) => jsonList(tools)],
  ["quote_text", ({ quote }) => quote?.text ?? null],
  ["quote_person", ({ quote }) => quote?.person ?? null],
  ["quote_role", ({ quote }) => quote?.role ?? null],
  ["published_at", ({ published_at }) => published_at],
  ["language", ({ language }) => language],
  ["body", ({ body }) => body],
  ["origin", ({ origin }) => origin],
  ["licence", ({ licence }) => licence],
];
