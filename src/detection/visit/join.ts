import { belongsTo } from "../../core/domain.ts";
import type { CertificateAnswer, DnsAnswer, HttpExchange, ObservedRequest, Snapshot } from "../../net/snapshot.ts";
import { isHomePage } from "./bot-wall.ts";
import { isOfHost, plain } from "./replay-visit.ts";

/** As many pages as detection reads of one recording, with their scripts and files. */
const MAX_EXCHANGES = 150;
/** Characters of all bodies, as in a live visit. */
const MAX_BODIES = 24 * 1_048_576;
const MAX_ANSWERS = 20_000;
const MAX_CERTIFICATES = 2_000;
const MAX_REQUESTS = 5_000;

/**
 * One snapshot of everything that several recordings of a company know, each answer with the date of its recording. Of
 * answers to the same question the newest counts; one that failed replaces none. A complete zone replaces every older
 * answer about the domain's names, except about its name servers where it lists none; and the requests of a browser replace older ones for the same page.
 *
 * The snapshot is bounded like a visit: newest exchanges are kept, home pages first.
 *
 * @param recordings of one domain, at least one, in any order
 */
export function joinSnapshots(recordings: readonly [Snapshot, ...Snapshot[]]): Snapshot {
  const newestFirst = recordings.toSorted((a, b) => timeOf(b) - timeOf(a));
  const newest = newestFirst[0] ?? recordings[0];
  const browser = newestFirst.flatMap((each) =>
    each.browser?.status === "ok" ? [{ ...each.browser, at: each.browser.at ?? instantOf(each) }] : [],
  )[0];
  return {
    format: "casefile-snapshot",
    version: 1,
    domain: newest.domain,
    captured_at: instantOf(newest),
    origin: JOINED,
    dns: joinDns(newestFirst),
    http: joinHttp(newestFirst),
    certificates: joinCertificates(newestFirst),
    requests: joinRequests(newestFirst),
    zone: newestFirst.some(({ zone }) => zone),
    ...(browser ? { browser } : {}),
  };
}

/** `origin` of a joined snapshot. */
const JOINED = "joined";

const timeOf = ({ captured_at }: Snapshot): number => Date.parse(captured_at);
const instantOf = ({ captured_at }: Snapshot): string => new Date(captured_at).toISOString();
const dated = <T extends { readonly at?: string }>(answer: T, snapshot: Snapshot): T => ({
  ...answer,
  at: answer.at ?? instantOf(snapshot),
});

/** The first answer for each key; one that `isAnswer` accepts is preferred. */
function firstOf<T extends { readonly at?: string }>(
  snapshots: readonly Snapshot[],
  answers: (snapshot: Snapshot) => readonly T[],
  key: (answer: T) => string,
  isAnswer: (answer: T) => boolean,
): T[] {
  const first = new Map<string, T>();
  for (const snapshot of snapshots) {
    // Within one recording several answers for one key belong together, or the first counts.
    for (const answer of answers(snapshot)) {
      const known = first.get(key(answer));
      if (!known || (!isAnswer(known) && isAnswer(answer))) first.set(key(answer), dated(answer, snapshot));
    }
  }
  return [...first.values()];
}

function joinDns(newestFirst: readonly Snapshot[]): DnsAnswer[] {
  const zoneAt = newestFirst.findIndex(({ zone }) => zone);
  const snapshots = newestFirst.map((snapshot, at): Snapshot => {
    const { domain } = snapshot;
    const isReplaced = ({ name, type }: DnsAnswer) =>
      zoneAt >= 0 && at > zoneAt && belongsTo(plain(name), domain) && !isOfHost(plain(name), type, domain);
    return { ...snapshot, dns: merged(snapshot.dns.filter((answer) => !isReplaced(answer))) };
  });
  return firstOf(
    snapshots,
    ({ dns }) => dns,
    dnsKey,
    ({ status }) => status === "ok" || status === "nxdomain",
  ).slice(0, MAX_ANSWERS);
}

const dnsKey = ({ name, type }: DnsAnswer): string => `${plain(name)} ${type}`;

/** A record list may contain several answers for one name and type. */
function merged(answers: readonly DnsAnswer[]): DnsAnswer[] {
  const byKey = new Map<string, DnsAnswer>();
  for (const answer of answers) {
    const known = byKey.get(dnsKey(answer));
    if (known?.status === "ok" && answer.status === "ok")
      byKey.set(dnsKey(answer), { ...known, records: distinct([...known.records, ...answer.records]) });
    else if (known?.status !== "ok") byKey.set(dnsKey(answer), answer);
  }
  return [...byKey.values()];
}

const distinct = (records: DnsAnswer["records"]): DnsAnswer["records"] => [
  ...new Map(
    records.map((record) => [`${record.name} ${record.type} ${record.priority} ${record.value}`, record]),
  ).values(),
];

function joinHttp(newestFirst: readonly Snapshot[]): HttpExchange[] {
  const all = firstOf(
    newestFirst,
    ({ http }) => http,
    ({ method, url }) => `${method} ${url}`,
    ({ status }) => status === "ok",
  );
  const [home, rest] = [all.filter(({ url }) => isHomePage(url)), all.filter(({ url }) => !isHomePage(url))];
  let characters = 0;
  return [...home, ...rest].slice(0, MAX_EXCHANGES).filter(({ body }) => {
    const fits = characters + body.length <= MAX_BODIES;
    if (fits) characters += body.length;
    return fits;
  });
}

const joinCertificates = (newestFirst: readonly Snapshot[]): CertificateAnswer[] =>
  firstOf(
    newestFirst,
    ({ certificates }) => certificates,
    ({ host }) => host,
    ({ status }) => status === "ok",
  ).slice(0, MAX_CERTIFICATES);

function joinRequests(newestFirst: readonly Snapshot[]): ObservedRequest[] {
  const pages = new Set<string>();
  const requests = new Map<string, ObservedRequest>();
  for (const snapshot of newestFirst) {
    const page = snapshot.requests[0]?.url;
    if (page === undefined || pages.has(page)) continue;
    pages.add(page);
    for (const request of snapshot.requests)
      if (!requests.has(request.url) && requests.size < MAX_REQUESTS)
        requests.set(request.url, dated(request, snapshot));
  }
  return [...requests.values()];
}
