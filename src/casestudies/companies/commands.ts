import type { Command } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../../cli/list-options.ts";
import { fromServer, serverOption } from "../../cli/remote.ts";
import { jsonText, plain, table } from "../../cli/table.ts";
import type { IndexService } from "../index/service.ts";
import { withStarter } from "../index-now.ts";
import type { StarterService } from "../starter/service.ts";
import type { Company } from "../types.ts";
import type { CompanyPage } from "./repository.ts";
import type { CompanyService } from "./service.ts";

interface UsedServices {
  readonly companies: CompanyService;
  readonly index: IndexService;
  readonly starter: StarterService;
}

interface EditFlags {
  readonly name?: string;
  readonly slug?: string;
  readonly domain?: string;
  readonly industry?: string;
  readonly logoUrl?: string;
  readonly json?: boolean;
}

/** `casefile companies`: lists, edits and merges vendors. */
export function addCompanyCommands(program: Command, host: CliHost<UsedServices>): Command[] {
  const companies = program
    .command("companies")
    .description("List, search, edit and merge the vendors whose case studies are indexed.");
  const print = (company: Company, json: boolean | undefined) =>
    host.out(`${json ? jsonText(company) : table(COLUMNS, [rowOf(company)], host.columns)}\n`);

  const list = listOptions(
    companies
      .command("list", { isDefault: true })
      .description("List and search companies.")
      .argument("[query]", "name, slug or domain; small typos are tolerated")
      .option("--q <query>", "the same, for a query that is also the name of a command")
      .option("--industry <industry>", "only this industry: name, slug or synonym"),
    "/v1/companies",
  );
  serverOption(list);
  list.action((query: string | undefined, flags: ListFlags & { q?: string; industry?: string; server?: string }) => {
    if (query !== undefined && flags.q !== undefined) list.error("error: give the query once", { exitCode: 2 });
    const q = (query ?? flags.q) || undefined;
    const filter = { q, industry: flags.industry || undefined };
    const printPage = (page: CompanyPage) => {
      const rows = page.companies.map(rowOf);
      const text =
        rows.length === 0 ? noMatch(q) : `${table(COLUMNS, rows, host.columns)}\n${footer(rows.length, page)}`;
      host.out(`${flags.json ? jsonText(page) : text}\n`);
    };
    const { server } = flags;
    if (server !== undefined) {
      const request = { ...filter, ...pageOf(flags), signal: host.signal };
      return fromServer(host, server, (casefile) => casefile.findCompanies(request)).then(printPage);
    }
    return withStarter(host, list.opts(), async (services) =>
      printPage(await services.companies.find(filter, pageOf(flags))),
    );
  });

  const edit = companies
    .command("edit")
    .description("Edit a company; an empty value clears a field.")
    .argument("<slug>")
    .option("--name <name>")
    .option("--slug <slug>", "new slug")
    .option("--domain <domain>")
    .option("--industry <industry>")
    .option("--logo-url <address>")
    .option("--json", "print JSON");
  edit.action((slug: string, flags: EditFlags) => {
    const change = {
      name: flags.name,
      slug: flags.slug,
      domain: cleared(flags.domain),
      industry: cleared(flags.industry),
      logo_url: cleared(flags.logoUrl),
    };
    if (Object.values(change).every((value) => value === undefined)) {
      edit.error("error: give --name, --slug, --domain, --industry or --logo-url", { exitCode: 2 });
    }
    return withApp(host, edit.opts(), async (services) =>
      print(await services.companies.edit(slug, change), flags.json),
    );
  });

  const merge = companies
    .command("merge")
    .description("Move all case studies of a company to another one, and delete the first.")
    .argument("<slug>", "company to delete")
    .argument("<into>", "company that receives its case studies")
    .option("--json", "print JSON");
  merge.action((slug: string, into: string, flags: { json?: boolean }) =>
    withApp(host, merge.opts(), async (services) => print(await services.companies.merge(slug, into), flags.json)),
  );
  return [list, edit, merge];
}

const cleared = (value: string | undefined) => (value === "" ? null : value);

const noMatch = (q: string | undefined) =>
  q ? `No company matches ${JSON.stringify(plain(q))}. List all companies: casefile companies` : "No companies found.";

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
