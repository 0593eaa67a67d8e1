import { parse } from "csv-parse/sync";
import { createEvidenceStore } from "../../src/detection/evidence.ts";
import type { Catalogue } from "../../src/detection/fingerprints/catalogue.ts";

export interface JobFigures {
  readonly links: number;
  readonly agreement: number;
}

/**
 * Whether a job link on a company page reveals its applicant tracking system: `company,job_url,expected_ats`. The site has the
 * name of the company.
 */
export function evaluateJobLinks(
  csv: string,
  catalogue: Catalogue,
  idsOf: (label: string) => Set<string>,
): [JobFigures, string[]] {
  const rows: Record<string, string>[] = parse(csv, { columns: true, skip_empty_lines: true });
  const missed = rows.flatMap(({ company = "", job_url = "", expected_ats = "" }) => {
    const ledger = createEvidenceStore(catalogue);
    const location = `https://${company.toLowerCase().replace(/[^a-z0-9]/g, "") || "company"}.example/careers`;
    ledger.add("jobs", { kind: "html.anchor", value: job_url, location });
    const wanted = idsOf(expected_ats);
    return ledger.detections().some(({ id }) => wanted.has(id)) ? [] : [`${company}: ${expected_ats} ${job_url}`];
  });
  const found = rows.length - missed.length;
  return [{ links: rows.length, agreement: Math.round((1_000 * found) / Math.max(1, rows.length)) / 1_000 }, missed];
}
