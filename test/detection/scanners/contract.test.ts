import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SCANNERS } from "../../../src/detection/scanners/registry.ts";
import { type Scanner, Skipped } from "../../../src/detection/scanners/scanner.ts";
import { type Shape, SIGNALS, type Signal } from "../../../src/detection/signals.ts";
import { PHASES } from "../../../src/detection/types.ts";
import type { Visit } from "../../../src/detection/visit/visit.ts";
import { RECORD_TYPES, type RecordType } from "../../../src/net/snapshot.ts";
import { type FakeVisit, fakeVisit, NO_SOURCES } from "./fake-visit.ts";

const SHAPES: Record<Shape, (value: string) => boolean> = {
  host: (value) => /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(value) && value.length <= 253,
  url: (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ""),
  path: (value) => value.startsWith("/"),
  word: (value) => value.length > 0 && value.length <= 4_096,
  named: (value) => /^[^A-Z]*?: /.test(value),
  text: (value) => value.length > 0,
};

const ALL_SOURCES = {
  asnZone: "origin.asn.test",
  asn6Zone: "origin6.asn.test",
  certificateLogs: ["https://logs.test/?q={domain}", "https://other-logs.test/?q={domain}"],
  microsoftRealm: "https://realm.test/?login=info@{domain}",
  tenantLookups: [{ label: "idp", url: "https://{label}.idp.test/" }],
  tagManager: "https://tags.test/gtm.js?id={id}",
  jobBoards: Object.fromEntries(
    Object.keys(NO_SOURCES.jobBoards).map((board) => [board, `https://${board}.boards.test/{board}`]),
  ) as Record<keyof typeof NO_SOURCES.jobBoards, string>,
};

/** The signals that the scanner emitted; none if it was skipped. */
async function signalsOf(scanner: Scanner, visit: Visit): Promise<Signal[]> {
  const signals: Signal[] = [];
  await scanner
    .scan(visit, (signal) => signals.push(signal))
    .catch((error) => {
      if (!(error instanceof Skipped)) throw error;
    });
  return signals;
}

function faultsOf(scanner: Scanner, signals: readonly Signal[]): string[] {
  return signals.flatMap(({ kind, value, location }) => {
    const shape = SIGNALS[kind].shape;
    return [
      scanner.emits.includes(kind) ? [] : [`${kind} is not among what it sees`],
      location.length > 0 ? [] : [`${kind} without a location`],
      SHAPES[shape](value) ? [] : [`${kind} is no ${shape}: ${JSON.stringify(value.slice(0, 200))}`],
    ].flat();
  });
}

test("scanner ids are unique and equal the file names", () => {
  const ids = SCANNERS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

describe.each(SCANNERS.map((scanner) => [scanner.id, scanner] as const))("%s", (_, scanner) => {
  test("belongs to a phase, has a limit within the scan's, and declares its signals", () => {
    expect(PHASES).toContain(scanner.phase);
    expect(scanner.timeoutMs).toBeGreaterThan(0);
    expect(scanner.timeoutMs).toBeLessThanOrEqual(12_000);
    expect(scanner.emits.length).toBeGreaterThan(0);
  });

  test("emits nothing from a visit that finds nothing", async () => {
    expect(await signalsOf(scanner, fakeVisit())).toEqual([]);
    expect(await signalsOf(scanner, fakeVisit({ sources: ALL_SOURCES }))).toEqual([]);
  });

  test("rejects when the visit is aborted", async () => {
    const aborted = async (): Promise<never> => {
      throw new DOMException("The visit is over.", "AbortError");
    };
    const visit = { ...fakeVisit({ sources: ALL_SOURCES }), dns: aborted, http: aborted, certificate: aborted };
    await expect(scanner.scan(visit, () => {})).rejects.toThrow();
  });

  test("survives hostile answers and keeps each value within its format", async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(junk), fc.array(name, { maxLength: 8 }), async (stream, names) => {
        const visit = hostileVisit(() => stream.next().value ?? "", names);
        expect(faultsOf(scanner, await signalsOf(scanner, visit))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

/** Pieces of what the scanners read, whole and broken, next to plain noise. */
const junk = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.stringMatching(/^[ -~]{0,80}$/),
  fc.domain(),
  fc.domain().map((host) => `${host.toUpperCase()}.`),
  fc.ipV4(),
  fc.ipV6(),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.json({ maxDepth: 3 }),
  fc.domain().map((host) => `v=spf1 include:${host} redirect=_spf.acme.example a:%{d}.${host}/24 -all`),
  fc.domain().map((host) => `v=DMARC1; p=none; rua=mailto:a@${host}!1m,mailto:@,https://${host}:99999/; ruf=;;`),
  fc.domain().map((host) => `v=TLSRPTv1; rua=https://${host}/x`),
  fc.domain().map((host) => `v=BIMI1; l=https://${host}/a.svg; a=self`),
  fc.domain().map((host) => `version: STSv1\nmx: *.${host}\nmx: ..\nv=STSv1`),
  fc.domain().map((host) => `<script src="//${host}/a.js"></script><a href="http://[">x</a><link rel=icon href=\\\\x`),
  fc.webUrl().map((url) => `<script src="${url}">self.x="${url}"</script><!--`),
  fc
    .domain()
    .map((host) => JSON.stringify([{ name_value: `${host}\nx.acme.example\n*.acme.example`, dns_names: [null] }])),
  fc.domain().map((host) => JSON.stringify({ NameSpaceType: "Federated", AuthURL: `https://${host}`, jobs: [{}] })),
  fc.constantFrom(
    "",
    ".",
    "..",
    "*",
    "acme.example",
    "x.acme.example",
    "\0",
    "p=AAAA",
    "1 2 | 3",
    "[[[[",
    "};",
    "=;=",
    "%{",
  ),
);
const name = fc.oneof(
  fc.domain(),
  fc.constantFrom(
    "*.acme.example",
    "k9._domainkey.acme.example",
    "_sip._tls.a.acme.example",
    "_.acme.example",
    "ACME.EXAMPLE",
  ),
);

/** Answers every question with whatever comes next, as if it were true. */
function hostileVisit(next: () => string, names: readonly string[]): FakeVisit {
  const visit = fakeVisit({ sources: ALL_SOURCES, known: { names, pages: names.map((host) => `https://${host}/`) } });
  const recordType = (asked: RecordType) =>
    next().length % 3 === 0 ? (RECORD_TYPES[next().length % RECORD_TYPES.length] ?? asked) : asked;
  const exchange = (url: string) => ({
    method: "GET" as const,
    url: next().length % 4 === 0 ? (URL.parse(next())?.href ?? url) : url,
    status: "ok" as const,
    code: next().length % 5 === 0 ? 404 : 200,
    headers: [
      ["content-type", "text/html"],
      ["set-cookie", next()],
      ["content-security-policy", next()],
      ["link", next()],
      ["x-noise", next()],
    ] as const,
    body: next() + next(),
    truncated: next().length % 2 === 0,
  });
  return {
    ...visit,
    async dns(question, type) {
      const records = Array.from({ length: next().length % 3 }, () => ({
        name: next().length % 3 === 0 ? next() : question,
        type: recordType(type),
        value: next(),
        priority: 0,
        tag: next(),
      }));
      return { name: question, type, status: "ok", records };
    },
    async http(url) {
      const final = exchange(url);
      return { hops: [{ ...final, url }, final], final };
    },
    async certificate(host) {
      const issuer = { organisation: next(), name: next() };
      return { host, status: "ok", issuer, subject: next(), names: [next(), next()], valid_from: null, valid_to: null };
    },
  };
}
