import type { Command } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../../cli/list-options.ts";
import { fromServer, serverOption } from "../../cli/remote.ts";
import { jsonText, plain, table } from "../../cli/table.ts";
import type { Services } from "../../compose.ts";
import { withStarter } from "../index-now.ts";
import type { Company } from "../types.ts";
import type { CompanyPage } from "./repository.ts";

interface EditFlags {
  readonly name?: string;
  readonly slug?: string;
  readonly domain?: string;
  readonly industry?: string;
  readonly logoUrl?: string;
  readonly json?: boolean;
}

/** `casefile companies`: vendors, found, corrected and merged. */
export function addCompanies(program: Command, host: CliHost<Services>): Command[] {
  const companies = program
    .command("companies")
    .description("List, search, correct and merge the vendors whose case studies are indexed.");
  const tell = (company: Company, json: boolean | undefined) =>
    host.out(`${json ? jsonText(company) : table(COLUMNS, [rowOf(company)], host.columns)}\n`);

  const list = listOptions(
    companies
      .command("list", { isDefault: true })
      .description("List and search companies.")
      .argument("[query]", "name, slug or domain; small typing errors are forgiven")
      .option("--q <query>", "the same, for a query that is the name of a command")
      .option("--industry <industry>", "name, slug or synonym of an industry"),
    "/v1/companies",
  );
  serverOption(list);
  list.action((query: string | undefined, flags: ListFlags & { q?: string; industry?: string; server?: string }) => {
    if (query !== undefined && flags.q !== undefined) list.error("error: give the query once", { exitCode: 2 });
    const q = query ?? flags.q;
    const filter = { ...(q ? { q } : {}), ...(flags.industry ? { industry: flags.industry } : {}) };
    const tellPage = (page: CompanyPage) => {
      const rows = page.companies.map(rowOf);
      const text =
        rows.length === 0 ? noneText(q) : `${table(COLUMNS, rows, host.columns)}\n${footer(rows.length, page)}`;
      host.out(`${flags.json ? jsonText(page) : text}\n`);
    };
    const { server } = flags;
    if (server !== undefined) {
      const asked = { ...filter, ...pageOf(flags), signal: host.signal };
      return fromServer(host, server, (casefile) => casefile.findCompanies(asked)).then(tellPage);
    }
    const work = async (app: Services) => tellPage(await app.caseStudies.findCompanies(filter, pageOf(flags)));
    return withStarter(host, list.opts(), work);
  });

  const edit = companies
    .command("edit")
    .description("Correct what is known of a company; an empty value says that nothing is known.")
    .argument("<slug>")
    .option("--name <name>")
    .option("--slug <slug>", "a new one")
    .option("--domain <domain>")
    .option("--industry <industry>")
    .option("--logo-url <address>")
    .option("--json", "print JSON");
  edit.action((slug: string, flags: EditFlags) => {
    const change = {
      ...(flags.name === undefined ? {} : { name: flags.name }),
      ...(flags.slug === undefined ? {} : { slug: flags.slug }),
      ...(flags.domain === undefined ? {} : { domain: flags.domain || null }),
      ...(flags.industry === undefined ? {} : { industry: flags.industry || null }),
      ...(flags.logoUrl === undefined ? {} : { logo_url: flags.logoUrl || null }),
    };
    if (Object.keys(change).length === 0) {
      edit.error("error: give --name, --slug, --domain, --industry or --logo-url", { exitCode: 2 });
    }
    return withApp(host, edit.opts(), async (app) => tell(await app.intake.editCompany(slug, change), flags.json));
  });

  const merge = companies
    .command("merge")
    .description("Give all that a company has to another one, and forget the first.")
    .argument("<slug>")
    .argument("<into>", "slug of the one that stays")
    .option("--json", "print JSON");
  merge.action((slug: string, into: string, flags: { json?: boolean }) =>
    withApp(host, merge.opts(), async (app) => tell(await app.intake.mergeCompanies(slug, into), flags.json)),
  );
  return [list, edit, merge];
}

const noneText = (q: string | undefined) =>
  q ? `No company is like ${JSON.stringify(plain(q))}; all of them: casefile companies` : "No company was found.";

const COLUMNS = [
  { title: "SLUG" },
  { title: "NAME", yields: true },
  { title: "DOMAIN" },
  { title: "INDUSTRY" },
  { title: "CASE STUDIES" },
];

const rowOf = ({ slug, name, domain, industry, total_case_studies }: Company) => [
  slug,
  name,
  domain ?? "",
  industry ?? "",
  String(total_case_studies),
];
