import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ApiError } from "../api-client.ts";
import { apiKey } from "../credentials.ts";
import { formatSpan } from "../format.ts";
import { type Mutation, type QueryState, useMutation } from "../queries.ts";
import { Icon } from "./icon.tsx";
import { KeyForm, WithoutKey } from "./key-form.tsx";

/** Placeholder lines, so that the page does not jump when the text arrives. */
export const Loading = ({ lines = 4, label = "Loading" }: { readonly lines?: number; readonly label?: string }) => (
  <div class="loading" role="status">
    <span class="visually-hidden">{label}…</span>
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} class={`skeleton skeleton-${line % 3}`} />
    ))}
  </div>
);

export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

interface QueryResultProps<T> {
  readonly result: QueryState<T>;
  readonly retry?: () => void;
  readonly children: (data: T, loading: boolean) => ComponentChildren;
  readonly lines?: number;
}

/** Shows the data of a query, its previous data while it loads, or its error. */
export function QueryResult<T>({ result, retry, children, lines = 4 }: QueryResultProps<T>) {
  if (result.state === "failed") return <ErrorPanel error={result.error} retry={retry} />;
  if (result.state === "loaded") return children(result.data, false);
  return result.previous === undefined ? <Loading lines={lines} /> : children(result.previous, true);
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Undefined when the list is not counted. */
  readonly total?: number | undefined;
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

interface PagesProps<T> {
  readonly first: Page<T>;
  readonly load: (cursor: string) => Promise<Page<T>>;
  /** The whole of the data, when `first` is a part. */
  readonly of?: object;
  readonly children: (items: readonly T[]) => ComponentChildren;
}

/** The further pages of lists that are shown again by Back, by the data of their first page. */
const grown = new WeakMap<object, Page<unknown>>();

/** A list that loads its next page on request. */
export function Pages<T>({ first, load, of = first, children }: PagesProps<T>) {
  const [more, setMore] = useState<Page<T>>((grown.get(of) as Page<T> | undefined) ?? { items: [], next: first.next });
  const { next } = more;
  const mutation = useMutation();
  return (
    <>
      {children([...first.items, ...more.items])}
      <MutationError mutation={mutation} />
      {next && (
        <button
          type="button"
          class="button"
          disabled={mutation.busy}
          onClick={() =>
            mutation.run(async () => {
              const page = await load(next);
              const all = { items: [...more.items, ...page.items], next: page.next };
              grown.set(of, all);
              setMore(all);
            })
          }
        >
          Show more
        </button>
      )}
    </>
  );
}

/** Why a mutation failed, announced at once. */
export function MutationError({ mutation }: { readonly mutation: Pick<Mutation, "error"> }) {
  if (mutation.error === null) return null;
  return (
    <p class="error" role="alert">
      {mutation.error.message}
    </p>
  );
}

interface ErrorPanelProps {
  readonly error: ApiError;
  readonly retry?: (() => void) | undefined;
}

/** A retry would fail in the same way. */
const NOT_RETRYABLE = new Set([400, 403, 404, 405, 409, 413, 415, 422]);

/** Why a page has no data, and what to do about it. */
export function ErrorPanel({ error, retry }: ErrorPanelProps) {
  if (error.status === 401 && error.problem.code === "key.invalid") return <KeyRequired />;
  const final = NOT_RETRYABLE.has(error.status);
  if (error.problem.code === "stack.operator_only") return <HiddenIndex />;
  const list = parentPath();
  return (
    <section class={final ? "error-panel calm" : "error-panel"} role="alert">
      <Icon name={final ? "search" : "warning"} />
      <div>
        <h2>{error.problem.title ?? "Request failed"}</h2>
        <p>{error.message}</p>
        {error.retryAfter !== null && <p>Try again in {formatSpan(error.retryAfter)}.</p>}
        <div class="actions">
          {retry && !final && (
            <button
              type="button"
              class="button"
              onClick={() => {
                retry();
                // The button disappears with the error; keep the keyboard focus on the page.
                document.getElementById("main")?.focus({ preventScroll: true });
              }}
            >
              <Icon name="reload" />
              Try again
            </button>
          )}
          {error.status === 404 && <a href={list}>{list === "/" ? "Home" : "Back to the list"}</a>}
          {error.problem.code === "quota.exceeded" && (
            <a class="button" href="/key">
              Show usage
            </a>
          )}
        </div>
        {error.problem.request_id && <p class="faint">Request {error.problem.request_id}</p>}
      </div>
    </section>
  );
}

/** `/studies/x` → `/studies`: the list that would name what is missing. */
const parentPath = () => (/^\/(?:studies|companies|operator\/\w+)(?=\/)/.exec(location.pathname) ?? ["/"])[0];

/** The operator keeps to themselves which companies were scanned here: no fault of the page or of the key. */
const HiddenIndex = () => (
  <section class="error-panel calm">
    <Icon name="lock" />
    <div>
      <h2>Only the operator sees who uses what</h2>
      <p>
        On this service, lists of scanned companies and their tools are for the operator (
        <code>stack.operator_only</code>). Your key still scans any company, and searches all case studies.
      </p>
      <div class="actions">
        <a class="button" href="/">
          Look up a company
        </a>
        <a class="button" href="/studies">
          Search case studies
        </a>
      </div>
    </div>
  </section>
);

/** Lets the user enter or request a key; the page then loads by itself. */
function KeyRequired() {
  const hasKey = apiKey.get() !== null;
  return (
    <section class="key-required">
      <h2>{hasKey ? "Invalid API key" : "API key required"}</h2>
      <p>
        {hasKey
          ? "The key was revoked or belongs to another installation. Enter another key or get a new one."
          : "A key is free and works at once: you need only an email address. This page then shows what you asked for."}
      </p>
      <KeyForm />
      {hasKey || <WithoutKey />}
    </section>
  );
}

/** What became of a form that was sent. Takes its focus, so that it is read and the keyboard stays where it was. */
export function Done({ text }: { readonly text: string }) {
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => shown.current?.focus(), [text]);
  return (
    <p class="done" role="status" tabIndex={-1} ref={shown}>
      {text}
    </p>
  );
}
