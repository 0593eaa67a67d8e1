import { asHost, outsideHost } from "./host-name.ts";
import { inParallel } from "./in-parallel.ts";
import { aliasChain, ownNames, unlikelyNames, wildcardAliases } from "./own-records.ts";
import type { Scanner } from "./scanner.ts";

/** Names by which mail programs, phones and sign-in pages find their server. */
export const SIGN_IN_NAMES = [
  "accounts",
  "adfs",
  "auth",
  "autoconfig",
  "autodiscover",
  "calendar",
  "enterpriseenrollment",
  "enterpriseregistration",
  "id",
  "idp",
  "imap",
  "login",
  "lyncdiscover",
  "mail",
  "msoid",
  "okta",
  "signin",
  "sip",
  "smtp",
  "sso",
  "sts",
  "vpn",
  "webmail",
];

const SERVICES = [
  "_autodiscover._tcp",
  "_caldavs._tcp",
  "_carddavs._tcp",
  "_imaps._tcp",
  "_jmap._tcp",
  "_matrix-fed._tcp",
  "_matrix._tcp",
  "_pop3s._tcp",
  "_sip._tls",
  "_sipfederationtls._tcp",
  "_sips._tcp",
  "_submission._tcp",
  "_submissions._tcp",
  "_xmpp-client._tcp",
  "_xmpp-server._tcp",
];
const SERVICE = /^(_[a-z0-9-]{1,62}\._(?:tcp|udp|tls))\./;

/** Where mail, calls and sign-in of the company are served: these names are set as the vendor's manual says. */
export const mailNames: Scanner = {
  id: "mail-names",
  phase: "identity",
  sees: ["dns.cname", "dns.srv"],
  timeoutMs: 4_000,

  async scan(visit, emit) {
    const apex = visit.domain.name;
    const known = ownNames(visit).filter((name) => SERVICE.test(name));
    const services = [...new Set([...SERVICES.map((service) => `${service}.${apex}`), ...known])];
    const [aliases, unlikely] = await Promise.all([
      wildcardAliases(visit, apex),
      visit.dns(`_tcp.${unlikelyNames(apex)[0]}`, "SRV"),
    ]);
    const wildcard = new Set(unlikely.records.map(({ value }) => asHost(value)));
    await Promise.all([
      inParallel(SIGN_IN_NAMES, 16, async (label) => {
        const name = `${label}.${apex}`;
        const chain = await aliasChain(visit, name);
        if (chain[0] === undefined || aliases.has(chain[0])) return;
        for (const target of chain.flatMap((each) => outsideHost(each, visit.domain) ?? []))
          emit({ kind: "dns.cname", value: target, location: `${name} CNAME` });
      }),
      inParallel(services, 16, async (name) => {
        const service = SERVICE.exec(name)?.[1] ?? name;
        const { records } = await visit.dns(name, "SRV");
        for (const { value } of records.filter(({ type }) => type === "SRV").slice(0, 8)) {
          const host = outsideHost(value, visit.domain);
          if (host === undefined || (wildcard.has(host) && !known.includes(name))) continue;
          emit({ kind: "dns.srv", value: `${service}: ${host}`, location: `${name} SRV` });
        }
      }),
    ]);
  },
};
