import { gzipSync } from "node:zlib";

const MIB = 1_048_576;

/** A record of a WARC file; `length` is what it claims. */
export function warcRecord(
  domain: string,
  body: string | Uint8Array,
  { length, headers = "" }: { length?: string | number; headers?: string } = {},
): Buffer {
  const http = Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${headers}\r\n`),
    Buffer.from(body),
  ]);
  const head = `WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://${domain}/\r\nWARC-Date: 2026-03-04T05:06:07Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: ${length ?? http.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), http, Buffer.from("\r\n\r\n")]);
}

let bombBody: Buffer | undefined;
/** 64 MiB of nothing, compressed. */
const bomb = (): Buffer => (bombBody ??= gzipSync(Buffer.alloc(64 * MIB), { level: 9 }));
let bombRecord: Buffer | undefined;
const bombMember = (): Buffer => {
  bombRecord ??= gzipSync(Buffer.concat([warcRecord("bomb.test", "", { length: 64 * MIB }), Buffer.alloc(64 * MIB)]), {
    level: 9,
  });
  return bombRecord;
};

type Random = () => number;
const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

function damaged(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = 1 + Math.floor(random() * 4); count > 0; count--)
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  return copy;
}
const cut = (bytes: Buffer, random: Random): Buffer => bytes.subarray(0, 1 + Math.floor(random() * (bytes.length - 1)));
const LENGTHS = [0, 1, 7, 100_000, 2 ** 31, 2 ** 53, "-1", "1e9", "99999999999999999999", "x", "", "0x10"];
const page = (random: Random): string => `<p>${"x".repeat(Math.floor(random() * 2_000))}`;
const chunkedLoop = (random: Random) =>
  warcRecord("loop.test", `${"0".repeat(Math.floor(random() * 99))}1\r\na`.repeat(500), {
    headers: "Transfer-Encoding: chunked\r\n",
  });

/** Damage to gzip members, by name. None of it may reach the members around it. */
export const HOSTILE_MEMBERS: Readonly<Record<string, (random: Random) => Buffer>> = {
  cut: (random) => cut(gzipSync(warcRecord("cut.test", page(random))), random),
  "cut inside": (random) => gzipSync(cut(warcRecord("cut.test", page(random)), random)),
  damaged: (random) => damaged(gzipSync(warcRecord("damaged.test", page(random))), random),
  "damaged inside": (random) => gzipSync(damaged(warcRecord("damaged.test", page(random)), random)),
  "lying length": (random) => gzipSync(warcRecord("length.test", page(random), { length: pick(random, LENGTHS) })),
  bomb: () => bombMember(),
  "bomb in a body": () => gzipSync(warcRecord("bomb.test", bomb(), { headers: "Content-Encoding: gzip\r\n" })),
  "bomb in a bomb": () =>
    gzipSync(warcRecord("bomb.test", gzipSync(bomb()), { headers: "Content-Encoding: gzip, gzip\r\n" })),
  codings: () => gzipSync(warcRecord("codings.test", "x", { headers: "Content-Encoding: gzip, gzip, gzip, gzip\r\n" })),
  "chunked loop": (random) => gzipSync(chunkedLoop(random)),
  "header without end": (random) => gzipSync(`WARC/1.1\r\n${"A: b\r\n".repeat(Math.floor(random() * 3_000))}`),
  "response without end": (random) => gzipSync(warcRecord("head.test", "").subarray(0, -6 - Math.floor(random() * 9))),
  noise: (random) =>
    Buffer.from(Array.from({ length: 1 + Math.floor(random() * 300) }, () => Math.floor(random() * 256))),
  "empty member": () => gzipSync(""),
  nesting: (random) => gzipSync(warcRecord("deep.test", "<div>".repeat(Math.floor(random() * 5_000)))),
  "many records": (random) =>
    gzipSync(Buffer.concat(Array.from({ length: 30 }, () => warcRecord("many.test", page(random))))),
};

/** Damage to lines, by name. A line ends at its line feed, whatever it contains. */
export const HOSTILE_LINES: Readonly<Record<string, (random: Random) => string>> = {
  cut: (random) => dnsLine("cut.test").slice(0, Math.floor(random() * 60)),
  noise: (random) => Array.from({ length: 40 }, () => String.fromCharCode(32 + Math.floor(random() * 200))).join(""),
  deep: (random) => `{"name":"deep.test","results":${'{"a":'.repeat(Math.floor(random() * 3_000))}1`,
  "deep and closed": (random) => {
    const depth = Math.floor(random() * 3_000);
    return `{"name":"deep.test","status":"NOERROR","data":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  },
  types: (random) =>
    JSON.stringify({
      host: pick(random, [1, null, [], {}, "..", "a".repeat(300)]),
      resolver: 1,
      a: pick(random, [1, {}, [[]], "x"]),
      mx: {},
      timestamp: pick(random, [1e300, -1, {}, "never"]),
    }),
  keys: (random) =>
    `{"__proto__":{"x":1},"constructor":1,"name":"keys.test","type":"${pick(random, ["A", "__proto__"])}","data":{"answers":[{"type":"toString"}]}}`,
  answers: () =>
    JSON.stringify({
      name: "many.test",
      results: {
        A: {
          status: "NOERROR",
          data: {
            answers: Array.from({ length: 3_000 }, (_, at) => ({
              type: "A",
              name: "many.test",
              answer: `192.0.2.${at}`,
            })),
          },
        },
      },
    }),
  loop: () =>
    JSON.stringify({
      name: "loop.test",
      results: {
        A: {
          status: "NOERROR",
          data: {
            answers: ["a", "b", "a"].map((from, at) => ({
              type: "CNAME",
              name: `${from}.loop.test`,
              answer: `${at % 2 ? "a" : "b"}.loop.test`,
            })),
          },
        },
      },
    }),
  "endless word": (random) => `${"x".repeat(Math.floor(random() * 50_000))}. A 1`,
  url: (random) =>
    JSON.stringify({
      url: `https://${pick(random, ["", "[::1]", "192.0.2.1", "x".repeat(300), "user:pass@a.test"])}/`,
      status_code: -1,
      header: { a: [1] },
      body: {},
    }),
};

export const dnsLine = (domain: string): string =>
  JSON.stringify({
    host: domain,
    resolver: ["192.0.2.53:53"],
    mx: ["aspmx.l.google.com"],
    status_code: "NOERROR",
    timestamp: "2026-03-04T05:06:07Z",
  });

export interface HostileFile {
  readonly content: Buffer;
  /** Companies of the undamaged records. */
  readonly intact: readonly string[];
}

/** A file of hostile records with an undamaged one after every ten. */
export function hostileFile(kind: "members" | "lines", records: number, name: string, random: Random): HostileFile {
  const intact: string[] = [];
  const parts: Buffer[] = [];
  for (let at = 0; at < records; at++) {
    if (at % 10 === 0) {
      const domain = `intact-${name}-${at}.test`;
      intact.push(domain);
      parts.push(kind === "members" ? gzipSync(warcRecord(domain, "<p>intact")) : Buffer.from(`${dnsLine(domain)}\n`));
    } else if (kind === "members") parts.push(pick(random, Object.values(HOSTILE_MEMBERS))(random));
    else parts.push(Buffer.from(`${pick(random, Object.values(HOSTILE_LINES))(random).replaceAll("\n", " ")}\n`));
  }
  return { content: Buffer.concat(parts), intact };
}
