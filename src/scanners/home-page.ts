/** The company's home page and what a recorded browser loaded for it: a tag that loads is a tool at work. */
import { belongsTo } from "../vocabulary/domain.ts";
import type { HttpExchange } from "../vocabulary/snapshot.ts";
import { isCompanyPage, visitHome } from "./company-home.ts";
import { cookieName, headerSignals } from "./page-headers.ts";
import { ownNames } from "./page-hosts.ts";
import { PAGE_KINDS, pageSignals } from "./page-signals.ts";
import type { Scanner } from "./scanner.ts";

const REQUEST_CAP = 5_000;
/** Answers of the company's own hosts that a recorded browser got, and whose heads are read. */
const ANSWER_CAP = 500;

export const homePage: Scanner = {
  id: "home-page",
  phase: "website",
  sees: [...PAGE_KINDS, "html.request"],
  timeoutMs: 8_000,

  async scan(visit, emit) {
    for (const { url, cookies } of visit.known.requests.slice(0, REQUEST_CAP)) {
      const target = URL.parse(url);
      if (!target || !/^https?:$/.test(target.protocol)) continue;
      if (!belongsTo(target.hostname, visit.domain.name))
        emit({ kind: "html.request", value: target.href, location: url });
      else {
        emit({ kind: "html.path", value: target.pathname + target.search, location: url });
        for (const cookie of cookies) {
          const name = cookieName(cookie);
          if (name) emit({ kind: "http.cookie", value: name, location: url });
        }
      }
    }
    const own = visit.known.requests.filter(({ url }) => isCompanyPage(url, visit.domain)).slice(0, ANSWER_CAP);
    for (const { url } of own) {
      const { hops } = await visit.http(url, { follow: false, maxBytes: 1 });
      if (hops[0].status !== "ok") continue;
      for (const signal of headerSignals(hops[0], ownNames(visit.domain, url))) emit(signal);
    }
    const read = new Set<string>();
    for (const { hops } of await visitHome(visit)) {
      for (const hop of hops) {
        if (hop.status !== "ok" || read.has(hop.url)) continue;
        read.add(hop.url);
        if (isCompanyPage(hop.url, visit.domain)) for (const signal of pageSignals(hop, visit.domain)) emit(signal);
        else if (isLast(hop, hops) && /^https?:\/\/\w/.test(hop.url))
          emit({ kind: "html.anchor", value: hop.url, location: hops[0].url });
      }
    }
  },
};

const isLast = (hop: HttpExchange, hops: readonly HttpExchange[]) => hop === hops.at(-1);
