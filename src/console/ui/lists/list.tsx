import { useEffect, useState } from "preact/hooks";
import { request } from "../api-client.ts";
import type { Batch, BatchResult, BatchResults } from "../api-types.ts";
import { FormatSelect, type TableFormat } from "../components/format-select.tsx";
import { Icon } from "../components/icon.tsx";
import { Badge, Banner, Figures } from "../components/marks.tsx";
import { Empty, MutationError, type Page, Pages, QueryResult } from "../components/status.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { CompanyIcon, ToolIcon } from "../components/tool-icon.tsx";
import { apiKey } from "../credentials.ts";
import { download } from "../download.ts";
import { formatNumber, formatPercent, formatTime, pluralise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useMutation, useQuery } from "../queries.ts";
import { urlFor, useTitle } from "../router.ts";
import { failedCount, failures, listName, STATE_WORDS, shareDone, skippedText, timeLeft } from "./batch.ts";

const POLL_MS = 2_000;
const PAGE_SIZE = 50;
const SHOWN_TOOLS = 10;

/** The progress and the results of one list. */
export function ListPage({ id }: { readonly id: string }) {
  const key = useObservable(apiKey);
  const path = `/v1/enrich/batches/${encodeURIComponent(id)}`;
  const [turn, setTurn] = useState(0);
  const [result, retry] = useQuery((signal) => request<Batch>(path, { signal }), [key, id, turn]);
  const batch = result.state === "loaded" ? result.data : result.state === "loading" ? result.previous : undefined;
  const running = batch?.state === "running";
  useEffect(() => {
    if (!running) return;
    // Not while the page is in the background.
    const timer = setInterval(() => document.hidden || setTurn((before) => before + 1), POLL_MS);
    return () => clearInterval(timer);
  }, [running]);
  useTitle(batch ? listName(batch) : "List");
  return (
    <QueryResult result={result} retry={retry} lines={6}>
      {(shown) => (
        <>
          <div class="page-head">
            <div>
              <h1>{listName(shown)}</h1>
              <p class="faint">
                {STATE_WORDS[shown.state]} · {pluralise(shown.domains, "domain")} · created{" "}
                {formatTime(shown.created_at)}
              </p>
            </div>
            <Actions batch={shown} path={path} onChange={() => setTurn((before) => before + 1)} />
          </div>
          <Progress batch={shown} />
          {shown.state === "paused" && <Banner>Paused: no further scan starts until you resume the list.</Banner>}
          <Results key={shown.state} path={path} batch={shown} />
        </>
      )}
    </QueryResult>
  );
}

interface ActionProps {
  readonly batch: Batch;
  readonly path: string;
  readonly onChange: () => void;
}

function Actions({ batch, path, onChange }: ActionProps) {
  const mutation = useMutation();
  const [format, setFormat] = useState<TableFormat>("csv");
  const [rows, setRows] = useState<"companies" | "tools">("companies");
  const post = (verb: string) => () =>
    mutation.run(() => request(`${path}/${verb}`, { method: "POST" }).then(onChange));
  const button = (verb: string, label: string) => (
    <button type="button" class="button" disabled={mutation.busy} onClick={post(verb)}>
      {label}
    </button>
  );
  return (
    <div class="actions">
      {batch.state === "running" && button("pause", "Pause")}
      {batch.state === "paused" && button("resume", "Resume")}
      {(batch.state === "running" || batch.state === "paused") && button("cancel", "Cancel")}
      {batch.state === "done" && failedCount(batch) > 0 && button("retry", "Retry failed")}
      <span class="joined">
        <select
          aria-label="Rows"
          value={rows}
          onChange={(event) => setRows(event.currentTarget.value === "tools" ? "tools" : "companies")}
        >
          <option value="companies">A row for each company</option>
          <option value="tools">A row for each tool</option>
        </select>
        <FormatSelect value={format} onChange={setFormat} />
        <button
          type="button"
          class="button primary"
          disabled={mutation.busy}
          onClick={() =>
            mutation.run(() =>
              download(urlFor(`${path}/results`, { format, rows }), `${batch.name ?? batch.id}.${format}`),
            )
          }
        >
          <Icon name="down" />
          Download
        </button>
      </span>
      <MutationError mutation={mutation} />
    </div>
  );
}

function Progress({ batch }: { readonly batch: Batch }) {
  const share = shareDone(batch);
  const failed = failedCount(batch);
  const skipped = skippedText(batch);
  return (
    <section class="list-progress" aria-label="Progress">
      <progress value={share} max={1} aria-label="Share of the domains that are done" />
      <Figures
        figures={[
          [formatPercent(share), "done"],
          [formatNumber(batch.progress.done), "scanned"],
          [formatNumber(failed), "failed"],
          [formatNumber(batch.progress.waiting + batch.progress.running), "waiting"],
        ]}
      />
      <p class="faint" role="status">
        {[batch.state === "running" ? timeLeft(batch) : "", failed > 0 ? `Failed: ${failures(batch)}` : "", skipped]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </section>
  );
}

function Results({ path, batch }: { readonly path: string; readonly batch: Batch }) {
  const load = async (cursor?: string, signal?: AbortSignal): Promise<Page<BatchResult>> => {
    const page = await request<BatchResults>(urlFor(`${path}/results`, { limit: String(PAGE_SIZE), cursor }), {
      signal,
    });
    return { items: page.results, next: page.next_cursor };
  };
  // While the list runs, the first page follows it.
  const [result, retry] = useQuery(
    (signal) => load(undefined, signal),
    [path, batch.progress.done, failedCount(batch)],
  );
  return (
    <QueryResult result={result} retry={retry} lines={8}>
      {(first) =>
        first.items.length === 0 ? (
          <Empty title="The list has no rows" />
        ) : (
          <Pages
            key={first.items.map(({ status }) => status[0]).join("")}
            first={first}
            load={(cursor) => load(cursor)}
          >
            {(results) => (
              <DataTable
                label="Results"
                rows={results.map((row, position) => ({ ...row, position }))}
                columns={columnsOf(batch.columns)}
                keyOf={({ position }) => String(position)}
                href={({ domain, input }) => `/lookup/${encodeURIComponent(domain ?? input)}`}
                rowClass={({ status }) => (status === "done" ? undefined : "muted")}
              />
            )}
          </Pages>
        )
      }
    </QueryResult>
  );
}

type Row = BatchResult & { readonly position: number };

const STATUS_WORDS: Readonly<Record<BatchResult["status"], string>> = {
  waiting: "Waiting",
  done: "Done",
  failed: "Failed",
  invalid: "Not a domain",
  cancelled: "Cancelled",
};

/** The list's own columns come after its domains, at most two of them. */
const columnsOf = (own: readonly string[]): readonly Column<Row>[] => [
  {
    name: "domain",
    title: "Company",
    cell: ({ domain, input }) => (
      <span class="tool-name">
        <CompanyIcon domain={domain ?? input} />
        {domain ?? input}
      </span>
    ),
  },
  ...own.slice(0, 2).map(
    (name): Column<Row> => ({
      name: `own ${name}`,
      title: name,
      kind: "wide",
      cell: ({ columns }) => columns?.[name] ?? "",
    }),
  ),
  {
    name: "status",
    title: "Status",
    cell: ({ status, detail }) => (
      <span title={detail}>
        {status === "failed" ? <Badge tone="gone">Failed</Badge> : STATUS_WORDS[status]}
        {detail !== undefined && <span class="visually-hidden"> {detail}</span>}
      </span>
    ),
  },
  {
    name: "count",
    title: "Tools",
    kind: "number",
    cell: ({ tools_detected }) => (tools_detected === undefined ? "" : formatNumber(tools_detected)),
  },
  {
    name: "tools",
    title: "Stack",
    kind: "middle",
    cell: ({ tools = [] }) => (
      <span class="tile-row">
        {tools.slice(0, SHOWN_TOOLS).map(({ tool, category }) => (
          <span key={tool} title={`${tool} · ${category}`}>
            <ToolIcon tool={tool} category={category} />
            <span class="visually-hidden">{tool}</span>
          </span>
        ))}
        {tools.length > SHOWN_TOOLS && <span class="faint">+{tools.length - SHOWN_TOOLS}</span>}
      </span>
    ),
  },
];
