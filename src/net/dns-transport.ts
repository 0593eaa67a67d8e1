import { connect, isIPv6 } from "node:net";
import { onAbort } from "../core/async.ts";
import {
  answersQuestion,
  type DnsMessage,
  decodeMessage,
  encodeQuestion,
  FORMAT_ERROR,
  type Question,
} from "./dns-message.ts";

/** Address of a DNS server. */
export interface ServerAddress {
  readonly ip: string;
  readonly port: number;
}

/** `error`: the server cannot be reached. `timeout`: it sent no matching response in time. */
export type Reply = DnsMessage | "timeout" | "error";

export interface DnsTransport {
  /**
   * Asks one server once: over UDP, over TCP when the response was truncated, and without EDNS when the server does not
   * support it. Rejects only when `signal` aborts.
   */
  query(server: ServerAddress, question: Question, timeoutMs: number, signal: AbortSignal): Promise<Reply>;
}

/** A socket has one port, which somebody who forges responses would have to find out. */
const MAX_QUESTIONS = 32;
const MAX_OPEN_MS = 1_000;

export function createDnsTransport(): DnsTransport {
  const sockets = new Map<string, UdpSocket>();

  /** One that may ask further questions. */
  const socketTo = (server: ServerAddress): UdpSocket => {
    const key = `${server.ip} ${server.port}`;
    const open = sockets.get(key);
    if (open?.isOpen()) return open;
    const socket = openUdp(server);
    sockets.set(key, socket);
    return socket;
  };
  const overUdp = (
    server: ServerAddress,
    question: Question,
    edns: boolean,
    timeoutMs: number,
    signal: AbortSignal,
  ) => {
    let stop = () => {};
    return settle(
      timeoutMs,
      signal,
      () => stop(),
      (done) => {
        stop = socketTo(server).ask(question, edns, done);
      },
    );
  };

  return {
    async query(server, question, timeoutMs, signal) {
      let reply = await overUdp(server, question, true, timeoutMs, signal);
      if (typeof reply === "object" && reply.rcode === FORMAT_ERROR)
        reply = await overUdp(server, question, false, timeoutMs, signal);
      if (typeof reply === "object" && reply.truncated) return await overTcp(server, question, timeoutMs, signal);
      return reply;
    },
  };
}

interface UdpSocket {
  /** Whether it may ask a further question. */
  isOpen(): boolean;
  /** Sends a question. Call the result when its answer is no longer needed. */
  ask(question: Question, edns: boolean, done: (reply: Reply) => void): () => void;
}

/**
 * A socket for the questions of the same moment: a socket for each costs more than the question. It is closed as soon as
 * none waits for its answer, and asks 32 questions and for one second at most, less than one question may wait. Its port
 * is unpredictable, it receives from its server only, and each question has a random id and its own name, so a forged
 * response has to guess about 30 bits within that time.
 */
function openUdp(server: ServerAddress): UdpSocket {
  const openedAt = performance.now();
  const waiting = new Map<number, { readonly question: Question; readonly done: (reply: Reply) => void }>();
  let socket: Bun.udp.ConnectedSocket<"buffer"> | undefined;
  /** Questions of one turn, which are sent by one call of the system: each costs more than what it sends. */
  let unsent: Buffer[] = [];
  let asked = 0;
  let isClosed = false;
  const fail = () => {
    isClosed = true;
    for (const { done } of [...waiting.values()]) done("error");
  };
  const sendAll = () => {
    if (!socket || isClosed || unsent.length === 0) return;
    const packets = unsent;
    unsent = [];
    try {
      // The rest is sent when the system has room again.
      unsent = packets.slice(socket.sendMany(packets));
    } catch {
      fail();
    }
  };
  const receive = (packet: Buffer) => {
    // Before it is read, which costs the more the longer it is: anybody may send a datagram.
    if (packet.length < 2 || !waiting.has(packet.readUInt16BE(0))) return;
    const message = decodeMessage(packet);
    const asked = message && waiting.get(message.id);
    if (asked && answersQuestion(message, message.id, asked.question)) asked.done(message);
  };
  // Without IPv6 it cannot be opened; without a route it cannot be connected.
  Bun.udpSocket({
    hostname: isIPv6(server.ip) ? "::" : "0.0.0.0",
    connect: { hostname: server.ip, port: server.port },
    socket: { data: (_, packet) => receive(packet), drain: sendAll, error: fail },
  }).then((opened) => {
    if (isClosed) return opened.close();
    socket = opened;
    sendAll();
  }, fail);

  return {
    isOpen: () => !isClosed && asked < MAX_QUESTIONS && performance.now() - openedAt < MAX_OPEN_MS,
    ask(question, edns, done) {
      asked += 1;
      let id = randomId();
      while (waiting.has(id)) id = randomId();
      waiting.set(id, { question, done });
      if (unsent.length === 0) queueMicrotask(sendAll);
      unsent.push(encodeQuestion(id, question.name, question.type, edns));
      return () => {
        waiting.delete(id);
        if (waiting.size > 0) return;
        isClosed = true;
        socket?.close();
      };
    },
  };
}

function overTcp(server: ServerAddress, question: Question, timeoutMs: number, signal: AbortSignal): Promise<Reply> {
  const socket = connect({ host: server.ip, port: server.port });
  return settle(
    timeoutMs,
    signal,
    () => socket.destroy(),
    (done) => {
      const id = randomId();
      const query = encodeQuestion(id, question.name, question.type, true);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(query.length);
      let received = Buffer.alloc(0);
      socket.on("error", () => done("error"));
      socket.on("close", () => done("error"));
      socket.on("connect", () => socket.write(Buffer.concat([length, query])));
      socket.on("data", (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        // The two-byte length prefix limits the message to 64 KiB; bytes after it are ignored.
        if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
        const message = decodeMessage(received.subarray(2, 2 + received.readUInt16BE(0)));
        done(message && !message.truncated && answersQuestion(message, id, question) ? message : "error");
      });
    },
  );
}

/** Runs `start` until it is done, the timeout expires or the signal aborts, then closes the socket once. */
function settle(
  timeoutMs: number,
  signal: AbortSignal,
  close: () => void,
  start: (done: (reply: Reply) => void) => void,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let over = false;
    let stopListening = () => {};
    const end = (then: () => void) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      stopListening();
      close();
      then();
    };
    const timer = setTimeout(() => end(() => resolve("timeout")), timeoutMs);
    stopListening = onAbort(signal, () => end(() => reject(signal.reason)));
    if (over) return;
    try {
      start((reply) => end(() => resolve(reply)));
    } catch {
      // A machine without IPv6 throws here instead of emitting an event.
      end(() => resolve("error"));
    }
  });
}

function randomId(): number {
  return crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
}
