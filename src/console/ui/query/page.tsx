import { useId, useState } from "preact/hooks";
import { request } from "../api-client.ts";
import type { StackDomain, StackDomains } from "../api-types.ts";
import { Field, Select } from "../components/fields.tsx";
import { FormatSelect, type TableFormat } from "../components/format-select.tsx";
import { Icon } from "../components/icon.tsx";
import { Chip, Figures } from "../components/marks.tsx";
import { Empty, MutationError, type Page, Pages, QueryResult } from "../components/status.tsx";
import { copyText, toast } from "../components/toast.tsx";
import { ToolIcon } from "../components/tool-icon.tsx";
import { apiKey } from "../credentials.ts";
import { removeQuery, savedQueries, saveQuery } from "../device-lists.ts";
import { download } from "../download.ts";
import { formatNumber, pluralise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { type QueryState, serviceInfo, useMutation, useQuery } from "../queries.ts";
import { setFilter, useTitle } from "../router.ts";
import { CompanyTable } from "../tools/company-table.tsx";
import { useTools } from "../tools/tool-names.ts";
import {
  DATES,
  type DateName,
  describe,
  GROUPS,
  type Group,
  isEmpty,
  LEVELS,
  parseQuestion,
  parseTerm,
  type Question,
  questionUrl,
  searchOf,
  termLabel,
  toolsOf,
} from "./question.ts";
import { TermPicker } from "./term-picker.tsx";

const GROUP_WORDS: Readonly<Record<Group, string>> = { all: "Uses all", any: "Uses any", none: "Uses none" };
const DATE_WORDS: Readonly<Record<DateName, string>> = {
  seen_since: "Seen since",
  seen_until: "Seen until",
  appeared_since: "Appeared since",
  gone_since: "Gone since",
};
const LEVEL_WORDS = { confirmed: "Confirmed", likely: "Likely or better", possible: "Possible or better" } as const;
const EXAMPLES = [
  ["Stripe customers without Zendesk", "/query?all=stripe&none=zendesk"],
  ["A CRM, and Intercom or Drift", "/query?all=category:CRM&any=intercom&any=drift"],
  ["German companies on Cloudflare", "/query?all=cloudflare&top=de"],
] as const;

/** Which companies of this installation use which tools. The address is the question. */
export function QueryPage({ query }: { readonly query: URLSearchParams }) {
  const question = parseQuestion(query);
  const [info] = useQuery(serviceInfo, []);
  const known = info.state === "loaded" ? info.data.stats.domains_enriched : undefined;
  const key = useObservable(apiKey);
  const tools = useTools(toolsOf(question));
  const title = describe(question, (id) => tools.get(id)?.tool ?? id);
  const [answer, retry] = useAnswer(question);
  useTitle(isEmpty(question) ? "Who uses what" : title);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Who uses what</h1>
          <p class="faint">{known === undefined ? " " : `${pluralise(known, "company", "companies")} scanned here`}</p>
        </div>
        {!isEmpty(question) && key !== null && (
          <QuestionActions question={question} title={title} isEmpty={isWithoutMatch(answer)} />
        )}
      </div>
      <SavedQueries current={questionUrl(question)} />
      <Builder question={question} />
      {isEmpty(question) ? (
        <Empty title="Ask which companies use a tool">
          <p>
            Add tools or categories above. Raw signals work too: <code>script:js.stripe.com</code>,{" "}
            <code>txt:stripe-verification</code>, <code>cname:shops.myshopify.com</code>.
          </p>
          <p class="chips">
            {EXAMPLES.map(([label, url]) => (
              <a key={url} class="chip" href={url}>
                {label}
              </a>
            ))}
          </p>
        </Empty>
      ) : (
        <Answer question={question} answer={answer} retry={retry} />
      )}
    </>
  );
}

interface ActionsProps {
  readonly question: Question;
  readonly title: string;
  /** No company matches, so that there is nothing to export. */
  readonly isEmpty: boolean;
}

function QuestionActions({ question, title, isEmpty }: ActionsProps) {
  const reason = useId();
  const url = questionUrl(question);
  const saved = useObservable(savedQueries).some((each) => each.url === url);
  const mutation = useMutation();
  const [format, setFormat] = useState<TableFormat>("csv");
  return (
    <div class="actions">
      <button
        type="button"
        class="button"
        onClick={() => {
          if (saved) removeQuery(url);
          else saveQuery({ name: title, url });
          toast(saved ? "Query removed" : "Query saved on this device");
        }}
      >
        {saved ? "Remove query" : "Save query"}
      </button>
      <button type="button" class="button" onClick={() => copyText(`${location.origin}${url}`, "the address")}>
        <Icon name="share" />
        Share
      </button>
      <span class="joined">
        <FormatSelect value={format} onChange={setFormat} />
        <button
          type="button"
          class="button primary"
          disabled={mutation.busy || isEmpty}
          aria-describedby={isEmpty ? reason : undefined}
          onClick={() =>
            mutation.run(() =>
              download(`/v1/domains/search?format=${format}`, `companies.${format}`, { json: searchOf(question) }),
            )
          }
        >
          <Icon name="down" />
          Export
        </button>
      </span>
      {isEmpty && (
        <span class="faint" id={reason}>
          Nothing to export
        </span>
      )}
      <MutationError mutation={mutation} />
    </div>
  );
}

function SavedQueries({ current }: { readonly current: string }) {
  const queries = useObservable(savedQueries);
  if (queries.length === 0) return null;
  return (
    <nav class="chips" aria-label="Saved queries">
      {queries.map(({ name, url }) => (
        <a
          key={url}
          class={url === current ? "chip on" : "chip"}
          href={url}
          aria-current={url === current || undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

function Builder({ question }: { readonly question: Question }) {
  const change = (part: Partial<Question>, isTyped = false) =>
    setFilter(questionUrl({ ...question, ...part }), { isTyped });
  const dated = DATES.filter((name) => question[name] !== "");
  const set = dated.length + (question.top === "" ? 0 : 1);
  const [open, setOpen] = useState(set > 0);
  const dates = useId();
  return (
    <section class="panel builder" aria-label="Question">
      {GROUPS.map((group) => (
        <fieldset key={group} class="builder-row">
          <legend>{GROUP_WORDS[group]}</legend>
          {question[group].map((term) => (
            <TermChip
              key={term}
              term={term}
              group={GROUP_WORDS[group].toLowerCase()}
              onRemove={() => change({ [group]: question[group].filter((each) => each !== term) })}
            />
          ))}
          <TermPicker
            label={`${GROUP_WORDS[group]}: add a tool or category`}
            onPick={(term) => change({ [group]: [...question[group].filter((each) => each !== term), term] })}
          />
        </fieldset>
      ))}
      <fieldset class="builder-row">
        <legend>Confidence</legend>
        {LEVELS.map((level) => (
          <Chip key={level} on={question.level === level} onClick={() => change({ level })}>
            {LEVEL_WORDS[level]}
          </Chip>
        ))}
      </fieldset>
      <button
        type="button"
        class="button small builder-more"
        aria-expanded={open}
        aria-controls={dates}
        onClick={() => setOpen(!open)}
      >
        {open ? "Hide conditions" : "Conditions"}
        {set > 0 && <span class="tally">{set}</span>}
      </button>
      {open && (
        <div class="builder-dates" id={dates}>
          {DATES.map((name) => (
            <Field
              key={name}
              label={DATE_WORDS[name]}
              type="date"
              hideOptional
              value={question[name]}
              onInput={(value) => change({ [name]: value }, true)}
            />
          ))}
          <Select
            label="Top-level domain"
            value={question.top}
            onChange={(top) => change({ top })}
            options={topLevels(question.top).map((top) => [top, top === "" ? "Any" : `.${top}`])}
          />
        </div>
      )}
    </section>
  );
}

const COMMON = [
  "com",
  "de",
  "co.uk",
  "fr",
  "nl",
  "at",
  "ch",
  "it",
  "es",
  "se",
  "pl",
  "io",
  "ai",
  "org",
  "net",
  "com.au",
  "in",
  "jp",
  "br",
];
/** The chosen one stays in the list, whatever the address holds. */
const topLevels = (chosen: string): readonly string[] => ["", ...new Set([...COMMON, chosen].filter(Boolean))];

interface TermChipProps {
  readonly term: string;
  /** `uses all`. */
  readonly group: string;
  readonly onRemove: () => void;
}

/** A condition of the question, with a button that removes it. A tool has its name instead of its id when that is known. */
function TermChip({ term, group, onRemove }: TermChipProps) {
  const { kind, value } = parseTerm(term);
  const tool = useTools(kind === "tool" ? [value] : []).get(value);
  const label = tool?.tool ?? termLabel(term);
  return (
    <button type="button" class="chip term" onClick={onRemove}>
      <span class="visually-hidden">Remove </span>
      {kind === "tool" || kind === "category" ? (
        <ToolIcon tool={tool?.tool ?? value} category={tool?.category ?? value} />
      ) : (
        <Icon name={kind === "script" ? "code" : "server"} />
      )}
      {label}
      <span class="visually-hidden"> from {group}</span>
      <Icon name="close" />
    </button>
  );
}

type Companies = Page<StackDomain> & { readonly pending: number };

async function search(question: Question, cursor?: string, signal?: AbortSignal): Promise<Companies> {
  const json = { ...searchOf(question), limit: 50, ...(cursor === undefined ? {} : { cursor }) };
  const page = await request<StackDomains>("/v1/domains/search", { json, signal });
  return { items: page.domains, total: page.total, next: page.next_cursor, pending: page.index?.pending ?? 0 };
}

/** The first companies that match; an empty question is not asked. */
function useAnswer(question: Question) {
  const key = useObservable(apiKey);
  const load = isEmpty(question) ? null : (signal: AbortSignal) => search(question, undefined, signal);
  const url = questionUrl(question);
  return useQuery(load, [key, url], `${key} ${url}`);
}

const isWithoutMatch = (answer: QueryState<Companies>): boolean =>
  answer.state === "loaded" && answer.data.items.length === 0;

interface AnswerProps {
  readonly question: Question;
  readonly answer: QueryState<Companies>;
  readonly retry: () => void;
}

function Answer({ question, answer, retry }: AnswerProps) {
  return (
    <QueryResult result={answer} retry={retry} lines={6}>
      {(first, loading) =>
        first.items.length === 0 ? (
          <Empty title="No company matches">
            <p>
              Remove a condition, or <a href="/lists">scan a list of companies</a>.
            </p>
          </Empty>
        ) : (
          <section aria-label="Companies" aria-busy={loading} class={loading ? "loading-previous" : undefined}>
            <Figures figures={figuresOf(first)} />
            {first.pending > 0 && (
              <p class="hint" role="status">
                {pluralise(first.pending, "company", "companies")} not in the index yet.
              </p>
            )}
            <Pages key={questionUrl(question)} first={first} load={(cursor) => search(question, cursor)}>
              {(companies) => <CompanyTable companies={companies} />}
            </Pages>
          </section>
        )
      }
    </QueryResult>
  );
}

const figuresOf = ({ total = 0 }: Page<StackDomain>): readonly (readonly [string, string])[] => [
  [formatNumber(total), total === 1 ? "company" : "companies"],
];
