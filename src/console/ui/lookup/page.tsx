import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, requestAsOperator } from "../api-client.ts";
import type { Enrichment, Lookup as LookupData, ServiceInfo } from "../api-types.ts";
import { DomainForm } from "../components/domain-form.tsx";
import { Icon } from "../components/icon.tsx";
import { Banner, Tabs } from "../components/marks.tsx";
import { Menu } from "../components/menu.tsx";
import { Empty, ErrorPanel, Loading, QueryResult } from "../components/status.tsx";
import { copyText, toast } from "../components/toast.tsx";
import { CompanyIcon, useAreas } from "../components/tool-icon.tsx";
import { signedIn } from "../credentials.ts";
import { formatSpan, formatTime, pluralise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { serviceInfo, toApiError, useQuery } from "../queries.ts";
import { navigate, setFilter, urlFor, useTitle } from "../router.ts";
import { checkSession, useRights } from "../session.ts";
import { CompareStacks } from "./compare.tsx";
import { Coverage, isInconclusive } from "./coverage.tsx";
import { EvidencePanel } from "./evidence.tsx";
import { curlCommand, exportCsv, exportJson, likelyOnly } from "./export.ts";
import { ProofTab } from "./proof.tsx";
import { type Filter, filterRows, isShown, type Row, rowsOf } from "./rows.ts";
import { type LookupState, PHASES, type RunningScan, useLookup } from "./scan.ts";
import { OtherThirdParties } from "./third-parties.tsx";
import { ChangeList, Timeline } from "./timeline.tsx";
import { AreaStrip, FilterBar, Tools, type ViewName } from "./tools.tsx";

interface PageProps {
  readonly id: string;
  readonly query: URLSearchParams;
}

/** The tools of a company, with the evidence for each. */
export function Lookup({ id: domain, query }: PageProps) {
  const [result, reload] = useQuery(serviceInfo, []);
  const other = query.get("with");
  return (
    <QueryResult result={result} retry={reload} lines={8}>
      {(info) =>
        other === null ? (
          <Company domain={domain} query={query} info={info} />
        ) : (
          <CompareStacks domain={domain} other={other} info={info} />
        )
      }
    </QueryResult>
  );
}

interface CompanyProps {
  readonly domain: string;
  readonly query: URLSearchParams;
  readonly info: ServiceInfo;
}

function Company({ domain, query, info }: CompanyProps) {
  useTitle(domain);
  const [state, rescan] = useLookup(domain);
  const rows = rowsOf(state, useAreas());
  const detected = rows.filter((row) => isShown(row, "all") && row.tool).length;
  const { lookup, scan, error, partial } = state;
  const example = info.examples.includes(domain);
  if (error && !lookup) {
    return (
      <>
        <Head domain={domain} state={state} tools={detected} />
        <ErrorPanel error={inPlainWords(error, domain)} retry={rescan} />
        {[404, 422].includes(error.status) && <DomainForm initial={domain} />}
        {partial.length > 0 && (
          <>
            <p class="faint">
              {pluralise(partial.length, "tool")} detected before the scan was interrupted, shown without evidence
            </p>
            <ToolsTab domain={domain} query={query} info={info} state={state} rows={rows} />
          </>
        )}
      </>
    );
  }
  if (!lookup && !scan) {
    return (
      <>
        <Head domain={domain} state={state} tools={detected} />
        <Loading lines={8} />
      </>
    );
  }
  return (
    <>
      <Head domain={domain} state={state} tools={detected}>
        {lookup && <Actions lookup={lookup} example={example} scanning={scan !== null} onRescan={rescan} />}
      </Head>
      {error && (
        <Banner
          tone="error"
          actions={
            <button type="button" class="button small" onClick={rescan}>
              Try again
            </button>
          }
        >
          <b>{error.problem.title ?? "Rescan failed"}.</b> The stored result could not be renewed. {error.message}
          {error.retryAfter !== null && ` Try again in ${formatSpan(error.retryAfter)}.`}
        </Banner>
      )}
      <Progress scan={scan} tools={detected} />
      <TabContent domain={domain} query={query} info={info} state={state} rows={rows} />
    </>
  );
}

/** What the two failures of DNS mean for the reader; others say it themselves. */
function inPlainWords(error: ApiError, domain: string): ApiError {
  const words: Readonly<Record<string, { readonly title: string; readonly detail: string }>> = {
    "domain.not_found": {
      title: `There is no domain ${domain}`,
      detail:
        "DNS, the directory of the internet, has no entry for this name. Check the spelling, or try another domain of the company.",
    },
    "dns.unreachable": {
      title: "DNS gives no answer",
      detail: `Casefile found no way to look ${domain} up. That says nothing about the company: the network or the name servers of this service do not respond. Try again in a minute; if it stays so, the operator can run casefile doctor.`,
    },
  };
  const plain = words[error.problem.code ?? ""];
  return plain ? new ApiError(error.status, { ...error.problem, ...plain }, error.retryAfter) : error;
}

interface HeadProps {
  readonly domain: string;
  readonly state: LookupState;
  /** Tools that count as detected. */
  readonly tools: number;
  readonly children?: ComponentChildren;
}

function Head({ domain, state: { lookup, scan }, tools, children }: HeadProps) {
  const shown = lookup?.result.domain ?? domain;
  return (
    <div class="page-head">
      <div class="company-head">
        <CompanyIcon domain={shown} large />
        <div>
          <h1>{shown}</h1>
          <p class="company-facts">
            {lookup ? (
              <Facts result={lookup.result} tools={tools} />
            ) : scan ? (
              `Scanning… ${pluralise(scan.tools.length, "tool")} so far`
            ) : (
              " "
            )}
          </p>
        </div>
      </div>
      {children}
    </div>
  );
}

const DAY_SECONDS = 86_400;

function Facts({ result, tools }: { readonly result: Enrichment; readonly tools: number }) {
  const { scanned_at, sources = [] } = result;
  const age = scanned_at === undefined ? 0 : (Date.now() - Date.parse(scanned_at)) / 1_000;
  const answered = sources.filter((source) => !isInconclusive(source)).length;
  return (
    <>
      {pluralise(tools, "tool")}
      {scanned_at !== undefined && (
        <>
          {" · "}
          <time dateTime={scanned_at} title={formatTime(scanned_at)}>
            {age > 2 * DAY_SECONDS ? `${formatSpan(age)} old` : `scanned ${formatSpan(Math.max(1, age))} ago`}
          </time>
        </>
      )}
      {sources.length > 0 && ` · ${answered} of ${sources.length} sources responded`}
    </>
  );
}

interface ActionsProps {
  readonly lookup: LookupData;
  readonly example: boolean;
  readonly scanning: boolean;
  readonly onRescan: () => void;
}

function Actions({ lookup: { result }, example, scanning, onRescan }: ActionsProps) {
  const { domain } = result;
  return (
    <div class="actions">
      <a class="button" href={`/lookup/${encodeURIComponent(domain)}?with=`}>
        Compare<span class="visually-hidden"> stacks</span>
      </a>
      {!example && <WatchButton domain={domain} />}
      <button type="button" class="button" onClick={() => copyText(location.href, "the address of this page")}>
        Share
      </button>
      <Menu
        label="Export"
        items={[
          { label: "CSV", run: () => exportCsv(likelyOnly(result)) },
          { label: "JSON", run: () => exportJson(likelyOnly(result)) },
          { label: "Copy as curl", run: () => copyText(curlCommand(domain), "the command") },
        ]}
      />
      {!example && (
        <button type="button" class="button primary" disabled={scanning} onClick={onRescan}>
          {scanning ? "Scanning…" : "Rescan"}
        </button>
      )}
    </div>
  );
}

/** The operator watches a domain at once; for everyone else the button leads to where watches are. */
function WatchButton({ domain }: { readonly domain: string }) {
  const may = useRights();
  const isOperator = useObservable(signedIn) === true;
  useEffect(() => {
    if (signedIn.get() !== null) return;
    // Offline, the button leads to the operator's page.
    checkSession().catch(() => {});
  }, []);
  if (!isOperator) {
    return (
      <a class="button" href="/operator/watches" title="Watches need the operator's sign-in">
        Watch
      </a>
    );
  }
  if (!may("PUT /admin/watches/:domain")) return null;
  const watch = () =>
    requestAsOperator(`/console/admin/watches/${encodeURIComponent(domain)}`, { method: "PUT", json: {} }).then(
      () => toast(`Watching ${domain}`),
      (error) => toast(toApiError(error).message),
    );
  return (
    <button type="button" class="button" onClick={watch}>
      Watch
    </button>
  );
}

const PHASE_TEXTS: Readonly<Record<RunningScan["phase"], string>> = {
  identity: "email and sign-in records",
  website: "pages and scripts",
  hosting: "networks and certificates",
  subdomains: "aliases of hosted services",
  hiring: "job boards",
  disclosures: "privacy and sub-processors",
};

/** How far a scan is. Whether each data source could be checked is known at its end, see Coverage. */
function Progress({ scan, tools }: { readonly scan: RunningScan | null; readonly tools: number }) {
  const at = scan ? PHASES.indexOf(scan.phase) : PHASES.length;
  return (
    <div class={scan ? "progress" : "visually-hidden"}>
      {scan && <progress max={PHASES.length} value={at + 0.5} aria-label="Scan" />}
      <p role="status">
        {scan
          ? `Scanning ${PHASE_TEXTS[scan.phase]}: ${scan.tools.length} tools so far.`
          : `${pluralise(tools, "tool")} detected.`}
      </p>
    </div>
  );
}

const TABS = ["tools", "timeline", "changes", "coverage", "proof"] as const;

interface ContentProps extends CompanyProps {
  readonly state: LookupState;
  readonly rows: readonly Row[];
}

function TabContent(props: ContentProps) {
  const { domain, query, state, info } = props;
  const { lookup } = state;
  const tab = TABS.find((name) => name === query.get("tab")) ?? "tools";
  if (!lookup) return <ToolsTab {...props} />;
  const { result, history } = lookup;
  const href = (name: string) =>
    urlFor(`/lookup/${encodeURIComponent(domain)}`, { tab: name === "tools" ? undefined : name });
  const count = (amount: number | undefined) => (amount ? <span class="tally"> {amount}</span> : null);
  const missing = result.sources?.filter(isInconclusive).length;
  return (
    <>
      <Tabs
        label="Parts of the result"
        current={tab}
        tabs={[
          { name: "tools", title: "Tools", href: href("tools") },
          { name: "timeline", title: "Timeline", href: href("timeline") },
          { name: "changes", title: <>Changes{count(history?.changes.length)}</>, href: href("changes") },
          {
            name: "coverage",
            title: (
              <>
                Coverage{count(missing)}
                {missing ? <span class="visually-hidden"> not checked</span> : null}
              </>
            ),
            href: href("coverage"),
          },
          { name: "proof", title: "Proof", href: href("proof") },
        ]}
      />
      {tab === "tools" && <ToolsTab {...props} />}
      {tab === "timeline" && <Timeline history={history} />}
      {tab === "changes" && <ChangeList history={history} />}
      {tab === "proof" && <ProofTab domain={result.domain} />}
      {tab === "coverage" && (
        <>
          {result.sources && <Coverage sources={result.sources} />}
          {result.third_parties && result.third_parties.length > 0 && (
            <OtherThirdParties parties={result.third_parties} signals={info.signals} />
          )}
        </>
      )}
    </>
  );
}

const VIEW_KEY = "casefile.view";

function storedView(): ViewName {
  try {
    return localStorage.getItem(VIEW_KEY) === "table" ? "table" : "cards";
  } catch {
    return "cards";
  }
}

const SHOWN = [
  "all",
  "new",
  "confirmed",
  "likely",
  "once",
  "possible",
  "gone",
] as const satisfies readonly Filter["show"][];

function ToolsTab({ domain, query, info, state, rows }: ContentProps) {
  const [view, setView] = useState(storedView);
  const areas = info.areas.map(({ area }) => area);
  const filter: Filter = {
    text: query.get("q")?.slice(0, 200) ?? "",
    show: SHOWN.find((each) => each === query.get("show")) ?? "all",
    area: Number(query.get("area")) || 0,
  };
  const urlWith = (next: Readonly<Record<string, string | undefined>>) =>
    urlFor(`/lookup/${encodeURIComponent(domain)}`, { ...Object.fromEntries(query), ...next });
  const onFilter = (next: Partial<Filter>) => {
    const { text, show, area } = { ...filter, ...next };
    const parts = { show: show === "all" ? undefined : show, area: area === 0 ? undefined : String(area) };
    const isTyped = next.show === undefined && next.area === undefined;
    setFilter(urlWith({ q: text, ...parts }), { isTyped });
  };
  const onView = (next: ViewName) => {
    setView(next);
    try {
      localStorage.setItem(VIEW_KEY, next);
    } catch {
      // Storage is blocked: the view applies to this page only.
    }
  };
  const open = (tool: string | undefined) => navigate(urlWith({ tool }), { replace: true });
  const shown = filterRows(rows, filter);
  const scannedAt = state.lookup?.result.scanned_at;
  const opened = rows.find(({ name }) => name === query.get("tool"));
  const step = (by: 1 | -1) => {
    const openable = shown.filter(({ tool }) => tool);
    const at = openable.findIndex(({ name }) => name === opened?.name);
    const next = openable[at + by];
    if (next) open(next.name);
  };
  const listed = rows.filter((row) => isShown(row, "all"));
  return (
    <>
      {listed.length > 0 && (
        <AreaStrip rows={listed} areas={areas} area={filter.area} onArea={(area) => onFilter({ area })} />
      )}
      {rows.length > 0 && <FilterBar rows={rows} filter={filter} onFilter={onFilter} view={view} onView={onView} />}
      {rows.length === 0 && !state.lookup && <Loading lines={8} label="Scanning" />}
      {rows.length === 0 && state.lookup && (
        <Empty title="No tools found">
          <p>The domain may be parked or new. Coverage shows what was checked.</p>
        </Empty>
      )}
      {shown.length > 0 && (
        <Tools
          rows={rows}
          filter={filter}
          areas={areas}
          view={view}
          now={scannedAt}
          open={opened?.name}
          onOpen={open}
        />
      )}
      {rows.length > 0 && shown.length === 0 && (
        <Empty title="No tool matches">
          <button type="button" class="button small" onClick={() => onFilter({ text: "", show: "all", area: 0 })}>
            <Icon name="close" />
            Clear filters
          </button>
        </Empty>
      )}
      {opened?.tool && scannedAt && (
        <EvidencePanel
          row={opened}
          tool={opened.tool}
          domain={state.lookup?.result.domain ?? domain}
          scannedAt={scannedAt}
          signals={info.signals}
          onClose={() => open(undefined)}
          onStep={step}
        />
      )}
    </>
  );
}
