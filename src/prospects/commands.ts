import { type Command, InvalidArgumentError, Option } from "commander";
import type * as answers from "../../client/src/index.ts";
import { countryName } from "../casestudies/fields.ts";
import type { IndexService } from "../casestudies/index/service.ts";
import { withStarter } from "../casestudies/index-now.ts";
import type { StarterService } from "../casestudies/starter/service.ts";
import type { CliHost } from "../cli/host.ts";
import { readCount } from "../cli/list-options.ts";
import { fromServer, serverOption } from "../cli/remote.ts";
import { jsonText, plain, table } from "../cli/table.ts";
import type { StackService } from "../stack/service.ts";
import { BRIEF_FORMATS, type BriefFormat, briefHtml, briefMarkdown } from "./brief-format.ts";
import type { ProofRequest, Proofs } from "./proof.ts";
import type { ProspectService } from "./prospects.ts";
import type { Gaps, Rivals } from "./rivals.ts";

type ProspectHost = CliHost<{
  readonly prospects: ProspectService;
  readonly stack: StackService;
  readonly index: IndexService;
  readonly starter: StarterService;
}>;

interface CompanyFlags {
  readonly industry?: string;
  readonly country?: string;
  readonly maxAge?: number;
  readonly json?: boolean;
}

interface ProofFlags extends CompanyFlags {
  readonly vendor?: string;
  readonly question?: string;
  readonly limit?: number;
  readonly server?: string;
}

/** `casefile proof`, `brief`, `gaps` and `rivals`. */
export function addProspectCommands(program: Command, host: ProspectHost): Command[] {
  const proof = aboutCompany(
    program
      .command("proof")
      .description("List the case studies that would convince a company, with the reasons.")
      .argument("<domain>"),
  )
    .option("--vendor <slug>", "only this vendor's case studies")
    .option("--question <text>", "what the company wants")
    .option("--limit <rows>", "1 to 50", readCount(50), 10)
    .option("--json", "print the same JSON as POST /v1/prospects/{domain}/proof");
  serverOption(proof);
  proof.action((domain: string, flags: ProofFlags) => {
    const print = (found: ShownProofs) => host.out(`${flags.json ? jsonText(found) : proofsText(found)}\n`);
    const { server } = flags;
    if (server === undefined)
      return withStarter(host, proof.opts(), async ({ prospects }) =>
        print(await prospects.proofs(domain, requestOf(host, flags))),
      );
    const { vendor, question, industry, country, limit, maxAge } = flags;
    const body = { vendor, question, industry, country, limit, max_age: maxAge };
    return fromServer(host, server, (casefile) => casefile.findProof(domain, body, { signal: host.signal })).then(
      print,
    );
  });

  const brief = aboutCompany(
    program
      .command("brief")
      .description("Write a brief about a company: its tools, what changed, and case studies to send, with sources.")
      .argument("<domain>"),
  )
    .option("--vendor <slug>", "only this vendor's case studies, and its rivals' products in use")
    .option("--question <text>", "what the company wants")
    .addOption(new Option("--format <format>", "format").choices(BRIEF_FORMATS).default("markdown"))
    .option("--output <file>", "write to this file");
  brief.action((domain: string, flags: ProofFlags & { format: BriefFormat; output?: string }) =>
    withStarter(host, brief.opts(), async ({ prospects }) => {
      const written = await prospects.brief(domain, requestOf(host, flags));
      const text =
        flags.format === "json"
          ? `${jsonText(written)}\n`
          : flags.format === "html"
            ? briefHtml(written)
            : briefMarkdown(written);
      if (written.fallback !== null) host.err(`${plain(written.fallback)}\n`);
      if (flags.output === undefined) host.out(text);
      else await host.writeFile(flags.output, text);
    }),
  );

  const gaps = aboutCompany(
    program
      .command("gaps")
      .description("List the tools that companies of the same industry use and a company does not.")
      .argument("<domain>"),
  )
    .option("--category <category>", "only this category")
    .option("--json", "print the same JSON as GET /v1/prospects/{domain}/gaps");
  gaps.action((domain: string, flags: CompanyFlags & { category?: string }) =>
    withStarter(host, gaps.opts(), async ({ prospects }) => {
      const { industry, country, category } = flags;
      const found = await prospects.gaps(domain, {
        ...{ industry, country, category, maxAgeSeconds: flags.maxAge, signal: host.signal },
      });
      host.out(`${flags.json ? jsonText(found) : gapsText(found, host.columns)}\n`);
    }),
  );

  const rivals = program
    .command("rivals")
    .description("List a vendor's rivals, and whose clients are seen using whose tools.")
    .argument("<vendor>", "slug")
    .option("--json", "print the same JSON as GET /v1/companies/{slug}/rivals");
  rivals.action((vendor: string, flags: { json?: boolean }) =>
    withStarter(host, rivals.opts(), async ({ prospects }) => {
      const found = await prospects.rivals(vendor);
      host.out(`${flags.json ? jsonText(found) : rivalsText(found)}\n`);
    }),
  );
  return [proof, brief, gaps, rivals];
}

const aboutCompany = (command: Command): Command =>
  command
    .option("--industry <industry>", "the company's industry; default: that of its case studies")
    .option("--country <country>", "its country; default: that of its case studies or its domain")
    .option(
      "--max-age <seconds>",
      "maximum age of the stored result; 0 forces a new scan. By default every stored result is accepted",
      readSeconds,
    );

function readSeconds(text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new InvalidArgumentError("Give a whole number of seconds from 0 to 99999999.");
  return Number(text);
}

const requestOf = (host: ProspectHost, flags: ProofFlags): ProofRequest => {
  const { vendor, question, industry, country, limit, maxAge } = flags;
  return { vendor, question, industry, country, limit, maxAgeSeconds: maxAge, signal: host.signal };
};

/** The shown parts, which a remote service returns too. */
type ShownProofs = Pick<Proofs, "prospect" | "excluded"> & { readonly proofs: readonly ShownProof[] };
type ShownProof = Pick<Proofs["proofs"][number], "score" | "reasons"> & {
  readonly case_study: Pick<answers.CaseStudy, "id" | "title" | "url" | "company" | "client">;
};

function proofsText({ prospect, proofs, excluded }: ShownProofs): string {
  const country = prospect.country === null ? null : countryName(prospect.country);
  const facts = [prospect.industry, country].filter((fact) => fact !== null).map(plain);
  const left = excluded.map(({ case_studies, detail }) => `${case_studies} excluded: ${plain(detail)}`);
  return [
    `${plain(prospect.domain)}: ${prospect.tools_detected} tools${facts.length > 0 ? `, ${facts.join(", ")}` : ""}`,
    ...(proofs.length === 0 ? ["No case study shares a fact with the company."] : proofs.map(proofText)),
    [...left, ...(proofs.length === 0 ? [] : [SCORE])].join("\n"),
  ].join("\n\n");
}

const SCORE =
  "Score 0 to 1: 50 points for the same industry, up to 24 for shared tools and 30 for tools that the client left, 6 for\nthe country; with a question, up to 55 for its answer. Times 0.6 to 1 for a named client, an outcome and a quote, ÷ 100.";

function proofText({ score, case_study: study, reasons }: ShownProof): string {
  const whom = study.client.name ?? study.client.domain;
  return [
    `${score.toFixed(2)}  ${plain(study.company.name)}${whom ? ` for ${plain(whom)}` : ""}: ${plain(study.title)}`,
    `      ${plain(study.url)}`,
    ...reasons.map(({ text, sentence }) => `      ${plain(text)}${sentence === null ? "" : ` “${plain(sentence)}”`}`),
  ].join("\n");
}

function gapsText({ prospect, peers, gaps }: Gaps, width: number): string {
  if (prospect.industry === null) return "The company's industry is not known: give it, such as --industry software.";
  const rows = gaps.flatMap(({ category, uses, tools }) =>
    tools.map(({ tool, companies, domains }) => [
      category,
      tool,
      `${companies} of ${peers.length}`,
      uses.join(", "),
      domains.join(", "),
    ]),
  );
  return [
    `${plain(prospect.domain)}: ${peers.length} scanned companies of ${plain(prospect.industry)}`,
    peers.length === 0
      ? "No other company of this industry has a stored result: scan some of its clients and competitors first."
      : rows.length === 0
        ? "No gaps."
        : table(GAPS, rows, width),
  ].join("\n\n");
}

const GAPS = [
  { title: "CATEGORY" },
  { title: "TOOL" },
  { title: "PEERS" },
  { title: "USES" },
  { title: "COMPANIES", yields: true },
];

function rivalsText({ vendor, categories, rivals }: Rivals): string {
  if (rivals.length === 0)
    return categories.length === 0
      ? `${plain(vendor.name)}: its tools are of no category in which tools are rivals.`
      : `${plain(vendor.name)}: no other vendor with case studies here has a tool of the same category (${categories.map(plain).join(", ")}).\nRival products that a company uses: casefile brief DOMAIN --vendor ${plain(vendor.slug)}`;
  const clients = (seen: Rivals["rivals"][number]["clients_using_vendor"]) =>
    seen.map(({ domain, tool }) => `${plain(domain)} (${plain(tool)})`).join(", ") || "none";
  return [
    `${plain(vendor.name)}: ${categories.map(plain).join(", ")}`,
    ...rivals.map((rival) =>
      [
        `${plain(rival.company.name)} (${rival.tools.map(plain).join(", ")})`,
        `  its clients that use ${plain(vendor.name)}: ${clients(rival.clients_using_vendor)}`,
        `  clients of ${plain(vendor.name)} that use it: ${clients(rival.vendor_clients_using_rival)}`,
      ].join("\n"),
    ),
  ].join("\n\n");
}
