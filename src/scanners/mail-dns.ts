import type { Visit } from "../net/visit.ts";
import { belongsTo } from "../vocabulary/domain.ts";
import { asHost, isForeign } from "./host-name.ts";
import { inParallel } from "./in-parallel.ts";
import { aliasChain, aliasTarget, ownNames, ownTexts, unlikelyNames } from "./own-records.ts";
import type { Scanner } from "./scanner.ts";
import { parseSpf } from "./spf-record.ts";

type Emit = Parameters<Scanner["scan"]>[1];

/** Names that bulk senders are set up under, beside the apex. */
const SENDERS = [
  "bounce",
  "bounces",
  "em",
  "email",
  "inbound",
  "mail",
  "mg",
  "news",
  "notify",
  "parse",
  "reply",
  "send",
];
/** RFC 7208 allows a receiver ten look-ups; a record beyond them counts nowhere. */
const SPF_LOOKUPS = 10;

/** Who receives the company's mail (MX) and who may send it (SPF): both are set up by hand for each vendor. */
export const mailDns: Scanner = {
  id: "mail-dns",
  phase: "identity",
  sees: ["dns.mx", "dns.spf"],
  timeoutMs: 4_000,

  async scan(visit, emit) {
    const named = ownNames(visit);
    const guessed = SENDERS.map((label) => `${label}.${visit.domain.name}`).filter((name) => !named.includes(name));
    await Promise.all([
      inParallel(named, 16, (name) => look(visit, name, emit, new Set())),
      wildcardAnswers(visit, unlikelyNames(visit.domain.name)[0]).then((wildcard) =>
        inParallel(guessed, 16, (name) => look(visit, name, emit, wildcard)),
      ),
    ]);
  },
};

async function look(visit: Visit, name: string, emit: Emit, wildcard: ReadonlySet<string>): Promise<void> {
  await Promise.all([mailExchanges(visit, name, emit, wildcard), senders(visit, name, emit, new Set(), wildcard)]);
}

async function mailExchanges(visit: Visit, name: string, emit: Emit, wildcard: ReadonlySet<string>): Promise<void> {
  const { records } = await visit.dns(name, "MX");
  const own = records
    .filter((record) => record.type === "MX" && belongsTo(record.name, visit.domain.name))
    .slice(0, 20);
  const hosts = own.flatMap(({ value }) => (wildcard.has(value) ? [] : (asHost(value) ?? [])));
  for (const value of hosts) emit({ kind: "dns.mx", value, location: `${name} MX` });
  // An exchange under the company's own name is often a mere alias of the vendor's, against the letter of RFC 2181.
  for (const host of hosts.filter((each) => belongsTo(each, visit.domain.name)).slice(0, 4))
    for (const value of await aliasChain(visit, host)) emit({ kind: "dns.mx", value, location: `${host} CNAME` });
}

/**
 * Hosts of the SPF records that the company wrote. An included record under somebody else's name is that vendor's:
 * what stands in it is the vendor's infrastructure, so the walk enters only the company's own names.
 */
async function senders(
  visit: Visit,
  name: string,
  emit: Emit,
  seen: Set<string>,
  wildcard: ReadonlySet<string>,
): Promise<void> {
  if (seen.has(name) || seen.size > SPF_LOOKUPS) return;
  seen.add(name);
  const answer = await visit.dns(name, "TXT");
  const alias = seen.size > 1 ? aliasTarget(answer) : undefined;
  if (alias !== undefined && isForeign(alias, visit.domain))
    emit({ kind: "dns.spf", value: alias, location: `${name} CNAME` });
  const texts = ownTexts(answer, visit).filter((text) => !wildcard.has(text));
  for (const { host, record, partial } of texts.flatMap(parseSpf)) {
    if (!belongsTo(host, visit.domain.name))
      emit({ kind: "dns.spf", value: host, location: `${name} TXT${partial ? " (end of a name with macros)" : ""}` });
    else if (record) await senders(visit, host, emit, seen, wildcard);
  }
}

async function wildcardAnswers(visit: Visit, name: string): Promise<ReadonlySet<string>> {
  const answers = await Promise.all([visit.dns(name, "MX"), visit.dns(name, "TXT")]);
  return new Set(answers.flatMap(({ records }) => records.map(({ value }) => value)));
}
