import type { Visit } from "../net/visit.ts";
import type { SignalKind } from "../vocabulary/signal.ts";
import { outsideHost, outsideUrlHost } from "./host-name.ts";
import { inParallel } from "./in-parallel.ts";
import { aliasChain, ownNames } from "./own-records.ts";
import type { Scanner } from "./scanner.ts";

type Emit = Parameters<Scanner["scan"]>[1];

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

/** Who reads the company's mail reports and hosts its mail policies: DMARC, TLS-RPT, MTA-STS and BIMI. */
export const mailPolicy: Scanner = {
  id: "mail-policy",
  phase: "identity",
  sees: ["dns.dmarc", "dns.tls-rpt", "dns.bimi", "dns.mta-sts", "dns.cname"],
  timeoutMs: 4_000,

  async scan(visit, emit) {
    const known = ownNames(visit);
    const asked = POLICIES.flatMap((policy) =>
      namesOf(policy.label, known, visit.domain.name).map((name) => ({ policy, name })),
    );
    await Promise.all([
      inParallel(asked, 8, ({ policy, name }) => reports(visit, policy, name, emit)),
      transport(visit, emit),
    ]);
  },
};

/**
 * A policy that lies at a vendor, by CNAME or by a delegated zone, is still the company's: its addresses count, unlike
 * an SPF record's hosts.
 */
async function reports(visit: Visit, policy: Policy, name: string, emit: Emit): Promise<void> {
  const [chain, servers, texts] = await Promise.all([
    aliasChain(visit, name),
    visit.dns(name, "NS"),
    visit.dns(name, "TXT"),
  ]);
  const delegated = servers.records.filter((record) => record.type === "NS" && record.name === name);
  for (const target of chain) emitOutside(visit, emit, "dns.cname", target, `${name} CNAME`);
  for (const { value } of delegated.slice(0, 8)) emitOutside(visit, emit, "dns.cname", value, `${name} NS`);
  const published = texts.records.filter(({ type, value }) => type === "TXT" && policy.starts.test(value));
  for (const address of published.slice(0, 4).flatMap(({ value }) => addresses(value, policy.tags))) {
    const host = /^mailto:/i.test(address) ? mailHost(address) : outsideUrlHost(address, visit.domain);
    if (host !== undefined) emitOutside(visit, emit, policy.kind, host, `${name} TXT`);
  }
}

/** The policy file is fetched only where its TXT record announces it: the host may be anything else. */
async function transport(visit: Visit, emit: Emit): Promise<void> {
  const announced = `_mta-sts.${visit.domain.name}`;
  const host = `mta-sts.${visit.domain.name}`;
  const { records } = await visit.dns(announced, "TXT");
  if (!records.some(({ type, value }) => type === "TXT" && /^\s{0,9}v=STSv1/i.test(value))) return;
  for (const target of await aliasChain(visit, announced))
    emitOutside(visit, emit, "dns.cname", target, `${announced} CNAME`);
  for (const target of await aliasChain(visit, host)) emitOutside(visit, emit, "dns.mta-sts", target, `${host} CNAME`);
  const { final } = await visit.http(`https://${host}/.well-known/mta-sts.txt`, { maxBytes: 65_536 });
  if (final.code !== 200) return;
  for (const [, mx = ""] of [...final.body.matchAll(/^mx:[ \t]{0,9}(?:\*\.)?([^\s]{1,253})/gim)].slice(0, 20))
    emitOutside(visit, emit, "dns.mta-sts", mx, final.url);
}

function emitOutside(visit: Visit, emit: Emit, kind: SignalKind, text: string, location: string): void {
  const value = outsideHost(text, visit.domain);
  if (value !== undefined) emit({ kind, value, location });
}

function namesOf(label: string, known: readonly string[], domain: string): readonly string[] {
  return [...new Set([`${label}.${domain}`, ...known.filter((name) => name.startsWith(`${label}.`))])];
}

/** Addresses of a `tag=a,b;` list: at most 20 a tag. */
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

/** `mailto:a@reports.example!10m` lies at `reports.example`. */
const mailHost = (address: string): string | undefined => address.slice(address.lastIndexOf("@") + 1).split(/[!?]/)[0];
