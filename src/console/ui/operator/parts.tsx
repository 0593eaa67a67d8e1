import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Action } from "../../../accounts/roles.ts";
import { requestAsOperator } from "../api-client.ts";
import { Select } from "../components/fields.tsx";
import { Empty, type Page, Pages, QueryResult } from "../components/status.tsx";
import { humanise, pluralise } from "../format.ts";
import { useQuery } from "../queries.ts";
import { setFilter, urlFor } from "../router.ts";
import { useRights } from "../session.ts";

interface PermittedProps {
  /** What the control does. */
  readonly action: Action;
  readonly children: ComponentChildren;
}

/** Controls that the operator's role may use. The page says once why they are missing, see `changes` of its entry. */
export function Permitted({ action, children }: PermittedProps) {
  return useRights()(action) ? children : null;
}

interface PagedListProps<T> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** The field of the response that holds the list. */
  readonly field: string;
  /** Shown when the list is empty. */
  readonly empty: string;
  /** The list is loaded again when this changes. */
  readonly version?: number;
  /** Singular and plural of an item; the total is shown only with them. */
  readonly noun?: readonly [string, string];
  readonly children: (items: readonly T[], reload: () => void) => ComponentChildren;
}

async function fetchPage<T>(path: string, field: string, signal?: AbortSignal): Promise<Page<T>> {
  const page = await requestAsOperator<Record<string, unknown>>(path, { signal });
  const { total, next_cursor: next } = page as { total?: number; next_cursor?: string | null };
  const items = page[field] as readonly T[];
  return { items, total: total ?? items.length, next: next ?? null };
}

/** A list of the operator API, page by page. */
export function PagedList<T>({ path, query = {}, field, empty, version = 0, noun, children }: PagedListProps<T>) {
  const url = urlFor(path, query);
  const [result, reload] = useQuery((signal) => fetchPage<T>(url, field, signal), [url, version]);
  return (
    <QueryResult result={result} retry={reload} lines={6}>
      {(page) =>
        page.items.length === 0 ? (
          <Empty title={empty} />
        ) : (
          <>
            {noun && (
              <p class="faint" role="status">
                {pluralise(page.total ?? 0, ...noun)}
              </p>
            )}
            <Pages
              key={`${url} ${page.items.length}`}
              first={page}
              load={(cursor) => fetchPage<T>(urlFor(path, { ...query, cursor }), field)}
            >
              {(items) => children(items, reload)}
            </Pages>
          </>
        )
      }
    </QueryResult>
  );
}

interface StateFilterProps {
  /** Address of the page whose `state` parameter is set. */
  readonly path: string;
  readonly states: readonly string[];
  readonly value: string;
}

export const StateFilter = ({ path, states, value }: StateFilterProps) => (
  <div class="filter-row">
    <Select
      label="State"
      value={value}
      onChange={(state) => setFilter(urlFor(path, { state }))}
      options={[["", "All"], ...states.map((state) => [state, stateLabel(state)] as const)]}
    />
  </div>
);

/** The page of a URL, to read: `acme.com/customers/alderbrook`. */
export const pageName = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "");

/** `dead` is the stored state of a job that has used up its attempts. */
export const stateLabel = (state: string): string => (state === "dead" ? "Failed" : humanise(state));

/** CSS classes of the tag that shows a state. */
export const stateTone = (state: string): string =>
  ["rejected", "failed", "dead"].includes(state)
    ? "tag bad"
    : ["review", "waiting", "sending", "unclear"].includes(state)
      ? "tag warm"
      : "tag";

interface ConfirmButtonProps {
  readonly children: ComponentChildren;
  /** Label of the button that confirms: `Revoke key`. */
  readonly confirm: string;
  readonly tone?: "danger" | "primary";
  /** CSS classes of the first button. */
  readonly class?: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
}

/** A button that asks for confirmation, for actions that cannot be undone. */
export function ConfirmButton({
  children,
  confirm,
  tone = "danger",
  class: name = "button small",
  busy,
  onConfirm,
}: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <button type="button" class={name} disabled={busy} onClick={() => setAsking(true)}>
        {children}
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        class={`button small ${tone}`}
        disabled={busy}
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        {confirm}
      </button>
      <button type="button" class="button small quiet" onClick={() => setAsking(false)}>
        Cancel
      </button>
    </>
  );
}
