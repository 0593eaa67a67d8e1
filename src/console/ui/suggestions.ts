import { useEffect, useState } from "preact/hooks";
import { requestWithKey } from "./api-client.ts";
import type { Suggestions } from "./api-types.ts";
import { urlFor } from "./router.ts";

const DEBOUNCE_MS = 150;
const NONE: Suggestions = { companies: [], tools: [], vendors: [], closest: null };
const cache = new Map<string, Suggestions>();
const MAX_CACHED = 200;

/** Companies, tools and vendors whose names match what is typed. Never counts against the quota. */
export function useSuggestions(typed: string): Suggestions {
  const text = typed.trim().toLowerCase();
  const [found, setFound] = useState<Suggestions>(NONE);
  useEffect(() => {
    const known = text === "" ? NONE : cache.get(text);
    if (known) return setFound(known);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      requestWithKey<Suggestions>(urlFor("/console/suggest", { q: text }), { signal: controller.signal }).then(
        (suggestions) => {
          if (cache.size >= MAX_CACHED) cache.clear();
          cache.set(text, suggestions);
          if (!controller.signal.aborted) setFound(suggestions);
        },
        // Suggestions are a help, not an answer: without them the field still works.
        () => {},
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return found;
}
