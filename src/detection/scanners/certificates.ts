import { belongsTo } from "../../core/domain.ts";
import { field, parseJsonArray } from "../../core/json.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import type { Visit } from "../visit/visit.ts";
import { emitCnames } from "./dns.ts";
import { asHost, COMMON_SUBDOMAINS, ownNames, thirdPartyHost, wildcardTargets } from "./dns-names.ts";
import { type Scanner, Skipped } from "./scanner.ts";

const CERTIFICATE_NAMES_LIMIT = 100;

/** Who issued the site's certificate, and whose names share it: a host that terminates TLS often brings its own. */
export const certificate: Scanner = {
  id: "certificate",
  phase: "hosting",
  emits: ["tls.issuer", "tls.san"],
  timeoutMs: 8_000,

  async scan(visit, emit) {
    const apex = visit.domain.name;
    await Promise.all(
      [apex, `www.${apex}`].map(async (host) => {
        const { status, issuer, names } = await visit.certificate(host);
        if (status !== "ok") return;
        const location = `${host} certificate`;
        if (issuer && (issuer.organisation || issuer.name))
          emit({ kind: "tls.issuer", value: `${issuer.organisation} / ${issuer.name}`.slice(0, 500), location });
        const others = names.flatMap((name) => thirdPartyHost(name.replace(/^\*\./, ""), visit.domain) ?? []);
        for (const value of [...new Set(others)].slice(0, CERTIFICATE_NAMES_LIMIT))
          emit({ kind: "tls.san", value, location });
      }),
    );
  },
};

const ENTRIES_LIMIT = 5_000;
const NAMES_LIMIT = 300;
const LOOKUPS_LIMIT = 80;

/** The best-known log often takes longer than a scan lasts; the second is then asked beside it. */
const PATIENCE_MS = 2_500;

/**
 * Names of the company that certificate-transparency logs tell of, and whose alias they are today. A name in the log
 * proves nothing by itself: it may be long dead.
 */
export const certificateLogs: Scanner = certificateLogsAfter(PATIENCE_MS);

/** @param patienceMs for how long one log may be silent before the next is asked as well */
export function certificateLogsAfter(patienceMs: number): Scanner {
  return {
    id: "certificate-logs",
    phase: "subdomains",
    emits: ["dns.cname"],
    timeoutMs: 10_000,

    async scan(visit, emit) {
      if (visit.sources.certificateLogs.length === 0) throw new Skipped("certificate logs are switched off");
      const listed = new Set([
        ...COMMON_SUBDOMAINS.map((label) => `${label}.${visit.domain.name}`),
        ...ownNames(visit),
      ]);
      const logged = await loggedNames(visit, patienceMs);
      const names = logged.filter((name) => !listed.has(name)).slice(0, LOOKUPS_LIMIT);
      if (names.length === 0) return;
      await emitCnames(visit, names, await wildcardTargets(visit, visit.domain.name), emit);
    },
  };
}

/** Names out of the logs, which hold the same certificates. Those with few labels and letters first. */
async function loggedNames(visit: Visit, patienceMs: number): Promise<readonly string[]> {
  const asks = visit.sources.certificateLogs.slice(0, 4).map((template) => async () => {
    const url = template.replaceAll("{domain}", encodeURIComponent(visit.domain.name));
    const { final } = await visit.http(url, { accept: "application/json" });
    return final.code === 200 ? parseLog(final) : undefined;
  });
  const names = new Set((await firstAnswer(asks, patienceMs))?.flatMap((name) => asHost(name) ?? []));
  return [...names]
    .filter((name) => belongsTo(name, visit.domain.name))
    .sort((a, b) => a.split(".").length - b.split(".").length || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, NAMES_LIMIT);
}

/** Asks in order, and the next as soon as the one before has failed or been silent for `patienceMs`. */
async function firstAnswer<T>(
  [ask, ...others]: readonly (() => Promise<T | undefined>)[],
  patienceMs: number,
): Promise<T | undefined> {
  if (!ask) return undefined;
  const own = ask();
  const silence = Promise.withResolvers<"silent">();
  const timer = others.length > 0 ? setTimeout(() => silence.resolve("silent"), patienceMs) : undefined;
  const first = await Promise.race([own, silence.promise]).finally(() => clearTimeout(timer));
  if (first !== "silent") return first ?? firstAnswer(others, patienceMs);
  const rest = firstAnswer(others, patienceMs);
  return (await Promise.race([own, rest])) ?? (await own) ?? (await rest);
}

/** Reads both forms in use: `[{name_value: "a\nb"}]` and `[{dns_names: ["a", "b"]}]`. */
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
