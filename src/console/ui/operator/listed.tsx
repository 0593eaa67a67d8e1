import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { askAsOperator } from "../ask.ts";
import { Fault } from "../parts/fault.tsx";
import { Empty, Told } from "../parts/states.tsx";
import { addressOf } from "../router.ts";
import { useAnswer } from "../use-answer.ts";
import { withQuota } from "../wording.ts";
import { useDeed } from "./use-deed.ts";

interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly next: string | null;
}

interface ListedProps<T> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** The field of the answer that holds the list. */
  readonly field: string;
  readonly empty: string;
  /** Changes when the list must be read anew. */
  readonly turn?: number;
  /** One and many, where the number of all is worth telling. */
  readonly counted?: readonly [string, string];
  readonly children: (items: readonly T[], again: () => void) => ComponentChildren;
}

async function read<T>(path: string, field: string, signal?: AbortSignal): Promise<Page<T>> {
  const page = await askAsOperator<Record<string, unknown>>(path, signal ? { signal } : {});
  const { total, next_cursor: next } = page as { total?: number; next_cursor?: string | null };
  const items = page[field] as readonly T[];
  return { items, total: total ?? items.length, next: next ?? null };
}

/** A list of the operator's part, page by page. */
export function Listed<T>({ path, query = {}, field, empty, turn = 0, counted: words, children }: ListedProps<T>) {
  const address = addressOf(path, query);
  const [answer, again] = useAnswer((signal) => read<T>(address, field, signal), [address, turn]);
  return (
    <Told answer={answer} again={again} lines={6}>
      {(page) =>
        page.items.length === 0 ? (
          <Empty title={empty} />
        ) : (
          <>
            {words && (
              <p class="faint" role="status">
                {withQuota(page.total, words[0], words[1])}
              </p>
            )}
            <Pages key={`${address} ${page.items.length}`} first={page} address={address} field={field}>
              {(items) => children(items, again)}
            </Pages>
          </>
        )
      }
    </Told>
  );
}

interface PagesProps<T> {
  readonly first: Page<T>;
  readonly address: string;
  readonly field: string;
  readonly children: (items: readonly T[]) => ComponentChildren;
}

function Pages<T>({ first, address, field, children }: PagesProps<T>) {
  const [more, setMore] = useState<Page<T>>({ ...first, items: [] });
  const deed = useDeed();
  const load = () =>
    deed.run(async () => {
      const joint = address.includes("?") ? "&" : "?";
      const page = await read<T>(`${address}${joint}cursor=${encodeURIComponent(more.next ?? "")}`, field);
      setMore({ ...page, items: [...more.items, ...page.items] });
    });
  return (
    <>
      {children([...first.items, ...more.items])}
      {deed.refusal && <Fault refusal={deed.refusal} />}
      {more.next && (
        <button type="button" class="button" disabled={deed.busy} onClick={load}>
          Show more
        </button>
      )}
    </>
  );
}
