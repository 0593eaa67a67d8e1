import type { Command } from "commander";
import type { Client } from "../../../client/src/index.ts";
import type { CliHost } from "../../cli/host.ts";
import { fromServer, serverOption } from "../../cli/remote.ts";
import { jsonText, plain, wrapped } from "../../cli/table.ts";
import { filterOf } from "../commands.ts";
import type { IndexService } from "../index/service.ts";
import { withStarter } from "../index-now.ts";
import type { CaseStudyService } from "../service.ts";
import type { StarterService } from "../starter/service.ts";
import { answerView, noticesOf, withoutIndex, withPointers } from "../view.ts";

interface UsedServices {
  readonly caseStudies: CaseStudyService;
  readonly index: IndexService;
  readonly starter: StarterService;
}

type View = ReturnType<typeof answerView>;
/** As this program or as a service gives it. */
type ShownAnswer = Pick<View, "groups" | "composed"> | Awaited<ReturnType<Client["answerFromCaseStudies"]>>;

type Warned = Parameters<typeof noticesOf>[0] & { readonly composed?: View["composed"] | null };

interface AskFlags {
  readonly industry?: string;
  readonly company?: string;
  readonly country?: string;
  readonly tool?: string;
  readonly json?: boolean;
  readonly server?: string;
}

/** `casefile ask`. All words form one question, quoted or not. */
export function addAsk(program: Command, host: CliHost<UsedServices>): Command {
  const ask = program
    .command("ask")
    .description("Cite the passages of case studies that answer a question.")
    .argument("<question...>", "the question, in natural language")
    .option("--industry <industry>", "only this industry: name, slug or synonym")
    .option("--company <slug>", "only case studies of this company")
    .option("--country <country>", "only clients of this country: two letters, such as DE, or an English name")
    .option("--tool <tool>", "only case studies that name this tool, in any case")
    .option("--json", "print the same JSON as POST /v1/casestudies/answer")
    .addHelpText("after", '\nExample:\n  casefile ask "how much did companies save on hosting"');
  serverOption(ask);
  ask.action((words: readonly string[], { json, server, ...flags }: AskFlags) => {
    const query = words.join(" ");
    const filter = filterOf(flags);
    const show = (answer: ShownAnswer) => host.out(json ? `${jsonText(answer)}\n` : `${answerText(answer, host)}\n`);
    const { signal } = host;
    if (server !== undefined)
      return fromServer(host, server, async (casefile) => {
        const answer = await casefile.answerFromCaseStudies({ query, ...filter }, { signal });
        const { degraded, index, composed } = answer;
        warn({ degraded: degraded?.reason ?? null, pending: index?.pending ?? 0, composed });
        show(answer);
      });
    return withStarter(host, ask.opts(), async ({ caseStudies }) => {
      const answer = await withPointers(caseStudies.answer({ query, filter }, signal), withoutIndex);
      warn(answer);
      show(answerView(answer));
    });
  });
  const warn = ({ composed, ...results }: Warned) => {
    for (const notice of [...noticesOf(results), composed?.fallback ?? null])
      if (notice !== null) host.err(`${plain(notice)}\n`);
  };
  return ask;
}

/** A composed answer, then numbered citations under what they claim: sentence, figure, vendor, client and address. */
function answerText({ groups, composed }: ShownAnswer, { columns }: Pick<CliHost, "columns">): string {
  if (groups.length === 0) return "No case study answers this well. `casefile search` lists what is nearest.";
  const written = (composed?.sentences ?? []).map(
    ({ text, citations }) => `${plain(text)} ${citations.map((number) => `[${number}]`).join("")}`,
  );
  const passages = groups
    .map(({ claim, citations }) =>
      [
        ...(claim === null ? (groups.length > 1 ? ["Other"] : []) : [sentenceCase(plain(claim))]),
        ...citations.map(({ number, sentence, figure, company, client, url, also_in }) => {
          const about = [client.name, company.name].filter(Boolean).join(", by ");
          const also = also_in.length === 0 ? "" : `  (and ${also_in.length} more)`;
          return [
            ...wrapped(`[${number}] ${plain(sentence)}`, columns - 3),
            ...(figure === null ? [] : [`   ${plain(`${figure.measured}: ${figure.text}`)}`]),
            `   ${plain(about)}  ${plain(url)}${also}`,
          ].join("\n");
        }),
      ].join("\n"),
    )
    .join("\n\n");
  return written.length === 0 ? passages : `${wrapped(written.join(" "), columns - 3).join("\n")}\n\n${passages}`;
}

const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
