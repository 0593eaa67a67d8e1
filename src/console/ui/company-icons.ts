import { useEffect, useState } from "preact/hooks";
import { requestWithKey } from "./api-client.ts";
import { urlFor } from "./router.ts";

/** `data:` URLs of companies' icons by domain; null where the service has none. */
const known = new Map<string, string | null>();
const wanted = new Map<string, Set<(icon: string | null) => void>>();
/** As many as one answer holds. */
const MAX_ASKED = 40;
/** Icons of one list are requested together. */
const GATHER_MS = 30;
let timer: ReturnType<typeof setTimeout> | null = null;

/** Remembers the icon that came with a result. */
export const setCompanyIcon = (domain: string, icon: string | null): void => {
  known.set(domain, icon);
};

/** The icon of a company once it is loaded. Not counted as a request; without icons the page is the same. */
export function useCompanyIcon(domain: string): string | null {
  const [loaded, setLoaded] = useState<string | null>(null);
  useEffect(() => {
    setLoaded(null);
    if (known.has(domain) || !domain.includes(".")) return;
    const listeners = wanted.get(domain) ?? new Set();
    wanted.set(domain, listeners.add(setLoaded));
    if (timer === null) timer = setTimeout(load, GATHER_MS);
    return () => listeners.delete(setLoaded);
  }, [domain]);
  return known.get(domain) ?? loaded;
}

async function load(): Promise<void> {
  timer = null;
  const asked = [...wanted].slice(0, MAX_ASKED);
  for (const [domain] of asked) wanted.delete(domain);
  if (wanted.size > 0) timer = setTimeout(load, GATHER_MS);
  const domains = asked.map(([domain]) => domain).join(",");
  const icons = await requestWithKey<Readonly<Record<string, string>>>(urlFor("/console/icons", { domains })).catch(
    // The initials stay, and the next list asks again.
    () => undefined,
  );
  for (const [domain, listeners] of asked) {
    if (icons) known.set(domain, icons[domain] ?? null);
    for (const listener of listeners) listener(icons?.[domain] ?? null);
  }
}
