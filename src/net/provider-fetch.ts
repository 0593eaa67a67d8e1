import { createHttp, NETWORK_DEFAULTS, type NetworkSettings } from "./client.ts";
import { createTrust } from "./dial.ts";
import { isNearby, onlyOrigin } from "./json-service.ts";
import { createPolicy } from "./policy.ts";
import { createSystemResolver } from "./resolver.ts";

/** The part of the Fetch API that client libraries for identity providers use. */
export interface ProviderFetch {
  /** Never follows a redirect. @throws TypeError when there is no complete response */
  fetch(url: string, options: ProviderRequest): Promise<Response>;
  close(): void;
}

interface ProviderRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 10_000;
/** Decompressed. Key sets of large providers have 20 KiB. */
const MAX_BYTES = 128 * 1_024;
const CONNECTIONS = 8;

/**
 * Requests to an identity provider that the operator configured. Its own origin may be on this machine or in a private
 * network; the further addresses that it names must be public, or in `net.allow_cidrs`, and use HTTPS.
 */
export function openProviderFetch(
  origin: string,
  settings: Pick<NetworkSettings, "allowCidrs" | "extraPorts" | "userAgent" | "proxy" | "extraCa">,
): ProviderFetch {
  const limits = {
    ...NETWORK_DEFAULTS,
    firstByteMs: TIMEOUT_MS,
    exchangeMs: TIMEOUT_MS,
    pageBytes: MAX_BYTES,
    rawBytes: MAX_BYTES,
    connections: CONNECTIONS,
    connectionsPerHost: CONNECTIONS,
    userAgent: settings.userAgent,
  };
  const resolver = createSystemResolver(TIMEOUT_MS);
  const trust = createTrust(settings.extraCa);
  const proxy = isNearby(new URL(origin).hostname) ? null : settings.proxy;
  const own = createHttp({ ...limits, proxy }, onlyOrigin(origin), resolver, trust);
  const others = createHttp({ ...limits, proxy: settings.proxy }, createPolicy(settings), resolver, trust);
  return {
    async fetch(address, { method, headers, body, signal }) {
      const url = new URL(address);
      const isOwn = url.origin === origin;
      if (!isOwn && url.protocol !== "https:")
        throw new TypeError("The identity provider names an address without TLS.");
      const { authorization, accept, "content-type": type } = Object.fromEntries(new Headers(headers));
      const { final } = await (isOwn ? own : others).request(
        url.href,
        {
          method: method === "POST" ? "POST" : "GET",
          body: body === undefined || body === null ? undefined : String(body),
          type,
          accept,
          authorization,
          follow: false,
        },
        signal ?? AbortSignal.timeout(TIMEOUT_MS),
      );
      if (final.status !== "ok" || final.truncated === true)
        throw new TypeError(`The identity provider did not answer: ${final.detail ?? "its response is too large"}.`);
      // A Response with one of these statuses may not have a body.
      const hasBody = ![101, 204, 205, 304].includes(final.code);
      return new Response(hasBody ? final.body : null, {
        status: final.code,
        headers: final.headers.map(([name, value]): [string, string] => [name, value]),
      });
    },
    close() {
      own.close();
      others.close();
    },
  };
}
