import { levelOf } from "../detection/levels.ts";
import { enrichmentView, type Include } from "../detection/view.ts";
import type { Column, Row } from "../tabular/table.ts";
import type { BatchItem } from "./types.ts";

/** One row for each tool, or one for each company. */
export const ROW_KINDS = ["companies", "tools"] as const;
export type RowKind = (typeof ROW_KINDS)[number];

const LEADING: readonly Column[] = [
  { name: "input", type: "text" },
  { name: "domain", type: "text" },
  { name: "status", type: "text" },
];
const TRAILING: readonly Column[] = [
  { name: "scanned_at", type: "instant" },
  { name: "cached", type: "boolean" },
  { name: "error_code", type: "text" },
  { name: "error", type: "text" },
];
const COLUMNS: Readonly<Record<RowKind, readonly Column[]>> = {
  companies: [...LEADING, { name: "tools_detected", type: "integer" }, { name: "tools", type: "list" }, ...TRAILING],
  tools: [
    ...LEADING,
    { name: "tool", type: "text" },
    { name: "category", type: "text" },
    { name: "confidence", type: "number" },
    { name: "level", type: "text" },
    { name: "vendor", type: "text" },
    { name: "website", type: "text" },
    { name: "version", type: "text" },
    { name: "product_of", type: "text" },
    { name: "first_seen", type: "instant" },
    { name: "last_seen", type: "instant" },
    { name: "evidence_count", type: "integer" },
    { name: "best_evidence", type: "text" },
    ...TRAILING,
  ],
};

/** The results of a batch as a table. The columns of the list come first; one with the name of a result's column gets the prefix `input_`. */
export function tableOf(items: AsyncIterable<BatchItem>, columns: readonly string[], kind: RowKind) {
  const own = COLUMNS[kind];
  const ownNames = new Set(own.map(({ name }) => name));
  const taken = new Set([...ownNames, ...columns]);
  const nameOf = (column: string): string => {
    if (!ownNames.has(column)) return column;
    let name = `input_${column}`;
    while (taken.has(name)) name = `input_${name}`;
    taken.add(name);
    return name;
  };
  const further = columns.map((column) => ({ column, name: nameOf(column) }));
  async function* rows(): AsyncGenerator<Row> {
    for await (const item of items) {
      const cells = Object.fromEntries(further.map(({ column, name }) => [name, cellOf(item, column)]));
      for (const row of rowsOf(item, kind)) yield { ...cells, ...row };
    }
  }
  return {
    columns: [...further.map(({ name }): Column => ({ name, type: "text" })), ...own],
    rows: rows(),
  };
}

/** A name may be one that every object inherits, such as `constructor`. */
const cellOf = ({ cells }: BatchItem, column: string): string | null =>
  Object.hasOwn(cells, column) ? (cells[column] ?? null) : null;

function rowsOf({ input, domain, state, error, result }: BatchItem, kind: RowKind): readonly Row[] {
  const common: Row = {
    input,
    domain: result?.domain ?? domain,
    status: state,
    scanned_at: result?.scanned_at ?? null,
    cached: result?.cached ?? null,
    error_code: error?.code ?? null,
    error: error?.detail ?? null,
  };
  if (result === null) return [common];
  if (kind === "companies") {
    const tools = result.detections.map(({ tool }) => tool);
    return [{ ...common, tools_detected: tools.length, tools }];
  }
  if (result.detections.length === 0) return [common];
  return result.detections.map((detection) => {
    const { tool, category, confidence, vendor, website, version, product_of, first_seen, last_seen, evidence } =
      detection;
    const best = evidence[0];
    return {
      ...common,
      ...{ tool, category, confidence, level: levelOf(confidence), vendor, website, version, product_of },
      ...{ first_seen, last_seen, evidence_count: evidence.length },
      best_evidence: best === undefined ? null : `${best.signal} ${best.value}`,
    };
  });
}

/** One result as JSON: the row of the list, and what `GET /v1/enrich/{domain}` returns. */
export function resultView({ input, cells, domain, state, error, result }: BatchItem, include: Include) {
  const row = { input, ...(Object.keys(cells).length > 0 ? { columns: cells } : {}), domain, status: state };
  if (result !== null) return { ...row, ...enrichmentView(result, include) };
  return error === null ? row : { ...row, code: error.code, detail: error.detail };
}

/** Results as JSON lines, one for each row of the list. */
export async function* jsonLines(items: AsyncIterable<BatchItem>, include: Include): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(resultView(item, include))}\n`;
}
