import { outsideHost } from "./host-name.ts";
import { inParallel } from "./in-parallel.ts";
import { aliasChain, ownNames, ownTexts, unlikelyNames, wildcardAliases } from "./own-records.ts";
import type { Scanner } from "./scanner.ts";
import { isSpf } from "./spf-record.ts";

const VALUE_LIMIT = 4_096;
/** Names whose TXT records are mail policies and keys, which have scanners of their own. */
const MAIL_LABEL = /(?:^|\.)(?:_domainkey|_dmarc|_tls|_mta-sts|_bimi)(?:\.|$)/;

/** Names under which vendors ask for a proof of ownership; `LABEL` is the company's. */
const PROOFS = [
  "_acme-challenge",
  "_amazonses",
  "_atproto",
  "_cf-custom-hostname",
  "_discord",
  "_dnsauth",
  "_dnslink",
  "_domainconnect",
  "_fly-ownership",
  "_gh-LABEL-e",
  "_gh-LABEL-o",
  "_github-challenge-LABEL",
  "_github-challenge-LABEL-org",
  "_github-pages-challenge-LABEL",
  "_gitlab-pages-verification-code",
  "_keybase",
  "_mailchannels",
  "_pki-validation",
  "_railway-verify",
  "_scw-challenge",
  "_shopify",
  "_twilio",
  "_vercel",
  "asuid",
  "netlify-challenge",
  "www",
];

/** A label that names its vendor as those with a `_` do: at `asuid.HOST` stands a number of an Azure subscription. */
const TELLING_LABEL = "asuid";

/**
 * TXT records by which the company proved to a vendor that the domain is its own. At a name whose first label starts
 * with `_` the label names the vendor and the string is random, so a second signal joins them: `_label=string`.
 */
export const verifications: Scanner = {
  id: "verifications",
  phase: "identity",
  sees: ["dns.txt", "dns.cname"],
  timeoutMs: 4_000,

  async scan(visit, emit) {
    const { name: apex, label } = visit.domain;
    const named = ownNames(visit);
    const guessed = PROOFS.map((proof) => `${proof.replace("LABEL", label)}.${apex}`);
    const wildcard = Promise.all([
      wildcardAliases(visit, apex),
      visit.dns(unlikelyNames(apex)[0], "TXT").then((answer) => new Set(ownTexts(answer, visit))),
    ]);
    const look = async (name: string, aliases: ReadonlySet<string>, texts: ReadonlySet<string>) => {
      if (MAIL_LABEL.test(name)) return;
      const location = `${name} TXT`;
      const first = name.slice(0, name.indexOf("."));
      for (const text of ownTexts(await visit.dns(name, "TXT"), visit)) {
        if (text.length === 0 || isSpf(text) || texts.has(text)) continue;
        emit({ kind: "dns.txt", value: text.slice(0, VALUE_LIMIT), location });
        if (first.startsWith("_") || first === TELLING_LABEL)
          emit({ kind: "dns.txt", value: `${first}=${text}`.slice(0, VALUE_LIMIT), location });
      }
      if (named.includes(name) || name === `www.${apex}`) return;
      const chain = await aliasChain(visit, name);
      if (chain[0] === undefined || aliases.has(chain[0])) return;
      for (const target of chain.flatMap((each) => outsideHost(each, visit.domain) ?? []))
        emit({ kind: "dns.cname", value: target, location: `${name} CNAME` });
    };
    // Names that are known to exist need no comparison with those that are not, and do not wait for it.
    await Promise.all([
      inParallel(named, 16, (name) => look(name, new Set(), new Set())),
      wildcard.then(([aliases, texts]) =>
        inParallel(
          guessed.filter((name) => !named.includes(name)),
          16,
          (name) => look(name, aliases, texts),
        ),
      ),
    ]);
  },
};
