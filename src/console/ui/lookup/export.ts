import { csvCell } from "../../../core/csv.ts";
import type { Enrichment } from "../api-types.ts";

/** Downloads a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** CSV, with the cells that the API writes. */
export function toCsv(rows: readonly (readonly (string | number | null | undefined)[])[]): string {
  const cell = (value: string | number | null | undefined) =>
    typeof value === "string" ? csvCell(value) : String(value ?? "");
  return `${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

export function exportJson(result: Enrichment): void {
  saveFile(`${result.domain}.json`, "application/json", `${JSON.stringify(result, null, 2)}\n`);
}

/** One row per tool. */
export function exportCsv(result: Enrichment): void {
  const fields = ["tool", "category", "confidence", "vendor", "website", "version", "first_seen", "last_seen"] as const;
  const rows = result.tools.map((tool) => [
    ...fields.map((field) => tool[field]),
    tool.evidence?.length,
    tool.evidence?.[0]?.value,
    tool.level,
  ]);
  saveFile(
    `${result.domain}.csv`,
    "text/csv",
    toCsv([[...fields, "evidence_count", "best_evidence", "level"], ...rows]),
  );
}

/** The key is a variable, because commands are shared. */
export const curlCommand = (domain: string): string =>
  `curl -H "X-API-Key: $CASEFILE_KEY" "${location.origin}/v1/enrich/${encodeURIComponent(domain)}?include=evidence,sources"`;

/** The part of a result that the API returns by default: tools that are at least likely. */
export function likelyOnly(result: Enrichment): Enrichment {
  const tools = result.tools.filter(({ level }) => level !== "possible");
  const byCategory = Map.groupBy(tools, ({ category }) => category);
  return {
    ...result,
    tools,
    tools_detected: tools.length,
    by_category: Object.fromEntries(
      [...byCategory].map(([category, members]) => [category, members.map(({ tool }) => tool)]),
    ),
  };
}
