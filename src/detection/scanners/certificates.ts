import { belongsTo } from "../../core/domain.ts";
import { field, parseJsonArray } from "../../core/json.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import type { Visit } from "../visit/visit.ts";
import { emitCnames } from "./dns.ts";
import { asHost, COMMON_SUBDOMAINS, knownNames, thirdPartyHost, wildcardTargets } from "./dns-names.ts";
import { type Scanner, Skipped } from "./scanner.ts";

const CERTIFICATE_NAMES_LIMIT = 100;

/** The issuer of the site's certificate, and other names in it: a vendor that terminates TLS often adds its names. */
export const certificate: Scanner = {
  id: "certificate",
  phase: "hosting",
  emits: ["tls.issuer", "tls.san"],
  timeoutMs: 8_000,
  needs: "certificates",

  async scan(visit, emit) {
    const apex = visit.domain.name;
    await Promise.all(
      [apex, `www.${apex}`].map(async (host) => {
        const { status, issuer, names } = await visit.certificate(host);
        if (status !== "ok") return;
        const location = `${host} certificate`;
        if (issuer && (issuer.organisation || issuer.name))
          emit({ kind: "tls.issuer", value: `${issuer.organisation} / ${issuer.name}`.slice(0, 500), location });
        const otherNames = names.flatMap((name) => thirdPartyHost(name.replace(/^\*\./, ""), visit.domain) ?? []);
        for (const value of [...new Set(otherNames)].slice(0, CERTIFICATE_NAMES_LIMIT))
          emit({ kind: "tls.san", value, location });
      }),
    );
  },
};

const ENTRIES_LIMIT = 5_000;
const NAMES_LIMIT = 300;
const LOOKUPS_LIMIT = 80;

/** The best-known log often takes longer than a scan; after this time the next one is queried as well. */
const HEDGE_MS = 2_500;

/** CNAMEs of the company's names in Certificate Transparency logs. A name alone is no signal: it may no longer exist. */
export const certificateLogs: Scanner = certificateLogsAfter(HEDGE_MS);

/** @param hedgeMs time without an answer after which the next log is queried as well */
export function certificateLogsAfter(hedgeMs: number): Scanner {
  return {
    id: "certificate-logs",
    phase: "subdomains",
    emits: ["dns.cname"],
    timeoutMs: 10_000,
    needs: "elsewhere",

    async scan(visit, emit) {
      if (visit.sources.certificateLogs.length === 0) throw new Skipped("Certificate logs are disabled.");
      const scannedElsewhere = new Set([
        ...COMMON_SUBDOMAINS.map((label) => `${label}.${visit.domain.name}`),
        ...knownNames(visit),
      ]);
      const logged = await loggedNames(visit, hedgeMs);
      const names = logged.filter((name) => !scannedElsewhere.has(name)).slice(0, LOOKUPS_LIMIT);
      if (names.length === 0) return;
      await emitCnames(visit, names, await wildcardTargets(visit, visit.domain.name), emit);
    },
  };
}

/** Names in the logs, which contain the same certificates. Names with few labels and characters first. */
async function loggedNames(visit: Visit, hedgeMs: number): Promise<readonly string[]> {
  const queries = visit.sources.certificateLogs.slice(0, 4).map((template) => async () => {
    const url = template.replaceAll("{domain}", encodeURIComponent(visit.domain.name));
    const { final } = await visit.http(url, { accept: "application/json" });
    return final.code === 200 ? parseLog(final) : undefined;
  });
  const names = new Set((await firstAnswer(queries, hedgeMs))?.flatMap((name) => asHost(name) ?? []));
  return [...names]
    .filter((name) => belongsTo(name, visit.domain.name))
    .sort((a, b) => a.split(".").length - b.split(".").length || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, NAMES_LIMIT);
}

/** Runs queries in order; the next one starts when the previous one failed or has not answered for `hedgeMs`. */
async function firstAnswer<T>(
  [query, ...others]: readonly (() => Promise<T | undefined>)[],
  hedgeMs: number,
): Promise<T | undefined> {
  if (!query) return undefined;
  const current = query();
  const silence = Promise.withResolvers<"silent">();
  const timer = others.length > 0 ? setTimeout(() => silence.resolve("silent"), hedgeMs) : undefined;
  const first = await Promise.race([current, silence.promise]).finally(() => clearTimeout(timer));
  if (first !== "silent") return first ?? firstAnswer(others, hedgeMs);
  const rest = firstAnswer(others, hedgeMs);
  return (await Promise.race([current, rest])) ?? (await current) ?? (await rest);
}

/** Supports both formats in use: `[{name_value: "a\nb"}]` and `[{dns_names: ["a", "b"]}]`. */
function parseLog({ body, truncated }: HttpExchange): readonly string[] | undefined {
  return parseJsonArray(body, truncated)
    ?.slice(0, ENTRIES_LIMIT)
    .flatMap((entry) => {
      const text = field(entry, "name_value");
      const list = field(entry, "dns_names");
      if (typeof text === "string") return text.split("\n", 500);
      return Array.isArray(list) ? list.slice(0, 500).filter((name) => typeof name === "string") : [];
    });
}
