import { useId, useMemo, useState } from "preact/hooks";
import { request } from "../api-client.ts";
import type { Batch, BatchList } from "../api-types.ts";
import { Field, Segmented } from "../components/fields.tsx";
import { Icon } from "../components/icon.tsx";
import { Empty, MutationError, type Page, Pages, QueryResult } from "../components/status.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { apiKey } from "../credentials.ts";
import { formatNumber, formatPercent, formatTime } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useMutation, useQuery } from "../queries.ts";
import { navigate, urlFor, useTitle } from "../router.ts";
import { failedCount, listName, STATE_WORDS, shareDone } from "./batch.ts";

/** Lists of domains that are scanned in the background. */
export function Lists() {
  useTitle("Lists");
  const key = useObservable(apiKey);
  const load = async (cursor?: string, signal?: AbortSignal): Promise<Page<Batch>> => {
    const page = await request<BatchList>(urlFor("/v1/enrich/batches", { limit: "50", cursor }), { signal });
    return { items: page.batches, total: page.total, next: page.next_cursor };
  };
  const [result, retry] = useQuery((signal) => load(undefined, signal), [key]);
  return (
    <>
      <h1>Lists</h1>
      {key !== null && <NewList />}
      <QueryResult result={result} retry={retry} lines={5}>
        {(first) =>
          first.items.length === 0 ? (
            <Empty title="No lists yet">
              <p>Paste domains or upload a file above. Each domain counts as one request.</p>
            </Empty>
          ) : (
            <Pages first={first} load={(cursor) => load(cursor)}>
              {(batches) => (
                <DataTable
                  label="Lists"
                  rows={batches}
                  columns={COLUMNS}
                  keyOf={({ id }) => id}
                  href={({ id }) => `/lists/${encodeURIComponent(id)}`}
                />
              )}
            </Pages>
          )
        }
      </QueryResult>
    </>
  );
}

const COLUMNS: readonly Column<Batch>[] = [
  { name: "name", title: "List", cell: (batch) => <span class="list-name">{listName(batch)}</span> },
  { name: "state", title: "State", cell: ({ state }) => STATE_WORDS[state] },
  { name: "done", title: "Done", kind: "number", cell: (batch) => formatPercent(shareDone(batch)) },
  { name: "domains", title: "Domains", kind: "number", cell: ({ domains }) => formatNumber(domains) },
  {
    name: "failed",
    title: "Failed",
    kind: "number",
    cell: (batch) => formatNumber(failedCount(batch)),
  },
  { name: "created", title: "Created", kind: "wide", cell: ({ created_at }) => formatTime(created_at) },
];

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\.(?:ndjson|jsonl)$/i, "application/x-ndjson"],
  [/\.json$/i, "application/json"],
];
/** The service refuses larger lists. */
const MAX_BYTES = 16 * 1_048_576;

function NewList() {
  const upload = useId();
  const [text, setText] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const [depth, setDepth] = useState<"light" | "all">("light");
  const [problem, setProblem] = useState<string | null>(null);
  const mutation = useMutation();
  // A double click and a retry start one batch. After a success the page is left, so that a later submission has a new key.
  const idempotencyKey = useMemo(randomKey, [text, file, name, depth]);
  const choose = (chosen: File | undefined) => {
    setProblem(null);
    if (chosen && chosen.size > MAX_BYTES) setProblem(`${chosen.name} is larger than 16 MiB.`);
    else setFile(chosen ?? null);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (file === null && text.trim() === "") return setProblem("Paste domains, or choose a file.");
    const body = file ?? new Blob([text]);
    const type = TYPES.find(([pattern]) => file !== null && pattern.test(file.name))?.[1] ?? "text/csv";
    const options = { name: name.trim() || file?.name.slice(0, 100), sources: depth === "light" ? "light" : undefined };
    await mutation.run(async () => {
      const batch = await request<Batch>(urlFor("/v1/enrich/batches", options), {
        body,
        headers: { "content-type": type, "idempotency-key": idempotencyKey },
      });
      navigate(`/lists/${encodeURIComponent(batch.id)}`);
    });
  };
  return (
    <form
      class="panel new-list"
      noValidate
      onSubmit={submit}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        choose(event.dataTransfer?.files[0]);
      }}
    >
      <Field
        label="Domains"
        rows={5}
        mono
        required={file === null}
        value={text}
        placeholder={"acme.com\nglobex.com"}
        hint={
          file === null
            ? "One a line, or CSV with a header; further columns are kept. Or drop a file here: CSV, NDJSON, JSON, up to 100,000 rows."
            : undefined
        }
        onInput={(value) => {
          setText(value);
          setProblem(null);
        }}
      />
      <div class="new-list-options">
        <div class="field">
          <label for={upload}>File</label>
          <input
            id={upload}
            type="file"
            accept=".csv,.txt,.ndjson,.jsonl,.json,.tsv"
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        </div>
        <Field label="Name" value={name} onInput={setName} />
        <Segmented
          legend="Depth of the scans"
          name="depth"
          value={depth}
          onChange={setDepth}
          options={[
            ["light", "Light scan", "DNS records and the home page"],
            ["all", "Full scan", "All data sources; takes about ten times as long"],
          ]}
        />
        <button type="submit" class="button primary" disabled={mutation.busy}>
          {mutation.busy ? "Sending…" : "Scan list"}
        </button>
        {file !== null && (
          <button type="button" class="button small quiet" onClick={() => setFile(null)}>
            <Icon name="close" />
            {file.name}
          </button>
        )}
      </div>
      {problem !== null && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <MutationError mutation={mutation} />
    </form>
  );
}

/** `crypto.randomUUID` exists only over HTTPS and on localhost. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
