import type { Visit } from "../net/visit.ts";
import { outsideHost } from "./host-name.ts";
import { inParallel } from "./in-parallel.ts";
import { aliasChain, ownNames, wildcardAliases } from "./own-records.ts";
import type { Scanner } from "./scanner.ts";
import { TELLING_NAMES } from "./telling-names.ts";

const AT_ONCE = 24;

/**
 * Hosts of the company that are aliases of a vendor's host: `status`, `help`, `careers` and their like are where hosted
 * products live. An alias whose target is gone still counts: somebody set it up, and nobody took it down.
 */
export const aliases: Scanner = {
  id: "aliases",
  phase: "subdomains",
  sees: ["dns.cname"],
  timeoutMs: 10_000,

  async scan(visit, emit) {
    const apex = visit.domain.name;
    const guessed = TELLING_NAMES.map((label) => `${label}.${apex}`);
    const wildcard = await wildcardAliases(visit, apex);
    for (const target of [...wildcard].flatMap((each) => outsideHost(each, visit.domain) ?? []))
      emit({ kind: "dns.cname", value: target, location: `*.${apex} CNAME` });
    // The same record as a signature and as an alias would count as two proofs.
    const known = ownNames(visit).filter((name) => !name.includes("._domainkey."));
    await emitAliases(visit, [...new Set([...guessed, ...known])], wildcard, emit);
  },
};

/** Emits the alias of each name as it is answered, unless every name has it (`wildcard`). */
export async function emitAliases(
  visit: Visit,
  names: readonly string[],
  wildcard: ReadonlySet<string>,
  emit: Parameters<Scanner["scan"]>[1],
): Promise<void> {
  await inParallel(names, AT_ONCE, async (name) => {
    const chain = await aliasChain(visit, name);
    if (chain[0] === undefined || wildcard.has(chain[0])) return;
    for (const value of chain.flatMap((target) => outsideHost(target, visit.domain) ?? []))
      emit({ kind: "dns.cname", value, location: `${name} CNAME` });
  });
}
