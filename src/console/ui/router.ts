import { useEffect } from "preact/hooks";
import { observable, useObservable } from "./observable.ts";

export interface Route {
  readonly path: string;
  readonly query: URLSearchParams;
}

const currentRoute = (): Route => ({ path: location.pathname, query: new URLSearchParams(location.search) });
const route = observable<Route>(currentRoute());

export const useRoute = (): Route => useObservable(route);

/** Opens an address of the console. `replace` adds no history entry: the same page in another state. */
export function navigate(url: string, { replace = false } = {}): void {
  if (url === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", url);
  const before = route.get().path;
  route.set(currentRoute());
  if (before !== location.pathname) scrollTo(0, 0);
}

/** `/studies` with the non-empty values of `{ q, mode }` as its query. */
export function urlFor(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value);
  const text = params.toString().replaceAll("%2C", ",");
  return text === "" ? path : `${path}?${text}`;
}

/** Paths that the service answers, not the console. */
const SERVER_PATHS = /^\/(?:docs|openapi\.json|v1|admin|metrics)(?:\/|$)/;

/** Handles clicks on links between pages without reloading the document. */
export function startRouter(): void {
  addEventListener("popstate", () => route.set(currentRoute()));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.download) return;
    if (link.origin !== location.origin || SERVER_PATHS.test(link.pathname)) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}

/** Sets the document title, which screen readers announce for a new page. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Casefile" : `${title} · Casefile`;
  }, [title]);
}
