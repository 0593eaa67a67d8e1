import type { HttpExchange } from "../../net/snapshot.ts";
import { findHome, isCompanyPage, requestSignals } from "./home-page.ts";
import { PAGE_KINDS, pageSignals } from "./page-signals.ts";
import { type Scanner, Skipped } from "./scanner.ts";

/** The home page in a browser: what its scripts request, set and add, which the page's source does not show. */
export const browser: Scanner = {
  id: "browser",
  phase: "website",
  emits: [...PAGE_KINDS, "html.request", "js.global"],
  timeoutMs: 12_000,

  async scan(visit, emit) {
    if (visit.browse === null) throw new Skipped(visit.known.isRecorded ? UNRECORDED : UNCONFIGURED);
    const home = await findHome(visit);
    const page = await visit.browse(home?.url ?? `https://${visit.domain.name}/`);
    if (page.status !== "ok" || !isCompanyPage(page.url, visit.domain)) return;
    const location = page.url;
    for (const signal of requestSignals(page.requests, visit.domain)) emit(signal);
    for (const name of page.cookies) emit({ kind: "http.cookie", value: name, location });
    if (page.globals.length > 0) emit({ kind: "js.global", value: page.globals.map(assignment).join("\n"), location });
    for (const signal of pageSignals(rendered(page.url, page.html), visit.domain)) emit(signal);
  },
};

const UNCONFIGURED = "No browser is configured (scan.browser_url).";
const UNRECORDED = "The recording has no browser visit; `casefile capture --browser` records one.";

/** `Shopify.theme.name: Debut` as code, `Shopify.theme.name = "Debut";`, so that rules for code match it. */
function assignment(global: string): string {
  const [name = "", ...value] = global.split(": ");
  return value.length === 0 ? `${name} = {};` : `${name} = ${JSON.stringify(value.join(": "))};`;
}

function rendered(url: string, html: string): HttpExchange {
  return { method: "GET", url, status: "ok", code: 200, headers: [["content-type", "text/html"]], body: html };
}
