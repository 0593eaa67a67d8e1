import { type ComponentChildren, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Footer, Header } from "./components/layout.tsx";
import { Home } from "./home.tsx";
import { KeyPage } from "./key.tsx";
import { Lookup } from "./lookup/page.tsx";
import { NotFound } from "./not-found.tsx";
import { Operator } from "./operator/operator.tsx";
import { startRouter, useRoute } from "./router.ts";
import { StudyList } from "./studies/list.tsx";
import { StudyPage } from "./studies/study.tsx";
import { SubmitPage } from "./submit.tsx";
import { Compare } from "./vendors/compare.tsx";
import { VendorList } from "./vendors/list.tsx";
import { VendorPage } from "./vendors/vendor.tsx";

type Page = (props: { readonly id: string; readonly query: URLSearchParams }) => ComponentChildren;

/** Pages by address; the first group of the path becomes the page's decoded `id`. */
const PAGES: readonly (readonly [RegExp, Page])[] = [
  [/^\/$/, Home],
  [/^\/lookup\/([^/]+)$/, Lookup],
  [/^\/lookup$/, Home],
  [/^\/studies$/, StudyList],
  [/^\/studies\/([^/]+)$/, StudyPage],
  [/^\/companies$/, VendorList],
  [/^\/companies\/([^/]+)$/, VendorPage],
  [/^\/compare$/, Compare],
  [/^\/key$/, KeyPage],
  [/^\/submit$/, SubmitPage],
  [/^\/operator(?:\/(.+))?$/, Operator],
];

function Console() {
  const { path, query } = useRoute();
  const main = useRef<HTMLElement>(null);
  const address = path.length > 1 ? path.replace(/\/$/, "") : path;
  const area = address.split("/")[1] ?? "";
  const isFirst = useRef(true);
  // Keyboard navigation starts at the new page's content.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [address]);
  const [pattern, Page] = PAGES.find(([path]) => path.test(address)) ?? [undefined, NotFound];
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header area={pattern && area} />
      <main id="main" ref={main} tabIndex={-1}>
        <Page
          key={area === "operator" ? area : address}
          id={decodeSegment(pattern?.exec(address)?.[1] ?? "")}
          query={query}
        />
      </main>
      <Footer />
    </>
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
