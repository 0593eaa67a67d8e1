import { belongsTo } from "../vocabulary/domain.ts";
import type { DnsAnswer, DnsRecord, RecordType, Snapshot } from "../vocabulary/snapshot.ts";

export interface RecordedDns {
  /** In a zone: every name of the domain that has a record. Else empty: what was asked is not what exists. */
  readonly names: readonly string[];
  answer(name: string, type: RecordType): DnsAnswer;
}

const MAX_CHAIN = 8;

/** Answers DNS questions from a snapshot as a resolver would that knows only the recorded records. */
export function recordedDns(snapshot: Snapshot): RecordedDns {
  const exact = new Map<string, DnsAnswer>();
  const aliases = new Map<string, DnsRecord>();
  for (const answer of snapshot.dns) {
    const key = `${plain(answer.name)} ${answer.type}`;
    const known = exact.get(key);
    exact.set(key, known ? merge(known, answer) : answer);
    for (const record of answer.records)
      if (record.type === "CNAME" && !aliases.has(plain(record.name))) aliases.set(plain(record.name), record);
  }
  const names = snapshot.zone ? namesOf(snapshot) : new Set<string>();
  const branches = withParents(names, snapshot.domain);

  function chainFrom(name: string): DnsRecord[] {
    const chain: DnsRecord[] = [];
    for (let owner = name; chain.length < MAX_CHAIN; ) {
      const alias = aliases.get(owner);
      if (!alias || chain.includes(alias)) break;
      chain.push(alias);
      owner = plain(alias.value);
    }
    return chain;
  }

  return {
    names: [...names],
    answer(asked, type) {
      const name = plain(asked);
      const recorded = exact.get(`${name} ${type}`);
      if (recorded) return recorded;
      const chain = chainFrom(name);
      const [first] = chain;
      if (first && type === "CNAME") return { name, type, status: "ok", records: [first] };
      if (first) {
        const end = exact.get(`${plain(chain.at(-1)?.value ?? "")} ${type}`);
        return { name, type, status: "ok", records: [...chain, ...(end?.records ?? [])] };
      }
      if (!snapshot.zone || !belongsTo(name, snapshot.domain))
        return { name, type, status: "unrecorded", records: [], detail: "the recording does not have it" };
      return { name, type, status: branches.has(name) ? "ok" : "nxdomain", records: [] };
    },
  };
}

/** A record list may give each record of a name as an answer of its own. */
function merge(known: DnsAnswer, more: DnsAnswer): DnsAnswer {
  if (known.status !== "ok" || more.status !== "ok") return known.status === "ok" ? known : more;
  return { ...known, records: [...known.records, ...more.records] };
}

function namesOf({ dns, domain }: Snapshot): Set<string> {
  const owners = dns.flatMap(({ name, status, records }) =>
    status === "ok" && records.length > 0 ? [name, ...records.map((record) => record.name)] : [],
  );
  return new Set(owners.map(plain).filter((name) => belongsTo(name, domain)));
}

/** A name above an existing name exists too, even when it has no record of its own. */
function withParents(names: ReadonlySet<string>, domain: string): Set<string> {
  const all = new Set([...names, domain]);
  for (const name of names) {
    for (let rest = name; belongsTo(rest, domain) && rest !== domain; rest = rest.slice(rest.indexOf(".") + 1))
      all.add(rest);
  }
  return all;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
