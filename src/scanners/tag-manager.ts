/** The page's Google Tag Manager containers: what a container loads is decided there and not in the page. */
import { findHome } from "./company-home.ts";
import { hostsInCode, ownNames } from "./page-hosts.ts";
import { pageSignals } from "./page-signals.ts";
import { type Scanner, Skipped } from "./scanner.ts";

const CONTAINER_CAP = 3;
const ID = /\bGTM-[A-Z0-9]{4,10}\b/g;
const WHERE = new Set(["html.script", "html.frame", "html.inline"]);

export const tagManager: Scanner = {
  id: "tag-manager",
  phase: "website",
  sees: ["gtm.host", "gtm.tag"],
  timeoutMs: 8_000,

  async scan(visit, emit) {
    const { tagManager: source } = visit.sources;
    if (source === null) throw new Skipped("The look-up of tag manager containers is switched off.");
    const home = await findHome(visit);
    if (!home) return;
    const found = pageSignals(home, visit.domain)
      .filter(({ kind }) => WHERE.has(kind))
      .flatMap(({ value }) => value.match(ID) ?? []);
    const own = ownNames(visit.domain, home.url);
    await Promise.all(
      [...new Set(found)].slice(0, CONTAINER_CAP).map(async (id) => {
        const location = source.replaceAll("{id}", id);
        const { final } = await visit.http(location);
        const container = final.code === 200 ? containerData(final.body) : "";
        for (const host of hostsInCode(container, own, false)) emit({ kind: "gtm.host", value: host, location });
        for (const tag of tagTypes(container)) emit({ kind: "gtm.tag", value: tag, location });
      }),
    );
  },
};

/**
 * The part of a container that its owner wrote. Behind it stands the library, the same in every container, which
 * names all hosts that Google's own tags may ever call.
 */
function containerData(script: string): string {
  const start = script.indexOf('"resource"');
  if (start < 0) return "";
  const end = script.slice(start).search(/\n\s{0,8}\};/);
  return end < 0 ? script.slice(start) : script.slice(start, start + end);
}

function tagTypes(container: string): Set<string> {
  const start = container.indexOf('"tags"');
  const end = container.indexOf('"predicates"');
  const tags = start < 0 ? "" : container.slice(start, end > start ? end : undefined);
  const names = [...tags.matchAll(/"function"\s{0,2}:\s{0,2}"(__\w{1,60})"/g)].flatMap(([, name]) => name ?? []);
  return new Set(names.filter((name) => name !== "__paused").slice(0, 2_000));
}
