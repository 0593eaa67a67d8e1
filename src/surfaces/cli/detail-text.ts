import type { StudyDetail } from "../../app/app.ts";
import { details, minuteOf } from "./details.ts";
import { plain, table } from "./table.ts";

const PROVENANCE = [{ title: "FIELD" }, { title: "TOLD BY" }, { title: "SURE" }, { title: "SENTENCE", yields: true }];

/** A case study and what stands behind it: who told each field, what was corrected, and which page it is from. */
export function detailText(detail: StudyDetail, width: number): string {
  const { study, origin, provenance, corrections, versions, page } = detail;
  const { quote } = study;
  const speaker = quote && [quote.person, quote.role].filter(Boolean).join(", ");
  const said = quote && (quote.text === null ? speaker : `“${quote.text}” ${speaker}`);
  const parts = [
    details([
      ["ID", study.id],
      ["Title", study.title],
      ["Address", study.url],
      ["Company", `${study.company.name} (${study.company.slug})`],
      ["Client", [study.client.name, study.client.domain && `(${study.client.domain})`].filter(Boolean).join(" ")],
      ["Industry", study.industry],
      ["Country", study.country],
      ["Date", study.published_at],
      ["Language", study.language],
      ["Products", study.products.join(", ")],
      ["Tools", study.tools.join(", ")],
      ["Summary", study.summary],
      ["Challenge", study.challenge],
      ["Solution", study.solution],
      ["Quote", said],
      ["Origin", origin],
      [
        "Page",
        page &&
          `${page.state} ${minuteOf(page.gone_at ?? page.fetched_at)} UTC${page.reason ? `: ${page.reason}` : ""}`,
      ],
      ["Indexed", study.indexed_at === null ? "not yet" : `${minuteOf(study.indexed_at)} UTC`],
      ["Corrected", Object.keys(corrections).join(", ")],
      [
        "Versions",
        versions.map(({ revision, replaced_at }) => `${revision} until ${minuteOf(replaced_at)} UTC`).join(", "),
      ],
    ]),
  ];
  if (study.outcomes.length > 0) {
    parts.push(["Outcomes:", ...study.outcomes.map(({ text, metric }) => plain(`  • ${text} (${metric})`))].join("\n"));
  }
  if (provenance.length > 0) {
    const rows = provenance.map(({ pointer, engine, confidence, sentence }) => [
      pointer,
      engine,
      `${Math.round(confidence * 100)}%`,
      sentence ?? "",
    ]);
    parts.push(table(PROVENANCE, rows, width));
  }
  return parts.join("\n\n");
}
