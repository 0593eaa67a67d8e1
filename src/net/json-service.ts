import { isIP } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../core/errors.ts";
import { createHttp, NETWORK_DEFAULTS } from "./client.ts";
import { createTrust } from "./dial.ts";
import { cutOff, retryAfterMs } from "./exchange.ts";
import { createPolicy, type Policy } from "./policy.ts";
import { createSystemNames } from "./resolver.ts";
import type { HttpExchange } from "./snapshot.ts";

/** A JSON service that the operator named, and the only host that can be reached through this. */
export interface JsonService {
  /** Posts to a path below the service's address. Rejects only when `signal` aborts or the service was closed. */
  post(path: string, body: unknown, signal: AbortSignal): Promise<ServiceAnswer>;
  close(): void;
}

export type ServiceAnswer =
  /** `value` is undefined when the body is no JSON. */
  | { readonly status: "answered"; readonly code: number; readonly value: unknown }
  /** `reason` completes "the service …" and holds nothing secret. */
  | { readonly status: "timeout" | "failed"; readonly reason: string };

export interface JsonServiceSettings {
  /** Address below which the service's paths lie. It may be on this machine or in a private network. */
  readonly url: string;
  /** Sent as a bearer to that origin and nowhere else, or null. */
  readonly key: string | null;
  /** Milliseconds for one try. */
  readonly timeoutMs: number;
  /** Cap on the decompressed bytes of an answer. */
  readonly maxBytes: number;
  readonly userAgent: string;
  /** Used for hosts outside; what is plainly on this machine or in its network is asked directly. */
  readonly proxy: string | null;
  readonly extraCa: string | null;
}

/** Time and chance, which a test gives. */
export interface Pauses {
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

const TRIES = 3;
const FIRST_PAUSE_MS = 500;
/** A service that asks for more patience than this is as good as away. */
const LONGEST_PAUSE_MS = 20_000;
const BUSY = new Set([429, 500, 502, 503, 504]);
const CONNECTIONS = 8;

const PAUSES: Pauses = {
  sleep: async (milliseconds, signal) => {
    await wait(milliseconds, undefined, { signal });
  },
  random: Math.random,
};

/** @throws Failure `config.invalid` for an address or a key that cannot be used */
export function openJsonService(settings: JsonServiceSettings, pauses: Pauses = PAUSES): JsonService {
  const base = URL.parse(settings.url);
  if (!base || !/^https?:$/.test(base.protocol) || base.username !== "" || base.password !== "") {
    throw new Failure("config.invalid", "The service's address is not an http or https URL without user and password.");
  }
  if (settings.key !== null && !/^[\x21-\x7e]{1,1000}$/.test(settings.key)) {
    throw new Failure("config.invalid", "The service's key is not printable ASCII of at most 1000 characters.");
  }
  const client = createHttp(
    {
      ...NETWORK_DEFAULTS,
      firstByteMs: settings.timeoutMs,
      exchangeMs: settings.timeoutMs,
      pageBytes: settings.maxBytes,
      rawBytes: settings.maxBytes * 4,
      connections: CONNECTIONS,
      connectionsPerHost: CONNECTIONS,
      userAgent: settings.userAgent,
      proxy: isNearby(base.hostname) ? null : settings.proxy,
    },
    onlyTo(base.origin),
    createSystemNames(settings.timeoutMs),
    createTrust(settings.extraCa),
  );

  async function attempt(url: string, body: string, signal: AbortSignal): Promise<Attempt> {
    const { final } = await client.ask(
      url,
      {
        method: "POST",
        body,
        accept: "application/json",
        follow: false,
        ...(settings.key === null ? {} : { authorization: `Bearer ${settings.key}` }),
      },
      signal,
    );
    return read(final, settings.maxBytes);
  }

  return {
    async post(path, body, signal) {
      const url = new URL(base);
      url.pathname = `${base.pathname.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
      const text = JSON.stringify(body);
      for (let tried = 1; ; tried++) {
        const { answer, again, pauseMs } = await attempt(url.href, text, signal);
        const backoff = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + pauses.random());
        const pause = Math.max(backoff, pauseMs ?? 0);
        if (!again || tried === TRIES || pause > LONGEST_PAUSE_MS) return answer;
        await pauses.sleep(pause, signal);
      }
    },
    close: () => client.close(),
  };
}

interface Attempt {
  readonly answer: ServiceAnswer;
  /** Whether another try may end better. */
  readonly again: boolean;
  /** Milliseconds that the service asked us to wait. */
  readonly pauseMs?: number | undefined;
}

function read(exchange: HttpExchange, maxBytes: number): Attempt {
  const { status, code, detail = "no answer", truncated = false } = exchange;
  if (status === "timeout") return { answer: { status: "timeout", reason: "did not answer in time" }, again: false };
  if (status !== "ok") {
    return { answer: { status: "failed", reason: `cannot be reached: ${detail}` }, again: status === "failed" };
  }
  if (code >= 300 && code < 400) {
    return {
      answer: { status: "failed", reason: `sends us elsewhere (${code}), which is not followed` },
      again: false,
    };
  }
  if (truncated) {
    const how = cutOff(exchange);
    if (how === "timeout") return { answer: { status: "timeout", reason: "did not answer in time" }, again: false };
    const reason = how === undefined ? `answered with more than ${maxBytes} bytes` : "broke off inside its answer";
    return { answer: { status: "failed", reason }, again: how === "failed" };
  }
  return {
    answer: { status: "answered", code, value: parsed(exchange.body) },
    again: BUSY.has(code),
    pauseMs: retryAfterMs(exchange, Date.now()),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One origin may be asked for, at whatever address its name has: the operator chose it. */
function onlyTo(origin: string): Policy {
  const refusal = (url: string | URL) => (URL.parse(String(url))?.origin === origin ? null : "another service");
  return { addressAllowed: () => true, refusal, urlAllowed: (url) => refusal(url) === null, remedy: () => null };
}

/** A name that only this machine or its network knows, or an address that is not public. */
function isNearby(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) return !createPolicy({ allowCidrs: [], extraPorts: [] }).addressAllowed(bare);
  return !bare.includes(".") || /\.(localhost|local|internal|lan|home\.arpa)$/.test(bare);
}
