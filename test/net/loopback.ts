import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { NETWORK_DEFAULTS, type NetworkSettings } from "../../src/net/client.ts";
import type { RecordType } from "../../src/net/snapshot.ts";
import type { Identity } from "../box/authority.ts";
import { bindBoth } from "../box/dns-server.ts";
import { encodeReply, packets, parseQuery, type Query } from "../box/dns-wire.ts";

export const never = new AbortController().signal;

/** Resources of a test, closed by `closeAll` in `afterEach`. */
const open: (() => void)[] = [];

export function closeAll(): void {
  for (const close of open.splice(0)) close();
}

export interface Asked {
  readonly query: Query;
  readonly over: "udp" | "tcp";
  /** The port of the client. */
  readonly from: number;
  /** Sends bytes to the client. */
  readonly reply: (bytes: Uint8Array) => void;
}

export interface Dns {
  readonly address: string;
  /** `NAME TYPE` of every question so far. */
  readonly asked: string[];
}

/** A DNS server on loopback, over UDP and TCP on one port, whose answers the test provides. */
export async function serveDns(answer: (asked: Asked) => void): Promise<Dns> {
  const asked: string[] = [];
  const hear = (bytes: Uint8Array, over: Asked["over"], from: number, reply: Asked["reply"]) => {
    const query = parseQuery(bytes);
    if (!query) return;
    asked.push(`${query.question.name} ${query.question.type}`);
    answer({ query, over, from, reply });
  };
  const tcp = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) =>
      hear(chunk.subarray(2), "tcp", socket.remotePort ?? 0, (bytes) => socket.write(prefixed(bytes))),
    );
  });
  const { udp, port } = await bindBoth(tcp, "127.0.0.1");
  open.push(() => tcp.close());
  udp.on("message", (bytes, from) =>
    hear(bytes, "udp", from.port, (reply) => udp.send(reply, from.port, from.address)),
  );
  open.push(() => udp.close());
  return { address: `127.0.0.1:${port}`, asked };
}

export function prefixed(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export interface Line {
  readonly name: string;
  readonly type: RecordType;
  readonly data: string;
}

/** Answers from a list of records; other names do not exist. */
export function answerFrom(lines: readonly Line[]): (asked: Pick<Asked, "query" | "reply">) => void {
  return ({ query, reply }: Pick<Asked, "query" | "reply">) => {
    const { name, type } = query.question;
    const there = lines.filter((line) => line.name === name);
    const found = there.filter((line) => line.type === type || line.type === "CNAME");
    reply(encodeReply(query, there.length === 0 ? "nxdomain" : "ok", found));
  };
}

/** A hand-made response packet, for malformed responses. */
export function packet(query: Query, answers: readonly unknown[], flags = 0x8180): Buffer {
  return packets.encode({ id: query.id, type: "response", flags, questions: [query.question], answers });
}

/** A TCP server on loopback that passes the head of each request and its socket to the test. */
export async function serveRaw(answer: (socket: Socket, head: string) => void, identity?: Identity): Promise<Raw> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const take = (socket: Socket) => {
    sockets.add(socket);
    let head = "";
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      head += chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      heads.push(head);
      answer(socket, head);
      head = "";
    });
  };
  const server = identity ? createTlsServer(identity, take) : createServer(take);
  const port = await listen(server);
  return { port, heads, sockets };
}

export interface Raw {
  readonly port: number;
  readonly heads: string[];
  /** Open connections. */
  readonly sockets: ReadonlySet<Socket>;
}

function listen(server: Server): Promise<number> {
  open.push(() => server.close());
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** A response with a content length, so that it does not end with the connection. */
export function response(body: string | Uint8Array, headers: readonly string[] = [], status = "200 OK"): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, `Content-Length: ${bytes.length}`, ...headers].join("\r\n");
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), bytes]);
}

/** Short limits for tests of timeouts; too short for a response on a busy machine. */
export const HASTY = { dnsTimeoutMs: 150, firstByteMs: 400, exchangeMs: 700, certificateMs: 400 };

/** Limits that a response on loopback never reaches, even on a busy machine. */
export function settings(more: Partial<NetworkSettings>): NetworkSettings {
  return {
    ...NETWORK_DEFAULTS,
    dnsServers: [],
    dnsTimeoutMs: 20_000,
    dnsTries: 1,
    allowCidrs: ["127.0.0.0/8"],
    firstByteMs: 20_000,
    exchangeMs: 20_000,
    certificateMs: 20_000,
    pageBytes: 100_000,
    rawBytes: 400_000,
    ...more,
  };
}
