import { type ComponentChildren, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Guarded } from "./components/guarded.tsx";
import { Navigation } from "./components/layout.tsx";
import { ErrorPanel, Loading } from "./components/status.tsx";
import { Toasts } from "./components/toast.tsx";
import { Home } from "./home.tsx";
import { NotFound } from "./not-found.tsx";
import { toApiError } from "./queries.ts";
import { restoreScroll, startRouter, useRoute } from "./router.ts";

type Page = (props: { readonly id: string; readonly query: URLSearchParams }) => ComponentChildren;

/** Pages by address; the first group of the path becomes the page's decoded `id`. Each is a script of its own. */
const PAGES: readonly (readonly [RegExp, () => Promise<Page>])[] = [
  [/^\/lookup\/([^/]+)$/, async () => (await import("./lookup/page.tsx")).Lookup],
  [/^\/tools$/, async () => (await import("./tools/list.tsx")).ToolList],
  [/^\/tools\/([^/]+)$/, async () => (await import("./tools/tool.tsx")).ToolPage],
  [/^\/lists$/, async () => (await import("./lists/lists.tsx")).Lists],
  [/^\/lists\/([^/]+)$/, async () => (await import("./lists/list.tsx")).ListPage],
  [/^\/query$/, async () => (await import("./query/page.tsx")).QueryPage],
  [/^\/studies$/, async () => (await import("./studies/list.tsx")).StudyList],
  [/^\/studies\/([^/]+)$/, async () => (await import("./studies/study.tsx")).StudyPage],
  [/^\/companies$/, async () => (await import("./vendors/list.tsx")).VendorList],
  [/^\/companies\/([^/]+)$/, async () => (await import("./vendors/vendor.tsx")).VendorPage],
  [/^\/compare$/, async () => (await import("./vendors/compare.tsx")).Compare],
  [/^\/key$/, async () => (await import("./key.tsx")).KeyPage],
  [/^\/submit$/, async () => (await import("./submit.tsx")).SubmitPage],
  [/^\/docs(?:\/([^/]+))?$/, async () => (await import("./reference/page.tsx")).ReferencePage],
  [/^\/operator(?:\/(.+))?$/, async () => (await import("./operator/operator.tsx")).Operator],
];

/** Scripts of pages that were loaded. */
const loaded = new Map<RegExp, Page>([[/^\/(?:lookup)?$/, Home]]);

/** The page at an address; undefined while its script loads. */
function usePage(address: string): { readonly pattern?: RegExp; readonly page?: Page; readonly error?: unknown } {
  const [failed, setFailed] = useState<{ readonly pattern: RegExp; readonly error: unknown } | null>(null);
  const [, setVersion] = useState(0);
  const known = [...loaded].find(([path]) => path.test(address));
  const entry = known ? undefined : PAGES.find(([path]) => path.test(address));
  useEffect(() => {
    if (!entry) return;
    const [pattern, load] = entry;
    load().then(
      (page) => {
        loaded.set(pattern, page);
        setVersion((before) => before + 1);
      },
      (error) => setFailed({ pattern, error }),
    );
  }, [entry?.[0]]);
  if (known) return { pattern: known[0], page: known[1] };
  if (!entry) return { page: NotFound };
  return { pattern: entry[0], ...(failed?.pattern === entry[0] ? { error: failed.error } : {}) };
}

function Console() {
  const { path, query } = useRoute();
  const main = useRef<HTMLElement>(null);
  const address = path.length > 1 ? path.replace(/\/$/, "") : path;
  const area = address.split("/")[1] ?? "";
  const isFirst = useRef(true);
  const { pattern, page: Page, error } = usePage(address);
  // Keyboard navigation starts at the new page's content.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [address]);
  // Back may lead to another state of the same page.
  useEffect(restoreScroll, [path, query]);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Navigation area={pattern && area} address={address} />
      <main id="main" ref={main} tabIndex={-1}>
        {Page ? (
          <Guarded key={area === "operator" ? area : address}>
            <Page id={decodeSegment(pattern?.exec(address)?.[1] ?? "")} query={query} />
          </Guarded>
        ) : error === undefined ? (
          <Loading lines={6} />
        ) : (
          <ErrorPanel error={toApiError(error)} retry={() => location.reload()} />
        )}
      </main>
      <Toasts />
    </div>
  );
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const root = document.getElementById("console");
if (!root) throw new Error("The page has no element with the id console.");
startRouter();
render(<Console />, root);
