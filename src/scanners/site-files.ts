/** Files that a site keeps at fixed places: what generates or serves the site signs them, and ads.txt lists who sells its space. */
import type { HttpAnswer } from "../net/visit.ts";
import { belongsTo } from "../vocabulary/domain.ts";
import type { HttpExchange } from "../vocabulary/snapshot.ts";
import { findHome, findOrigin } from "./company-home.ts";
import { asHost } from "./host-name.ts";
import { pageSignals } from "./page-signals.ts";
import { parseJson } from "./parse-json.ts";
import type { Scanner } from "./scanner.ts";

const TEXT_CAP = 65_536;
const SELLER_BYTES = 524_288;
const SELLER_CAP = 500;
/** A list of pages names whatever they are about; its head names the generator. */
const URLSET_HEAD = 4_096;

export const siteFiles: Scanner = {
  id: "site-files",
  phase: "website",
  sees: ["file.robots", "file.sitemap", "file.ads", "file.manifest", "file.favicon"],
  timeoutMs: 8_000,

  async scan(visit, emit) {
    const { domain } = visit;
    const origin = await findOrigin(visit);
    const text = { maxBytes: TEXT_CAP };

    const robotsAndSitemap = async () => {
      const robots = plain(await visit.http(`${origin}/robots.txt`, text));
      const isRobots = robots !== undefined && ROBOTS.test(robots.body);
      if (isRobots) emit({ kind: "file.robots", value: robots.body.slice(0, TEXT_CAP), location: robots.url });
      const listed = isRobots ? sitemapIn(robots.body, domain.name) : undefined;
      const { final } = await visit.http(listed ?? `${origin}/sitemap.xml`, text);
      const head = /<(urlset|sitemapindex)[\s>]/.exec(final.code === 200 ? final.body.slice(0, 8_192) : "");
      if (!head) return;
      const value = final.body.slice(0, head[1] === "urlset" ? URLSET_HEAD : TEXT_CAP);
      emit({ kind: "file.sitemap", value, location: final.url });
    };

    const sellers = async (file: string) => {
      const answer = plain(await visit.http(`https://${domain.name}/${file}`, { maxBytes: SELLER_BYTES }));
      if (!answer) return;
      for (const host of sellersIn(answer.body).slice(0, SELLER_CAP))
        if (!belongsTo(host, domain.name)) emit({ kind: "file.ads", value: host, location: answer.url });
    };

    const manifest = async () => {
      const home = await findHome(visit);
      const linked =
        home && pageSignals(home, domain).find(({ kind, value }) => kind === "html.link" && MANIFEST.test(value));
      const { final } = await visit.http(linked?.value ?? `${origin}/manifest.json`, text);
      const value = final.code === 200 ? parseJson(final.body) : undefined;
      if (typeof value === "object" && value !== null && ("name" in value || "icons" in value || "start_url" in value))
        emit({ kind: "file.manifest", value: final.body, location: final.url });
    };

    const favicon = async () => {
      const { final } = await visit.http(`${origin}/favicon.ico`, { binary: true, maxBytes: 262_144 });
      if (final.code !== 200 || final.encoding !== "base64" || final.truncated || !final.body || isMarkup(final))
        return;
      const value = new Bun.CryptoHasher("sha256").update(Buffer.from(final.body, "base64")).digest("hex");
      emit({ kind: "file.favicon", value, location: final.url });
    };

    await Promise.all([robotsAndSitemap(), sellers("ads.txt"), sellers("app-ads.txt"), manifest(), favicon()]);
  },
};

const ROBOTS = /^\s{0,20}(?:user-agent|sitemap|disallow|allow)\s{0,20}:/im;
const MANIFEST = /manifest[^/]{0,80}$|\.webmanifest/i;

const isMarkup = (file: HttpExchange) =>
  file.headers.some(([name, value]) => name.toLowerCase() === "content-type" && /html/i.test(value));

/** The last response when it is a text file; a server that answers everything with a page has none. */
function plain({ final }: HttpAnswer): HttpExchange | undefined {
  const isText = final.status === "ok" && final.code === 200 && !final.encoding && final.body.length > 0;
  return isText && !isMarkup(final) && !/^\s{0,100}</.test(final.body.slice(0, 200)) ? final : undefined;
}

/** The first sitemap of the company's own that robots.txt lists and that is no archive. */
function sitemapIn(robots: string, domain: string): string | undefined {
  const listed = robots.matchAll(/^[ \t]{0,20}sitemap[ \t]{0,20}:[ \t]{0,20}(\S{8,2000})/gim);
  for (const [, written] of listed) {
    const url = URL.parse(written ?? "");
    if (url && /^https?:$/.test(url.protocol) && belongsTo(url.hostname, domain) && !url.pathname.endsWith(".gz"))
      return url.href;
  }
  return undefined;
}

/** Seller domains, those that the company has an account with first: `domain, account, DIRECT|RESELLER`. */
function sellersIn(text: string): string[] {
  const direct = new Set<string>();
  const resellers = new Set<string>();
  for (const line of text.split(/[\r\n]+/, 20_000)) {
    const [seller = "", account, relation] =
      line
        .slice(0, 500)
        .split("#", 1)[0]
        ?.split(",", 4)
        .map((part) => part.trim()) ?? [];
    const host = asHost(seller);
    if (!host || !account || host === "placeholder.example.com") continue;
    if (relation?.toUpperCase() === "DIRECT") direct.add(host);
    else if (relation?.toUpperCase() === "RESELLER") resellers.add(host);
  }
  return [...direct.union(resellers)];
}
