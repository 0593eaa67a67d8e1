import { createRequire } from "node:module";
import type { ZoneRecord } from "./zone.ts";

/** The part of dns-packet that is used here; the package brings no types. */
export interface Packet {
  readonly id: number;
  readonly type: "query" | "response";
  readonly flags: number;
  readonly questions: readonly Question[];
  readonly answers?: readonly unknown[];
  readonly additionals?: readonly { readonly type: string; readonly udpPayloadSize?: number }[];
}
export interface Question {
  readonly name: string;
  readonly type: string;
}
interface DnsPacket {
  decode(bytes: Uint8Array): Packet;
  encode(packet: Packet): Buffer;
}

export const packets: DnsPacket = createRequire(import.meta.url)("dns-packet");

export interface Query {
  readonly id: number;
  readonly question: Question;
  /** The longest answer that the client accepts over UDP. */
  readonly udpLimit: number;
}

/** Reads a question, or returns undefined for bytes that are none. */
export function parseQuery(bytes: Uint8Array): Query | undefined {
  try {
    const { id, type, questions, additionals = [] } = packets.decode(Buffer.from(bytes));
    const question = questions[0];
    if (type !== "query" || !question) return undefined;
    const asked = additionals.find((extra) => extra.type === "OPT")?.udpPayloadSize ?? 512;
    return { id, question, udpLimit: Math.max(512, asked) };
  } catch {
    return undefined;
  }
}

const CODES = { ok: 0, servfail: 2, nxdomain: 3, refused: 5 } as const;
const RECURSION = 0x0180;
const TRUNCATED = 0x0200;

/** Writes an answer; one longer than `limit` bytes is sent empty and marked as truncated. */
export function encodeReply(
  { id, question }: Query,
  status: keyof typeof CODES,
  records: readonly ZoneRecord[],
  { limit = 65_535, ttl = 300 } = {},
): Buffer {
  const reply = { id, type: "response" as const, questions: [question] };
  const answers = records.map(({ name, type, data }) => ({ name, type, ttl, data: wireData(type, data) }));
  const whole = packets.encode({ ...reply, flags: RECURSION | CODES[status], answers });
  return whole.length <= limit ? whole : packets.encode({ ...reply, flags: RECURSION | TRUNCATED });
}

/** One line of zone-file order in the form that dns-packet takes. */
function wireData(type: ZoneRecord["type"], line: string): unknown {
  const words = line.split(/\s+/);
  const [first = "", second = "", third = "", fourth = ""] = words;
  if (type === "MX") return { preference: Number(first), exchange: second };
  if (type === "SRV") return { priority: Number(first), weight: Number(second), port: Number(third), target: fourth };
  if (type === "CAA")
    return { flags: Number(first), tag: second, value: words.slice(2).join(" ").replace(/^"|"$/g, "") };
  if (type === "SOA") {
    const [serial = 1, refresh = 7_200, retry = 900, expire = 1_209_600, minimum = 300] = words.slice(2).map(Number);
    return { mname: first, rname: second, serial, refresh, retry, expire, minimum };
  }
  if (type === "TXT") return chunks(Buffer.from(line));
  return line;
}

/** A TXT record is a list of strings of at most 255 bytes. */
function chunks(bytes: Buffer): Buffer[] {
  const all: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 255) all.push(bytes.subarray(at, at + 255));
  return all;
}
