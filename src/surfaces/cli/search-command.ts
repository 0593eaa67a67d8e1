import { type Command, Option } from "commander";
import { CasefileProblem, type SearchRequest } from "../../../client/src/index.ts";
import type { App } from "../../app/app.ts";
import type { SearchMode } from "../../vocabulary/case-study.ts";
import type { FilterNames } from "../filter-names.ts";
import { ofTheOne, pointed, resultsView } from "../study-view.ts";
import { filterFaults } from "./filter-faults.ts";
import type { CliHost } from "./host.ts";
import { readCount } from "./list-options.ts";
import { fromServer, serverOption } from "./remote.ts";
import { NOTHING, resultsText } from "./study-text.ts";
import { jsonText } from "./table.ts";
import { withApp } from "./with-app.ts";

interface SearchFlags {
  readonly limit: number;
  readonly industry?: string;
  readonly company?: string;
  readonly mode: SearchMode;
  readonly json?: boolean;
  readonly server?: string;
}

/** `casefile search`. Its words are one query, with quotes or without. */
export function addSearch(program: Command, host: CliHost): Command {
  const search = program
    .command("search")
    .description("Search case studies by meaning.")
    .argument("<query...>", "what you look for, in your own words")
    .option("--limit <results>", "results, 1 to 50", readCount(50), 5)
    .option("--industry <industry>", "name, slug or synonym of an industry")
    .option("--company <slug>", "of one company")
    .addOption(
      new Option("--mode <mode>", "how to search").choices(["hybrid", "semantic", "keyword"]).default("hybrid"),
    )
    .option("--json", "print the same JSON as POST /v1/casestudies/semantic")
    .addHelpText("after", '\nExample:\n  casefile search "bank that moved off its mainframe" --industry banking');
  serverOption(search);
  search.action((words: readonly string[], flags: SearchFlags) => {
    const query = words.join(" ");
    const { limit, mode, industry, company, server } = flags;
    const filter = { ...(industry ? { industry } : {}), ...(company ? { company } : {}) };
    if (server !== undefined) return searchServer(host, server, { query, limit, mode, ...filter }, flags);
    const work = async (app: App) => {
      const asked = app.searchStudies([{ query, limit, mode, filter }], host.signal);
      const [answer] = await pointed(asked, ofTheOne);
      if (!answer) return;
      for (const alarm of app.modelAlarms()) host.err(`${alarm}\n`);
      if (flags.json) return host.out(`${jsonText(resultsView(answer))}\n`);
      const faults = answer.hits.length > 0 ? [] : await filterFaults(filter, app);
      host.out(`${faults.join("\n") || resultsText(answer, host.columns, host.colour)}\n`);
    };
    return withApp(host, search.opts(), work, { starter: true });
  });
  return search;
}

async function searchServer(host: CliHost, server: string, asked: SearchRequest, { json }: SearchFlags): Promise<void> {
  const { signal } = host;
  const answer = await fromServer(host, server, (casefile) => casefile.searchCaseStudies(asked, { signal }));
  if (json) return host.out(`${jsonText(answer)}\n`);
  const hits = answer.results.map(({ score, passage: text, highlights, ...study }) => ({
    ...{ study, score },
    passage: { text, highlights: highlights.map(([start = 0, end = 0]) => [start, end] as const) },
  }));
  if (hits.length > 0) return host.out(`${resultsText({ hits }, host.columns, host.colour)}\n`);
  const casefile = host.connect(server);
  const names: FilterNames = {
    findCompanies: ({ q }, { limit }) => casefile.findCompanies({ q, limit, signal }),
    listStudies: ({ industry }, { limit }) => casefile.listCaseStudies({ industry, limit, signal }),
    listIndustries: async () => (await casefile.listIndustries({ signal })).industries,
  };
  // The search was answered: that the month's requests end here is no fault of it.
  const faults = await filterFaults(asked, names).catch((error) => {
    if (error instanceof CasefileProblem) return [];
    throw error;
  });
  host.out(`${faults.join("\n") || NOTHING}\n`);
}
