import type { CompanyAnalysis } from "../../app/studies.ts";
import type { CaseStudy, Company } from "../../vocabulary/case-study.ts";
import { joined, line, plural } from "./line.ts";

const OUTCOMES = 3;

/** `- Title: Vendor for Client · Banking · NO · 2024-03-05`, what came of it, and where to read it. */
export function studyText(study: CaseStudy, extra?: string): string {
  const { company, client } = study;
  const whom = client.name ?? client.domain;
  const facts = joined(
    [study.industry, study.country, study.published_at, extra].map((fact) => fact && line(fact, 100)),
  );
  const what = study.outcomes.slice(0, OUTCOMES).map(({ text }) => line(text, 160));
  return [
    `- ${line(study.title, 200)}: ${line(company.name, 100)}${whom ? ` for ${line(whom, 100)}` : ""}${facts && ` · ${facts}`}`,
    ...(what.length > 0 ? [`  Outcomes: ${what.join("; ")}`] : study.summary ? [`  ${line(study.summary)}`] : []),
    `  ${line(study.url, 500)} (id ${line(study.id, 300)})`,
  ].join("\n");
}

/** `Tidewell (slug tidewell, tidewell.example, Cloud computing): 4 case studies` */
export function companyText({ name, slug, domain, industry, total_case_studies }: Company): string {
  const facts = joined(
    [`slug ${slug}`, domain, industry].map((fact) => fact && line(fact, 200)),
    ", ",
  );
  return `${line(name, 200)} (${facts}): ${plural(total_case_studies, "case study", "case studies")}`;
}

/** Industries, clients and outcomes, each on a line. */
export function analysisText({ top_industries, top_clients, top_outcomes }: CompanyAnalysis): string[] {
  const industries = top_industries.map(({ industry, case_studies }) => `${line(industry, 100)} ${case_studies}`);
  const clients = top_clients.map(({ client, case_studies }) => `${line(client, 100)} ${case_studies}`);
  const outcomes = top_outcomes.map(({ metric, median, unit, direction, case_studies }) => {
    const figure = median === null ? null : `median ${median}${unit === null ? "" : ` ${line(unit, 30)}`}`;
    const facts = joined(
      [direction === "absolute" ? null : direction, figure, plural(case_studies, "story", "stories")],
      ", ",
    );
    return `${line(metric, 60)} (${facts})`;
  });
  return [
    ...(industries.length > 0 ? [`Industries: ${industries.join(", ")}`] : []),
    ...(clients.length > 0 ? [`Clients: ${clients.join(", ")}`] : []),
    ...(outcomes.length > 0 ? [`Outcomes: ${outcomes.join(", ")}`] : []),
  ];
}
