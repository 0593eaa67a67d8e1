import { type DnsRecord, RECORD_TYPES, type RecordType } from "./snapshot.ts";

/**
 * A DNS response (RFC 1035). The codec from npm is unsafe for untrusted packets: it trusts lengths inside a record over
 * the length of the record, decodes labels as lossy UTF-8, and restarts at the head of the packet after a truncated TXT
 * record. This reader confines each record to its length.
 */
export interface DnsMessage {
  readonly id: number;
  /** The response did not fit into the packet; `answers` is empty. */
  readonly truncated: boolean;
  readonly rcode: number;
  /** The name is in lower case. */
  readonly question: { readonly name: string; readonly type: number } | null;
  /** Records of class IN and of a known type, in order, at most {@link MAX_RECORDS}. */
  readonly answers: readonly DnsRecord[];
}

const MAX_RECORDS = 200;
/** Of all types, also those that are omitted. */
const MAX_READ = 500;
/** A name has at most 127 labels, and a pointer between two of them is enough. */
const MAX_POINTERS = 127;
const MAX_TXT = 4_096;
const MAX_TXT_TOTAL = 65_536;

const TYPE_CODES: Readonly<Record<RecordType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
};
const TYPES_BY_CODE: ReadonlyMap<number, RecordType> = new Map(RECORD_TYPES.map((type) => [TYPE_CODES[type], type]));

export const FORMAT_ERROR = 1;

/** Bytes of a datagram that the internet carries without fragmentation. */
const UDP_PAYLOAD = 1_232;

/**
 * A recursive query for class IN.
 *
 * @param name lower case without the last dot, each label 1 to 63 ASCII bytes; empty for the root
 * @param edns adds the OPT record, which allows responses of more than 512 bytes
 */
export function encodeQuestion(id: number, name: string, type: RecordType, edns: boolean): Buffer {
  const packet = Buffer.alloc(12 + name.length + 2 + 4 + (edns ? 11 : 0));
  packet.writeUInt16BE(id, 0);
  packet.writeUInt16BE(0x0100, 2);
  packet.writeUInt16BE(1, 4);
  packet.writeUInt16BE(edns ? 1 : 0, 10);
  let at = 12;
  for (const label of name === "" ? [] : name.split(".")) {
    packet[at] = label.length;
    at += 1 + packet.write(label, at + 1, "latin1");
  }
  // The root, in which every name ends.
  at += 1;
  at = packet.writeUInt16BE(TYPE_CODES[type], at);
  at = packet.writeUInt16BE(1, at);
  if (!edns) return packet.subarray(0, at);
  at = packet.writeUInt16BE(41, at + 1);
  at = packet.writeUInt16BE(UDP_PAYLOAD, at);
  return packet.subarray(0, at + 6);
}

export interface Question {
  /** Lower case, without the final dot; empty for the root. */
  readonly name: string;
  readonly type: RecordType;
}

/** A server that reports a format error need not repeat the question. */
export function answersQuestion(message: DnsMessage, id: number, question: Question): boolean {
  if (message.id !== id) return false;
  if (!message.question) return message.rcode === FORMAT_ERROR;
  return message.question.name === question.name && message.question.type === TYPE_CODES[question.type];
}

/** @returns undefined when the bytes are not a DNS response */
export function decodeMessage(packet: Uint8Array): DnsMessage | undefined {
  try {
    return read(new Reader(packet, 0, packet.length));
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** The bytes end too early or are inconsistent. Caught in `decodeMessage`. */
class Malformed extends Error {}

function read(reader: Reader): DnsMessage | undefined {
  const id = reader.uint16();
  const flags = reader.uint16();
  if ((flags & 0x8000) === 0) return undefined;
  const [questions, count] = [reader.uint16(), reader.uint16()];
  reader.skip(4);
  let question: DnsMessage["question"] = null;
  // More than one is an error (RFC 9619).
  if (questions > 1) throw new Malformed();
  if (questions === 1) {
    question = { name: reader.name(), type: reader.uint16() };
    reader.skip(2);
  }
  const truncated = (flags & 0x0200) !== 0;
  const answers: DnsRecord[] = [];
  let text = 0;
  // A truncated packet may end anywhere; the question is asked again over TCP.
  for (let i = 0; i < Math.min(count, MAX_READ) && !truncated && answers.length < MAX_RECORDS; i += 1) {
    const record = readRecord(reader);
    if (!record) continue;
    if (record.type === "TXT") text += record.value.length;
    if (text <= MAX_TXT_TOTAL) answers.push(record);
  }
  return { id, truncated, rcode: flags & 0x000f, question, answers };
}

function readRecord(reader: Reader): DnsRecord | undefined {
  const name = reader.name();
  const type = TYPES_BY_CODE.get(reader.uint16());
  const inClass = (reader.uint16() & 0x7fff) === 1;
  const ttl = reader.uint32() & 0x7fffffff;
  const data = reader.part(reader.uint16());
  if (!type || !inClass) return undefined;
  const read = READERS[type](data);
  return read && { name, type, ...read, ttl };
}

type Data = Pick<DnsRecord, "value" | "priority" | "tag">;

/** A reader returns undefined for unusable data, so that the other records of the response still count. */
const READERS: Readonly<Record<RecordType, (data: Reader) => Data | undefined>> = {
  A: (data) => (data.left === 4 ? { value: data.bytes(4).join(".") } : undefined),
  AAAA: (data) => (data.left === 16 ? { value: formatIpv6(data.bytes(16)) } : undefined),
  CNAME: (data) => ({ value: data.name() }),
  NS: (data) => ({ value: data.name() }),
  PTR: (data) => ({ value: data.name() }),
  MX: (data) => ({ priority: data.uint16(), value: data.name() }),
  SOA: (data) => ({ value: `${data.name()} ${data.name()}` }),
  SRV(data) {
    const priority = data.uint16();
    data.skip(4);
    return { priority, value: data.name() };
  },
  TXT(data) {
    let value = "";
    while (data.left > 0 && value.length < MAX_TXT) value += escapeBytes(data.bytes(data.uint8()));
    return { value: value.slice(0, MAX_TXT) };
  },
  CAA(data) {
    data.skip(1);
    const tag = escapeBytes(data.bytes(data.uint8())).toLowerCase();
    return { tag, value: escapeBytes(data.bytes(data.left)).slice(0, MAX_TXT) };
  },
};

function formatIpv6(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  const groups = Array.from({ length: 8 }, (_, i) => view.getUint16(i * 2).toString(16)).join(":");
  return URL.parse(`http://[${groups}]/`)?.hostname.slice(1, -1) ?? groups;
}

/** Keeps printable ASCII and writes every other byte as `\DDD`. */
function escapeBytes(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    if (byte >= 0x20 && byte <= 0x7e) text += String.fromCharCode(byte);
    else text += `\\${String(byte).padStart(3, "0")}`;
  }
  return text;
}

class Reader {
  readonly #packet: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  #at: number;

  constructor(packet: Uint8Array, at: number, end: number, view?: DataView) {
    this.#packet = packet;
    this.#view = view ?? new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
    this.#at = at;
    this.#end = end;
  }

  get left(): number {
    return this.#end - this.#at;
  }

  skip(count: number): number {
    const start = this.#at;
    if (count > this.left) throw new Malformed();
    this.#at += count;
    return start;
  }

  bytes(count: number): Uint8Array {
    const start = this.skip(count);
    return this.#packet.subarray(start, start + count);
  }

  /** A reader of the next `count` bytes; names in it may point to any earlier place in the packet. */
  part(count: number): Reader {
    const start = this.skip(count);
    return new Reader(this.#packet, start, start + count, this.#view);
  }

  uint8(): number {
    return this.#view.getUint8(this.skip(1));
  }

  uint16(): number {
    return this.#view.getUint16(this.skip(2));
  }

  uint32(): number {
    return this.#view.getUint32(this.skip(4));
  }

  /** A name in lower case without the final dot. Pointers must go strictly backwards, which rules out loops. */
  name(): string {
    const labels: string[] = [];
    let length = 0;
    let pointers = 0;
    let reader: Reader = this;
    let limit = this.#at;
    for (;;) {
      const size = reader.uint8();
      if (size === 0) return labels.join(".");
      if (size >= 0xc0) {
        const target = ((size & 0x3f) << 8) | reader.uint8();
        if (target >= limit || ++pointers > MAX_POINTERS) throw new Malformed();
        limit = target;
        reader = new Reader(this.#packet, target, this.#packet.length, this.#view);
        continue;
      }
      length += size + 1;
      if (size > 63 || length > 254) throw new Malformed();
      // An unescaped dot inside a label would read as two labels.
      labels.push(escapeBytes(reader.bytes(size)).replaceAll(".", "\\046").toLowerCase());
    }
  }
}

const LABEL = /^[a-z0-9_*-]{1,63}$/;

/** A DNS name in lower case without the final dot; undefined for a text that is not one. */
export function normaliseDnsName(name: string): string | undefined {
  const plain = name.trim().toLowerCase().replace(/\.$/, "");
  return plain.length <= 253 && plain.split(".").every((label) => LABEL.test(label)) ? plain : undefined;
}
