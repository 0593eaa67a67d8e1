import { isIP } from "node:net";
import { sleep } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import { createHttp, NETWORK_DEFAULTS } from "./client.ts";
import { createTrust, withoutBrackets } from "./dial.ts";
import { cutOff, retryAfterMs } from "./exchange.ts";
import { createPolicy, type Policy } from "./policy.ts";
import { createSystemResolver } from "./resolver.ts";
import type { HttpExchange } from "./snapshot.ts";

/** A JSON service that the operator configured. It can reach no other host. */
export interface JsonService {
  /** Posts to a path below the address of the service. Rejects only when `signal` aborts or the service was closed. */
  post(path: string, body: unknown, signal: AbortSignal): Promise<ServiceAnswer>;
  close(): void;
}

export type ServiceAnswer =
  /** `value` is undefined when the body is not JSON. */
  | { readonly status: "answered"; readonly code: number; readonly value: unknown }
  /** `reason` completes "the service …" and contains no secret. */
  | { readonly status: "timeout" | "failed"; readonly reason: string };

export interface JsonServiceSettings {
  /** Base URL. It may be on this machine or in a private network. */
  readonly url: string;
  /** Bearer token, sent to this origin only; or null. */
  readonly key: string | null;
  /** Milliseconds per attempt. */
  readonly timeoutMs: number;
  /** Maximum of decompressed bytes of a response. */
  readonly maxBytes: number;
  readonly userAgent: string;
  /** Used for public hosts; hosts on this machine or in its network are contacted directly. */
  readonly proxy: string | null;
  readonly extraCa: string | null;
}

/** Replaced in tests. */
export interface Pauses {
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
/** A service that asks for a longer pause counts as unavailable. */
const MAX_PAUSE_MS = 20_000;
const BUSY = new Set([429, 500, 502, 503, 504]);
const CONNECTIONS = 8;

/** @throws Failure `config.invalid` for an invalid address or key */
export function openJsonService(
  settings: JsonServiceSettings,
  pauses: Pauses = { sleep, random: Math.random },
): JsonService {
  const base = URL.parse(settings.url);
  if (!base || !/^https?:$/.test(base.protocol) || base.username !== "" || base.password !== "") {
    throw new Failure(
      "config.invalid",
      "The address of the service is not an http or https URL without user and password.",
    );
  }
  if (settings.key !== null && !/^[\x21-\x7e]{1,1000}$/.test(settings.key)) {
    throw new Failure("config.invalid", "The key of the service is not printable ASCII of at most 1000 characters.");
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
    onlyOrigin(base.origin),
    createSystemResolver(settings.timeoutMs),
    createTrust(settings.extraCa),
  );

  async function attempt(url: string, body: string, signal: AbortSignal): Promise<Attempt> {
    const { final } = await client.request(
      url,
      {
        method: "POST",
        body,
        accept: "application/json",
        follow: false,
        authorization: settings.key === null ? undefined : `Bearer ${settings.key}`,
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
      for (let attempts = 1; ; attempts++) {
        const { answer, retryable, pauseMs } = await attempt(url.href, text, signal);
        const backoff = FIRST_PAUSE_MS * 2 ** (attempts - 1) * (0.5 + pauses.random());
        const pause = Math.max(backoff, pauseMs ?? 0);
        if (!retryable || attempts === MAX_ATTEMPTS || pause > MAX_PAUSE_MS) return answer;
        await pauses.sleep(pause, signal);
      }
    },
    close: () => client.close(),
  };
}

interface Attempt {
  readonly answer: ServiceAnswer;
  /** A retry may succeed. */
  readonly retryable: boolean;
  /** The pause that the service asked for. */
  readonly pauseMs?: number | undefined;
}

function read(exchange: HttpExchange, maxBytes: number): Attempt {
  const { status, code, detail = "no answer", truncated = false } = exchange;
  if (status === "timeout")
    return { answer: { status: "timeout", reason: "did not answer in time" }, retryable: false };
  if (status !== "ok") {
    return { answer: { status: "failed", reason: `cannot be reached: ${detail}` }, retryable: status === "failed" };
  }
  if (code >= 300 && code < 400) {
    return {
      answer: { status: "failed", reason: `redirects (${code}), and redirects are not followed` },
      retryable: false,
    };
  }
  if (truncated) {
    const how = cutOff(exchange);
    if (how === "timeout") return { answer: { status: "timeout", reason: "did not answer in time" }, retryable: false };
    const reason =
      how === undefined
        ? `answered with more than ${maxBytes} bytes`
        : "closed the connection before its answer was complete";
    return { answer: { status: "failed", reason }, retryable: how === "failed" };
  }
  return {
    answer: { status: "answered", code, value: parsed(exchange.body) },
    retryable: BUSY.has(code),
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

/** Allows one origin, at any address: the operator chose it. */
export function onlyOrigin(origin: string): Policy {
  const refusal = (url: string | URL) => (URL.parse(String(url))?.origin === origin ? null : "another service");
  return { addressAllowed: () => true, refusal, urlAllowed: (url) => refusal(url) === null, remedy: () => null };
}

/** A local host name or an address that is not public. */
export function isNearby(host: string): boolean {
  const bare = withoutBrackets(host);
  if (isIP(bare) !== 0) return !createPolicy({ allowCidrs: [], extraPorts: [] }).addressAllowed(bare);
  return !bare.includes(".") || /\.(localhost|local|internal|lan|home\.arpa)$/.test(bare);
}
