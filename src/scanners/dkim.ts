import type { Visit } from "../net/visit.ts";
import { outsideHost } from "./host-name.ts";
import { inParallel } from "./in-parallel.ts";
import { aliasChain, ownNames, ownTexts, unlikelyNames, wildcardAliases } from "./own-records.ts";
import type { Scanner } from "./scanner.ts";

/**
 * Selectors in common use. One of them proves nothing by its name (`k1` and `s1` belong to nobody); where it points
 * does. Selectors with an account number in them (`hs1-1234`) cannot be guessed and come only from a zone.
 */
const SELECTORS =
  `10dkim1 200608 20230601 aweber_key_a brevo1 brevo2 cf2024-1 cka clk clk2 cm ctct1 ctct2 default dk dkim
  dkim1 dkim1024 dkim2 dkim3 ed25519 everlytickey1 everlytickey2 fm1 fm2 fm3 fd fd2 gd google google2 hs1 hs2 hse1 hse2
  intercom jc k1 k2 k3 key1 key2 kl kl2 klaviyo krs litesrv mail mailgun mailjet mailo mandrill mg mimecast mimecast20190104
  mlsend mta mte1 mte2 mxvault netsuite pic pm pps1 proofpoint protonmail protonmail2 protonmail3 resend s1 s2 salesforce
  scph selector selector1 selector2 sf1 sf2 sib sig1 sm smtp smtpapi sparkpost strong1 strong2 turbo-smtp zendesk1 zendesk2
  zmail zoho`.split(/\s+/);

const KEY = /(?:^|;)\s{0,9}p\s?=\s{0,9}[A-Za-z0-9+/]{4}/;

/** Whose keys sign the company's mail: a vendor has the key published, most often as an alias of its own host. */
export const dkim: Scanner = {
  id: "dkim",
  phase: "identity",
  sees: ["dns.dkim", "dns.dkim-selector", "dns.cname"],
  timeoutMs: 4_000,

  async scan(visit, emit) {
    const parent = `_domainkey.${visit.domain.name}`;
    const known = ownNames(visit).filter((name) => /[^.]\._domainkey\./.test(name));
    const guessed = SELECTORS.map((selector) => `${selector}.${parent}`).filter((name) => !known.includes(name));
    const [delegated, aliases, texts] = await Promise.all([
      visit.dns(parent, "NS"),
      wildcardAliases(visit, parent),
      visit.dns(unlikelyNames(parent)[0], "TXT").then((answer) => new Set(ownTexts(answer, visit))),
    ]);
    for (const { name, type, value } of delegated.records.slice(0, 8)) {
      const host = type === "NS" && name === parent ? outsideHost(value, visit.domain) : undefined;
      if (host !== undefined) emit({ kind: "dns.cname", value: host, location: `${parent} NS` });
    }
    await inParallel([...known, ...guessed], 16, async (name) => {
      const guess = !known.includes(name);
      const chain = await aliasChain(visit, name);
      if (guess && chain[0] !== undefined && aliases.has(chain[0])) return;
      for (const target of chain.flatMap((each) => outsideHost(each, visit.domain) ?? []))
        emit({ kind: "dns.dkim", value: target, location: `${name} CNAME` });
      if (chain.length === 0 && (await hasKey(visit, name, guess ? texts : new Set())))
        emit({
          kind: "dns.dkim-selector",
          value: name.slice(0, name.indexOf("._domainkey.")),
          location: `${name} TXT`,
        });
    });
  },
};

/** An empty `p=` is a key withdrawn, and under a wildcard the usual way to say that no mail is sent. */
async function hasKey(visit: Visit, name: string, wildcard: ReadonlySet<string>): Promise<boolean> {
  // The CNAME question was answered already, and a name that does not exist has no TXT either.
  if ((await visit.dns(name, "CNAME")).status === "nxdomain") return false;
  const texts = ownTexts(await visit.dns(name, "TXT"), visit);
  return texts.some((text) => KEY.test(text) && !wildcard.has(text));
}
