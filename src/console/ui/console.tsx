import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Companies } from "./pages/companies.tsx";
import { CompanyPage } from "./pages/company.tsx";
import { Compare } from "./pages/compare.tsx";
import { Home } from "./pages/home.tsx";
import { KeyPage } from "./pages/key.tsx";
import { Lookup } from "./pages/lookup.tsx";
import { NotFound } from "./pages/not-found.tsx";
import { Operator } from "./pages/operator.tsx";
import { Studies } from "./pages/studies.tsx";
import { StudyPage } from "./pages/study.tsx";
import { Submit } from "./pages/submit.tsx";
import { Footer } from "./parts/footer.tsx";
import { Header } from "./parts/header.tsx";
import { usePlace } from "./router.ts";

type Page = (props: { readonly id: string; readonly query: URLSearchParams }) => ComponentChildren;

/** Every page by its address; the first group of a path is handed on, decoded. */
const PAGES: readonly (readonly [RegExp, Page])[] = [
  [/^\/$/, Home],
  [/^\/lookup\/([^/]+)$/, Lookup],
  [/^\/lookup$/, Home],
  [/^\/studies$/, Studies],
  [/^\/studies\/([^/]+)$/, StudyPage],
  [/^\/companies$/, Companies],
  [/^\/companies\/([^/]+)$/, CompanyPage],
  [/^\/compare$/, Compare],
  [/^\/key$/, KeyPage],
  [/^\/submit$/, Submit],
  [/^\/operator(?:\/(.+))?$/, Operator],
];

export function Console() {
  const { path, query } = usePlace();
  const main = useRef<HTMLElement>(null);
  const bare = path.length > 1 ? path.replace(/\/$/, "") : path;
  const area = bare.split("/")[1] ?? "";
  const first = useRef(true);
  // A new page is what the keyboard starts from again.
  useEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [bare]);

  for (const [pattern, Page] of PAGES) {
    const found = pattern.exec(bare);
    if (!found) continue;
    return (
      <>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Header area={area} />
        <main id="main" ref={main} tabIndex={-1}>
          <Page key={area === "operator" ? area : bare} id={decoded(found[1] ?? "")} query={query} />
        </main>
        <Footer />
      </>
    );
  }
  return (
    <>
      <Header />
      <main id="main" ref={main} tabIndex={-1}>
        <NotFound />
      </main>
      <Footer />
    </>
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
