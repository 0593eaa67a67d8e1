import { inParallel } from "../../core/async.ts";
import { belongsTo } from "../../core/domain.ts";
import type { SignalKind } from "../signals.ts";
import type { Visit } from "../visit/visit.ts";
import {
  asHost,
  cnameChain,
  cnameTarget,
  companyTexts,
  isThirdParty,
  knownNames,
  thirdPartyHost,
  thirdPartyUrlHost,
  wildcardProbes,
  wildcardTargets,
} from "./dns-names.ts";
import type { Scanner } from "./scanner.ts";

/** A host in an SPF record. */
interface SpfHost {
  readonly host: string;
  /** The host has an SPF record (`include`, `redirect`). */
  readonly record: boolean;
  /** The literal end of a name with macros. */
  readonly partial: boolean;
}

const TERM = /^[+?~]?(?:(include|a|mx|ptr|exists):|(redirect)=)(.{1,500})$/i;
const TERMS_LIMIT = 200;

export const isSpf = (text: string): boolean => /^v=spf1(?:\s|$)/i.test(text);

/**
 * The hosts of one SPF record, in order, without negative terms (`-include:`). Macros cannot be expanded without an email:
 * `%{i}._spf.vendor.com` yields `_spf.vendor.com`, and `_spf.%{d}` nothing.
 */
export function parseSpf(text: string): readonly SpfHost[] {
  if (!isSpf(text)) return [];
  return text
    .split(/\s+/, TERMS_LIMIT)
    .slice(1)
    .flatMap((term) => {
      const [, mechanism = "", redirect, spec = ""] = TERM.exec(term) ?? [];
      const partial = spec.includes("%{");
      const host = asHost(partial ? afterMacros(spec) : spec.replace(/\/.{0,20}$/, ""));
      const record = redirect !== undefined || mechanism.toLowerCase() === "include";
      return host === undefined ? [] : [{ host, record: record && !partial, partial }];
    });
}

function afterMacros(spec: string): string {
  const end = spec.slice(spec.lastIndexOf("}") + 1);
  return end.includes(".") ? end.slice(end.indexOf(".") + 1) : "";
}

type Emit = Parameters<Scanner["scan"]>[1];

/** Subdomains commonly used for bulk email. */
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
/** RFC 7208 limits evaluation to ten lookups. */
const SPF_LOOKUPS = 10;

/** Hosts that receive the company's email (MX) and hosts that may send it (SPF). */
export const mailDns: Scanner = {
  id: "mail-dns",
  phase: "identity",
  emits: ["dns.mx", "dns.spf"],
  timeoutMs: 4_000,
  needs: "dns",

  async scan(visit, emit) {
    const named = knownNames(visit);
    const guessed = SENDERS.map((label) => `${label}.${visit.domain.name}`).filter((name) => !named.includes(name));
    await Promise.all([
      inParallel(named, 16, (name) => scanName(visit, name, emit, new Set())),
      wildcardAnswers(visit, wildcardProbes(visit.domain.name)[0]).then((wildcard) =>
        inParallel(guessed, 16, (name) => scanName(visit, name, emit, wildcard)),
      ),
    ]);
  },
};

async function scanName(visit: Visit, name: string, emit: Emit, wildcard: ReadonlySet<string>): Promise<void> {
  await Promise.all([mailExchanges(visit, name, emit, wildcard), senders(visit, name, emit, new Set(), wildcard)]);
}

async function mailExchanges(visit: Visit, name: string, emit: Emit, wildcard: ReadonlySet<string>): Promise<void> {
  const { records } = await visit.dns(name, "MX");
  const exchanges = records
    .filter((record) => record.type === "MX" && belongsTo(record.name, visit.domain.name))
    .slice(0, 20);
  const hosts = exchanges.flatMap(({ value }) => (wildcard.has(value) ? [] : (asHost(value) ?? [])));
  for (const value of hosts) emit({ kind: "dns.mx", value, location: `${name} MX` });
  // An exchange under the company's name is often a CNAME to the vendor, although RFC 2181 forbids it.
  for (const host of hosts.filter((each) => belongsTo(each, visit.domain.name)).slice(0, 4))
    for (const value of await cnameChain(visit, host)) emit({ kind: "dns.mx", value, location: `${host} CNAME` });
}

/**
 * Hosts of the company's SPF records. Included records of a vendor contain the vendor's infrastructure, so only those
 * under the company's names are followed.
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
  const alias = seen.size > 1 ? cnameTarget(answer) : undefined;
  if (alias !== undefined && isThirdParty(alias, visit.domain))
    emit({ kind: "dns.spf", value: alias, location: `${name} CNAME` });
  const texts = companyTexts(answer, visit).filter((text) => !wildcard.has(text));
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

interface Policy {
  readonly label: string;
  readonly starts: RegExp;
  readonly tags: readonly string[];
  readonly kind: SignalKind;
}

const POLICIES: readonly Policy[] = [
  { label: "_dmarc", starts: /^\s{0,9}v\s?=\s?DMARC1/i, tags: ["rua", "ruf"], kind: "dns.dmarc" },
  { label: "_smtp._tls", starts: /^\s{0,9}v=TLSRPTv1/i, tags: ["rua"], kind: "dns.tls-rpt" },
  { label: "default._bimi", starts: /^\s{0,9}v=BIMI1/i, tags: ["l", "a"], kind: "dns.bimi" },
];

/** Who receives the company's email reports and hosts its email policies: DMARC, TLS-RPT, MTA-STS and BIMI. */
export const mailPolicy: Scanner = {
  id: "mail-policy",
  phase: "identity",
  emits: ["dns.dmarc", "dns.tls-rpt", "dns.bimi", "dns.mta-sts", "dns.cname"],
  timeoutMs: 4_000,
  needs: "dns",

  async scan(visit, emit) {
    const known = knownNames(visit);
    const asked = POLICIES.flatMap((policy) =>
      namesOf(policy.label, known, visit.domain.name).map((name) => ({ policy, name })),
    );
    await Promise.all([
      inParallel(asked, 8, ({ policy, name }) => reports(visit, policy, name, emit)),
      transport(visit, emit),
    ]);
  },
};

/** A policy hosted by a vendor, through a CNAME or a delegated zone, is the company's: its addresses count. */
async function reports(visit: Visit, policy: Policy, name: string, emit: Emit): Promise<void> {
  const [chain, servers, texts] = await Promise.all([
    cnameChain(visit, name),
    visit.dns(name, "NS"),
    visit.dns(name, "TXT"),
  ]);
  const delegated = servers.records.filter((record) => record.type === "NS" && record.name === name);
  for (const target of chain) emitOutside(visit, emit, "dns.cname", target, `${name} CNAME`);
  for (const { value } of delegated.slice(0, 8)) emitOutside(visit, emit, "dns.cname", value, `${name} NS`);
  const published = texts.records.filter(({ type, value }) => type === "TXT" && policy.starts.test(value));
  for (const address of published.slice(0, 4).flatMap(({ value }) => addresses(value, policy.tags))) {
    const host = /^mailto:/i.test(address) ? mailHost(address) : thirdPartyUrlHost(address, visit.domain);
    if (host !== undefined) emitOutside(visit, emit, policy.kind, host, `${name} TXT`);
  }
}

/** The policy file is fetched only if its TXT record exists. */
async function transport(visit: Visit, emit: Emit): Promise<void> {
  const announced = `_mta-sts.${visit.domain.name}`;
  const host = `mta-sts.${visit.domain.name}`;
  const { records } = await visit.dns(announced, "TXT");
  if (!records.some(({ type, value }) => type === "TXT" && /^\s{0,9}v=STSv1/i.test(value))) return;
  for (const target of await cnameChain(visit, announced))
    emitOutside(visit, emit, "dns.cname", target, `${announced} CNAME`);
  for (const target of await cnameChain(visit, host)) emitOutside(visit, emit, "dns.mta-sts", target, `${host} CNAME`);
  const { final } = await visit.http(`https://${host}/.well-known/mta-sts.txt`, { maxBytes: 65_536 });
  if (final.code !== 200) return;
  for (const [, mx = ""] of [...final.body.matchAll(/^mx:[ \t]{0,9}(?:\*\.)?([^\s]{1,253})/gim)].slice(0, 20))
    emitOutside(visit, emit, "dns.mta-sts", mx, final.url);
}

function emitOutside(visit: Visit, emit: Emit, kind: SignalKind, text: string, location: string): void {
  const value = thirdPartyHost(text, visit.domain);
  if (value !== undefined) emit({ kind, value, location });
}

function namesOf(label: string, known: readonly string[], domain: string): readonly string[] {
  return [...new Set([`${label}.${domain}`, ...known.filter((name) => name.startsWith(`${label}.`))])];
}

/** Addresses in a `tag=a,b;` list, at most 20 per tag. */
function addresses(text: string, tags: readonly string[]): readonly string[] {
  return text.split(";", 40).flatMap((part) => {
    const [tag = "", ...rest] = part.split("=");
    return tags.includes(tag.trim().toLowerCase())
      ? rest
          .join("=")
          .split(",", 20)
          .map((each) => each.trim())
      : [];
  });
}

/** The host of `mailto:a@reports.example!10m` is `reports.example`. */
const mailHost = (address: string): string | undefined => address.slice(address.lastIndexOf("@") + 1).split(/[!?]/)[0];

/**
 * Common selectors. Many names are used by several vendors (`k1`, `s1`), so the CNAME target counts. Selectors with an
 * account number (`hs1-1234`) cannot be guessed and come only from a zone.
 */
const SELECTORS =
  `10dkim1 200608 20230601 aweber_key_a brevo1 brevo2 cf2024-1 cka clk clk2 cm ctct1 ctct2 default dk dkim
  dkim1 dkim1024 dkim2 dkim3 ed25519 everlytickey1 everlytickey2 fm1 fm2 fm3 fd fd2 gd google google2 hs1 hs2 hse1 hse2
  intercom jc k1 k2 k3 key1 key2 kl kl2 klaviyo krs litesrv mail mailgun mailjet mailo mandrill mg mimecast mimecast20190104
  mlsend mta mte1 mte2 mxvault netsuite pic pm pps1 proofpoint protonmail protonmail2 protonmail3 resend s1 s2 salesforce
  scph selector selector1 selector2 sf1 sf2 sib sig1 sm smtp smtpapi sparkpost strong1 strong2 turbo-smtp zendesk1 zendesk2
  zmail zoho`.split(/\s+/);

const KEY = /(?:^|;)\s{0,9}p\s?=\s{0,9}[A-Za-z0-9+/]{4}/;

/** DKIM keys of the company's email, usually published as a CNAME to the vendor's host. */
export const dkim: Scanner = {
  id: "dkim",
  phase: "identity",
  emits: ["dns.dkim", "dns.dkim-selector", "dns.cname"],
  timeoutMs: 4_000,
  needs: "dns",

  async scan(visit, emit) {
    const parent = `_domainkey.${visit.domain.name}`;
    const known = knownNames(visit).filter((name) => /[^.]\._domainkey\./.test(name));
    const guessed = SELECTORS.map((selector) => `${selector}.${parent}`).filter((name) => !known.includes(name));
    const [delegated, aliases, texts] = await Promise.all([
      visit.dns(parent, "NS"),
      wildcardTargets(visit, parent),
      visit.dns(wildcardProbes(parent)[0], "TXT").then((answer) => new Set(companyTexts(answer, visit))),
    ]);
    for (const { name, type, value } of delegated.records.slice(0, 8)) {
      const host = type === "NS" && name === parent ? thirdPartyHost(value, visit.domain) : undefined;
      if (host !== undefined) emit({ kind: "dns.cname", value: host, location: `${parent} NS` });
    }
    await inParallel([...known, ...guessed], 16, async (name) => {
      const guess = !known.includes(name);
      const chain = await cnameChain(visit, name);
      if (guess && chain[0] !== undefined && aliases.has(chain[0])) return;
      for (const target of chain.flatMap((each) => thirdPartyHost(each, visit.domain) ?? []))
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

/** An empty `p=` is a revoked key, and under a wildcard means that no email is sent. */
async function hasKey(visit: Visit, name: string, wildcard: ReadonlySet<string>): Promise<boolean> {
  // The CNAME answer is cached, and a name that does not exist has no TXT record.
  if ((await visit.dns(name, "CNAME")).status === "nxdomain") return false;
  const texts = companyTexts(await visit.dns(name, "TXT"), visit);
  return texts.some((text) => KEY.test(text) && !wildcard.has(text));
}

/** Subdomains for email clients, phones and sign-in pages. */
const SIGN_IN_NAMES = [
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

/** Hosts for email, calls and sign-in, which vendors' instructions name. */
export const mailNames: Scanner = {
  id: "mail-names",
  phase: "identity",
  emits: ["dns.cname", "dns.srv"],
  timeoutMs: 4_000,
  needs: "dns",

  async scan(visit, emit) {
    const apex = visit.domain.name;
    const known = knownNames(visit).filter((name) => SERVICE.test(name));
    const services = [...new Set([...SERVICES.map((service) => `${service}.${apex}`), ...known])];
    const [aliases, unlikely] = await Promise.all([
      wildcardTargets(visit, apex),
      visit.dns(`_tcp.${wildcardProbes(apex)[0]}`, "SRV"),
    ]);
    const wildcard = new Set(unlikely.records.map(({ value }) => asHost(value)));
    await Promise.all([
      inParallel(SIGN_IN_NAMES, 16, async (label) => {
        const name = `${label}.${apex}`;
        const chain = await cnameChain(visit, name);
        if (chain[0] === undefined || aliases.has(chain[0])) return;
        for (const target of chain.flatMap((each) => thirdPartyHost(each, visit.domain) ?? []))
          emit({ kind: "dns.cname", value: target, location: `${name} CNAME` });
      }),
      inParallel(services, 16, async (name) => {
        const service = SERVICE.exec(name)?.[1] ?? name;
        const { records } = await visit.dns(name, "SRV");
        for (const { value } of records.filter(({ type }) => type === "SRV").slice(0, 8)) {
          const host = thirdPartyHost(value, visit.domain);
          if (host === undefined || (wildcard.has(host) && !known.includes(name))) continue;
          emit({ kind: "dns.srv", value: `${service}: ${host}`, location: `${name} SRV` });
        }
      }),
    ]);
  },
};
