import type { Enrichment, SeenDetection } from "../../app/app.ts";
import type { Include } from "../enrichment-view.ts";
import { plain, table } from "./table.ts";

/** As much of a result as is shown; what a tool's proof means is not told by a service elsewhere. */
export interface ShownEnrichment extends Pick<Enrichment, "domain" | "scanned_at" | "cached" | "sources"> {
  readonly detections: readonly ShownDetection[];
}
interface ShownDetection extends Pick<SeenDetection, "tool" | "category" | "version" | "confidence"> {
  readonly means?: string;
  readonly evidence: readonly Readonly<Record<"signal" | "value" | "location" | "rule" | "strength", string>>[];
}

/** A person's view of a result: tools by category with their best proof, then what could not be checked. */
export function enrichmentText(enrichment: ShownEnrichment, include: Include, width: number): string {
  const { detections, domain, sources } = enrichment;
  const missed = sources.filter(({ status }) => status === "timeout" || status === "failed");
  const when = `${enrichment.cached ? "stored result of " : ""}${enrichment.scanned_at.slice(0, 16).replace("T", " ")} UTC`;
  const parts = [
    `${plain(domain)}: ${detections.length} ${detections.length === 1 ? "tool" : "tools"} (${when})`,
    detections.length > 0 ? table(COLUMNS, detections.map(row), width) : "No tool was told from what could be seen.",
  ];
  if (include.evidence) parts.push(detections.map(evidenceText).join("\n\n"));
  if (include.sources) {
    const rows = sources.map(({ source, status, duration_ms, detail }) => [
      source,
      status,
      `${duration_ms} ms`,
      detail ?? "",
    ]);
    parts.push(table([{ title: "SOURCE" }, { title: "STATUS" }, { title: "TIME" }, { title: "DETAIL" }], rows, width));
  } else if (missed.length > 0) {
    parts.push(
      `Not fully checked: ${missed.map(({ source, status }) => `${source} (${status})`).join(", ")}. Add --include sources for the reasons.`,
    );
  }
  return parts.join("\n\n");
}

const COLUMNS = [{ title: "CATEGORY" }, { title: "TOOL" }, { title: "SURE" }, { title: "BEST PROOF", yields: true }];

function row({ category, tool, version, confidence, evidence }: ShownDetection): string[] {
  const best = evidence[0];
  const proof = best ? `${best.signal} ${best.value}${best.location ? ` (${best.location})` : ""}` : "";
  return [category, version ? `${tool} ${version}` : tool, `${Math.round(confidence * 100)}%`, proof];
}

function evidenceText({ tool, means, evidence }: ShownDetection): string {
  const lines = evidence.map(
    ({ signal, value, location, rule, strength }) =>
      plain(`  ${signal}  ${value}\n`).replace(/ $/, "\n") + plain(`    ${strength}, rule ${rule}, at ${location}`),
  );
  return [means === undefined ? tool : `${tool} (${means})`, ...lines].join("\n");
}
