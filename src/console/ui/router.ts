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
  target = undefined;
  saveScroll();
  const before = route.get().path;
  history[replace ? "replaceState" : "pushState"](replace ? history.state : null, "", url);
  returning = false;
  route.set(currentRoute());
  if (before !== location.pathname) scrollTo(0, 0);
}

/**
 * Shows the page with another filter. Each choice is an entry of the history, which Back undoes. So is a text that is typed,
 * with all of its letters: further ones replace the entry of the first.
 */
export function setFilter(url: string, { isTyped = false } = {}): void {
  // A space that was typed changes nothing, and the entry is that of the choice before.
  if (url === location.pathname + location.search) return;
  navigate(url, { replace: isTyped && history.state?.isTyped === true });
  if (isTyped) history.replaceState({ ...history.state, isTyped }, "");
}

/** Whether the page was reached by the browser's Back or Forward: it then shows what it showed before. */
let returning = false;
export const isReturning = (): boolean => returning;

const MAX_RESTORE_MS = 3_000;
/** The page may be rendered again, and be shorter for a moment, soon after it was long enough. */
const STEADY_MS = 300;

/** Where the page was left, until it is there again or the user moves. */
let target: number | undefined;

const leftAt = (): number | undefined => {
  const scroll: unknown = history.state?.scroll;
  return typeof scroll === "number" && scroll > 0 ? scroll : undefined;
};

function saveScroll(): void {
  // A page that is not yet long enough to scroll must not replace the position that it is to get.
  if (target === undefined) history.replaceState({ ...history.state, scroll: scrollY }, "");
}

/** Scrolls to where the page was left, as soon as it is long enough. */
export function restoreScroll(): void {
  const started = performance.now();
  let away = started;
  const attempt = (): void => {
    if (target === undefined) return;
    const now = performance.now();
    if (Math.abs(scrollY - target) > 2) {
      away = now;
      scrollTo(0, target);
    }
    if (now - started > MAX_RESTORE_MS || now - away > STEADY_MS) target = undefined;
    else requestAnimationFrame(attempt);
  };
  attempt();
}

/** `/studies` with the non-empty values of `{ q, mode }` as its query. */
export function urlFor(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) params.set(name, value);
  const text = params.toString().replaceAll("%2C", ",");
  return text === "" ? path : `${path}?${text}`;
}

/** Paths that the service answers, not the console. */
const SERVER_PATHS = /^\/(?:llms\.txt|openapi\.json|v1|admin|metrics)(?:\/|$)/;

/** Handles clicks on links between pages without reloading the document. */
export function startRouter(): void {
  history.scrollRestoration = "manual";
  // A reload is a return too.
  returning = history.state?.scroll !== undefined;
  target = leftAt();
  let saving: ReturnType<typeof setTimeout> | undefined;
  addEventListener("scroll", () => {
    clearTimeout(saving);
    saving = setTimeout(saveScroll, 100);
  });
  addEventListener("popstate", () => {
    clearTimeout(saving);
    returning = true;
    target = leftAt();
    // A link to a part of the page has no state, and scrolls by itself.
    if (history.state?.scroll === 0) scrollTo(0, 0);
    route.set(currentRoute());
  });
  // The user moves: stop restoring.
  for (const moved of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(moved, () => (target = undefined), { passive: true });
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
