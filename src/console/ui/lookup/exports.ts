import type { Enrichment } from "../api-types.ts";
import { csvOf, saveFile } from "../parts/save-file.ts";

export function exportJson(result: Enrichment): void {
  saveFile(`${result.domain}.json`, "application/json", `${JSON.stringify(result, null, 2)}\n`);
}

/** One row a tool. */
export function exportCsv(result: Enrichment): void {
  const rows = result.tools.map((tool) => [
    ...[tool.tool, tool.category, tool.confidence, tool.vendor, tool.website, tool.version],
    ...[tool.first_seen, tool.last_seen, tool.evidence?.length, tool.evidence?.[0]?.value],
  ]);
  const heads = [
    ...["tool", "category", "confidence", "vendor", "website", "version"],
    ...["first_seen", "last_seen", "proofs", "first_proof"],
  ];
  saveFile(`${result.domain}.csv`, "text/csv", csvOf([heads, ...rows]));
}

/** The key is left for the person to put in: a command is shared more freely than a key should be. */
export const curlOf = (domain: string): string =>
  `curl -H "X-API-Key: $CASEFILE_KEY" "${location.origin}/v1/enrich/${encodeURIComponent(domain)}?include=evidence,sources"`;
