import type { Account, QuotaState } from "../../app/app.ts";

/** What is known of one request while it is answered. */
export interface RequestContext {
  readonly id: string;
  /** Address of the client, as far as it can be believed. */
  readonly client: string;
  /** Whether the request comes from this machine and was forwarded for nobody. */
  readonly local: boolean;
  /** The route's pattern, for logs and metrics: a path of a stranger's choice would make endless series. */
  route: string;
  account?: Account;
  quota?: QuotaState;
}

const contexts = new WeakMap<Request, RequestContext>();

/** Keyed by the request itself, which Elysia hands unchanged to every hook. */
export const remember = (request: Request, context: RequestContext): void => {
  contexts.set(request, context);
};

export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error("a request reached a handler without passing the entrance");
  return context;
}

/**
 * The client's address: the connection's, or, behind `hops` trusted proxies, the address that the outermost of them
 * saw. What stands further left in the header was written by the client and proves nothing.
 */
export function clientAddress(peer: string, forwarded: string | null, hops: number): string {
  if (hops === 0) return peer;
  // The end is what trusted proxies wrote: however long a client makes the rest, it must not push that out.
  const chain = [...(forwarded ?? "").slice(-2_000).split(","), peer].map((part) => part.trim()).filter(Boolean);
  return withoutPort(chain[Math.max(0, chain.length - 1 - hops)] ?? peer);
}

/** Some proxies write the port too; with it every connection would be a client of its own. */
const withoutPort = (address: string) =>
  /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address)?.slice(1).find(Boolean) ?? address;

export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);
