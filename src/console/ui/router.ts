import { useEffect } from "preact/hooks";
import { observable, useObservable } from "./observable.ts";

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });
const place = observable<Place>(here());

/** Where the person is. */
export const usePlace = (): Place => useObservable(place);

/** Goes to an address of the console. `replace` when it is the same page in another state. */
export function go(address: string, { replace = false } = {}): void {
  if (address === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  const before = place.get().path;
  place.set(here());
  if (before !== location.pathname) scrollTo(0, 0);
}

/** `/studies` with what is set of `{ q, mode }`; what is empty is left out. */
export function addressOf(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const set = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) set.set(name, value);
  const text = set.toString().replaceAll("%2C", ",");
  return text === "" ? path : `${path}?${text}`;
}

/** Paths that the service answers itself. */
const ELSEWHERE = /^\/(?:docs|openapi\.json|v1|admin|metrics)(?:\/|$)/;

/** Follows links between pages without loading anew; every link stays a link that can be opened in a tab. */
export function startRouter(): void {
  addEventListener("popstate", () => place.set(here()));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.download) return;
    if (link.origin !== location.origin || ELSEWHERE.test(link.pathname)) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}

/** The page's title. Whoever listens instead of looks is told of a new page by it. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Casefile" : `${title} · Casefile`;
  }, [title]);
}
