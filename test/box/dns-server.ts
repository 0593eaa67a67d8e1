import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { RECORD_TYPES } from "../../src/net/snapshot.ts";
import type { World } from "./company.ts";
import { encodeReply, parseQuery, type Query } from "./dns-wire.ts";
import type { Zone } from "./zone.ts";

export interface DnsServer {
  /** The same for UDP and TCP. */
  readonly port: number;
  close(): Promise<void>;
}

export interface DnsHit {
  readonly kind: "dns";
  readonly name: string;
  readonly type: string;
  readonly over: "udp" | "tcp";
  /** Milliseconds since the box was opened. */
  readonly at: number;
}

/** Called at each question, so that the description can change while the server runs. */
export interface DnsSource {
  zone(): Zone;
  faults(): NonNullable<World["faults"]>;
  saw(hit: Omit<DnsHit, "at">): void;
}

/** A resolver on loopback that serves only the zone. Close it, or the process keeps running. */
export async function startDns(source: DnsSource, address: string): Promise<DnsServer> {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const rebound = new Set<string>();
  const answer = (bytes: Uint8Array, over: DnsHit["over"], send: (reply: Buffer) => void) => {
    const query = parseQuery(bytes);
    if (!query) return;
    source.saw({ kind: "dns", name: query.question.name.toLowerCase(), type: query.question.type, over });
    const { reply, delayMs } = replyTo(source, query, over, rebound);
    if (!reply) return;
    if (delayMs === 0) return send(reply);
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(reply);
    }, delayMs);
    timers.add(timer);
  };

  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    let held = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      held = Buffer.concat([held, Buffer.from(bytes)]);
      while (held.length > 1 && held.length >= held.readUInt16BE(0) + 2) {
        const end = held.readUInt16BE(0) + 2;
        answer(held.subarray(2, end), "tcp", (reply) => {
          const length = Buffer.from([reply.length >> 8, reply.length & 255]);
          if (!socket.destroyed) socket.write(Buffer.concat([length, reply]));
        });
        held = held.subarray(end);
      }
    });
  });

  const { udp, port } = await bindBoth(tcp, address);
  let open = true;
  udp.on("message", (bytes, from) => {
    answer(bytes, "udp", (reply) => {
      if (open) udp.send(reply, from.port, from.address);
    });
  });

  return {
    port,
    async close() {
      open = false;
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      udp.close();
      await new Promise<void>((done) => tcp.close(() => done()));
    },
  };
}

/**
 * Finds a port that is free for both; the system gives a free TCP port, which may be taken for UDP: every question
 * over UDP takes one.
 */
export async function bindBoth(tcp: Server, address: string, tries = 20): Promise<{ udp: UdpSocket; port: number }> {
  tcp.listen(0, address);
  await once(tcp, "listening");
  const bound = tcp.address();
  const port = bound !== null && typeof bound === "object" ? bound.port : 0;
  const udp = createSocket("udp4");
  // An asker that has left answers with "port unreachable".
  udp.on("error", () => {});
  try {
    udp.bind(port, address);
    await once(udp, "listening");
    return { udp, port };
  } catch (error) {
    udp.close();
    await new Promise<void>((done) => tcp.close(() => done()));
    if (tries <= 1) throw error;
    return bindBoth(tcp, address, tries - 1);
  }
}

const GARBAGE = Buffer.from("\xff\xfe this is no DNS message \x00\x01\xc0\x0c\xc0\x0c", "latin1");

interface Reply {
  /** Nothing is sent without one. */
  readonly reply?: Buffer;
  readonly delayMs: number;
}

function replyTo(source: DnsSource, query: Query, over: DnsHit["over"], rebound: Set<string>): Reply {
  const { question, udpLimit } = query;
  const name = question.name.toLowerCase();
  const type = knownType(question.type);
  const found = type ? source.zone().answer(name, type) : { status: "ok" as const, records: [], delayMs: 0 };
  const limit = over === "udp" ? udpLimit : 65_535;
  const plain = (ttl = 300) => ({
    reply: encodeReply(query, found.status, found.records, { limit, ttl }),
    delayMs: found.delayMs,
  });
  const fault = source
    .faults()
    .find((each) => "name" in each && covers(each.name, name) && (each.type ?? question.type) === question.type);
  if (!fault || !("name" in fault)) return plain();
  switch (fault.fault) {
    case "hang":
      return { delayMs: 0 };
    case "servfail":
    case "refused":
      return { reply: encodeReply(query, fault.fault, []), delayMs: found.delayMs };
    case "garbage":
      return { reply: GARBAGE, delayMs: found.delayMs };
    case "truncate":
      return over === "tcp" ? plain() : { reply: encodeReply(query, "ok", [], { limit: 0 }), delayMs: found.delayMs };
    case "wrong-id":
      return { reply: encodeReply({ ...query, id: query.id ^ 0x5a5a }, found.status, found.records), delayMs: 0 };
    case "loop": {
      const twin = `loop.${name}`;
      const [there, back] = [
        { name, type: "CNAME", data: twin },
        { name: twin, type: "CNAME", data: name },
      ] as const;
      return { reply: encodeReply(query, "ok", [there, back]), delayMs: found.delayMs };
    }
    case "rebind": {
      if (question.type !== "A") return plain();
      const first = !rebound.has(name);
      rebound.add(name);
      const second = { name: question.name, type: "A", data: fault.second ?? "169.254.169.254" } as const;
      return first ? plain(0) : { reply: encodeReply(query, "ok", [second], { ttl: 0 }), delayMs: found.delayMs };
    }
  }
}

const knownType = (type: string) => RECORD_TYPES.find((known) => known === type);

function covers(pattern: string, name: string): boolean {
  const low = pattern.toLowerCase();
  return low === "*" || low === name || (low.startsWith("*.") && name.endsWith(low.slice(1)));
}
