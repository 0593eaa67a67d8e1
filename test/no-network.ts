import { afterEach } from "bun:test";
import dgram from "node:dgram";
import dns from "node:dns";
import { isIP, Socket } from "node:net";

/**
 * Preloaded before every test file: a connection that would leave this machine throws, and the test that tried it
 * fails even when the code under test took the error for a dead server.
 *
 * Held: `fetch`, every socket of `node:net`, `node:tls`, `node:http` and `node:https`, `Bun.connect`, UDP of `node:dgram`
 * and `Bun.udpSocket`, and the `Resolver` classes of `node:dns`. Not held, because Bun lets nobody replace them: `Bun.fetch`,
 * `WebSocket`, the plain functions of `node:dns` when imported by name, and what a child process does.
 */

type Call = (...args: unknown[]) => unknown;

const attempts: string[] = [];

/** The refused connections since the last call; whoever takes them has expected them. */
export const takeAttempts = (): string[] => attempts.splice(0);

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare === "::1") return true;
  const v4 = bare.replace(/^::ffff:/, "");
  return isIP(v4) === 4 && v4.startsWith("127.");
}

function refuseUnlessLoopback(how: string, host: string | undefined): void {
  if (host === undefined || isLoopback(host)) return;
  attempts.push(`${how} to ${host}`);
  throw new Error(`a test tried a real network call: ${how} to ${host}`);
}

function guard<T extends object>(
  owner: T,
  name: keyof T & string,
  hostOf: (args: unknown[], self: T) => string[],
): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") throw new Error(`nothing to guard at ${name}`);
  const guarded = function (this: T, ...args: unknown[]): unknown {
    for (const host of hostOf(args, this)) refuseUnlessLoopback(name, host);
    return Reflect.apply(original, this, args);
  };
  // Own properties such as `util.promisify.custom` belong to the function that callers know.
  Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original));
  if (!Reflect.set(owner, name, guarded)) throw new Error(`cannot guard ${name}`);
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
const texts = (...values: unknown[]) => values.filter((value): value is string => typeof value === "string");

/** `connect(options)`, `connect(port, host)`, `connect(path)`, and the argument list that Bun passes on as an array. */
function hostOfConnect(args: unknown[]): string[] {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  // TLS over a socket that is open already names its host for the certificate and connects nowhere.
  if (field(first, "socket") instanceof Socket) return [];
  if (typeof first === "object") return texts(field(first, "host") ?? field(first, "hostname")).slice(0, 1);
  return typeof first === "number" ? texts(second) : [];
}

const unguardedFetch = globalThis.fetch;
const guardedFetch: typeof fetch = Object.assign(
  async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (/^https?:$/.test(url.protocol)) refuseUnlessLoopback("fetch", url.hostname);
    return unguardedFetch(input, init);
  },
  { preconnect: () => {} },
);
globalThis.fetch = guardedFetch;

guard(Socket.prototype, "connect", hostOfConnect);
guard(Bun, "connect", (args) => texts(field(args[0], "hostname")));
// The address is the last text of `send(message, [offset, length,] port, address)`; a connected socket gives none.
guard(dgram.Socket.prototype, "send", (args) => texts(...args.slice(1)).slice(-1));
guard(dgram.Socket.prototype, "connect", (args) => texts(args[1]));
guard(Bun, "udpSocket", (args) => texts(field(field(args[0], "connect"), "hostname")));

const QUESTIONS = /^(resolve|reverse)/;
for (const { prototype } of [dns.Resolver, dns.promises.Resolver]) {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (!QUESTIONS.test(name)) continue;
    const original: unknown = Reflect.get(prototype, name);
    if (typeof original !== "function") continue;
    const guarded: Call = function (this: dns.Resolver, ...args) {
      for (const server of this.getServers()) {
        refuseUnlessLoopback(`dns ${name}`, server.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1"));
      }
      return Reflect.apply(original, this, args);
    };
    Reflect.set(prototype, name, guarded);
  }
}

afterEach(() => {
  const tried = takeAttempts();
  if (tried.length > 0) throw new Error(`the test tried the real network: ${tried.join("; ")}`);
});
