import { createHmac, timingSafeEqual } from "node:crypto";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from "openid-client";
import { normaliseEmail } from "../accounts/service.ts";
import { Failure } from "../core/errors.ts";
import { ROLES, type Role } from "../core/roles.ts";
import type { ProviderFetch } from "../net/provider-fetch.ts";
import type { Identity } from "./service.ts";

/** To which the provider sends the browser back. */
export const CALLBACK_PATH = "/console/sign-in/callback";
/** Time to sign in at the provider. */
export const FLOW_SECONDS = 600;
/** Clocks of the provider and of this machine may differ by this much. */
const SKEW_SECONDS = 60;
const CONFIGURATION_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;
const MAX_ID_TOKEN = 32 * 1_024;
const MAX_ROLE_VALUES = 1_000;
const MAX_CLAIM_DEPTH = 5;

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
  /** Path of the claim, with dots. */
  readonly roleClaim: string | null;
  readonly roles: readonly { readonly value: string; readonly role: Role }[];
  readonly emails: readonly { readonly value: string; readonly role: Role }[];
  /** The exact address that is registered at the provider. */
  readonly redirectUrl: string;
}

/** Sign-in at an OpenID Connect provider: the authorization code flow with PKCE, state and nonce. */
export interface OidcSignIn {
  /** `cookie` is what the browser keeps until it comes back, and `url` where it goes. @throws Failure `sign_in.failed` */
  start(): Promise<{ readonly url: string; readonly cookie: string }>;
  /**
   * @param query of the address with which the provider sent the browser back
   * @throws Failure `sign_in.failed`
   */
  finish(query: URLSearchParams, cookie: string): Promise<Identity>;
}

export function createOidcSignIn(
  settings: OidcSettings,
  { fetch }: Pick<ProviderFetch, "fetch">,
  now: () => number,
): OidcSignIn {
  let loaded: { readonly until: number; readonly configuration: Promise<Configuration> } | undefined;

  const configuration = async (): Promise<Configuration> => {
    if (loaded && loaded.until > now()) return await loaded.configuration;
    const loading = load(settings, fetch);
    loaded = { until: now() + CONFIGURATION_MS, configuration: loading };
    return await loading.catch((error) => {
      loaded = undefined;
      throw error;
    });
  };

  return {
    async start() {
      const flow = createFlow(now());
      const config = await configuration().catch(failed);
      const url = buildAuthorizationUrl(config, {
        redirect_uri: settings.redirectUrl,
        scope: [...new Set(["openid", ...settings.scopes])].join(" "),
        response_type: "code",
        code_challenge: await calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: "S256",
        state: flow.state,
        nonce: flow.nonce,
      });
      return { url: url.href, cookie: flow.cookie };
    },

    async finish(query, cookie) {
      const flow = flowOf(cookie, now());
      if (!flow || !isEqual(query.get("state") ?? "", flow.state))
        throw new Failure(
          "sign_in.failed",
          "This sign-in was begun elsewhere, or more than 10 minutes ago. Try again.",
        );
      const config = await configuration().catch(failed);
      const url = new URL(settings.redirectUrl);
      url.search = query.toString();
      const tokens = await authorizationCodeGrant(config, url, {
        pkceCodeVerifier: flow.verifier,
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
      }).catch(failed);
      if ((tokens.id_token?.length ?? 0) > MAX_ID_TOKEN) throw failed(new Error("the ID token is larger than 32 KiB"));
      const claims = tokens.claims();
      if (!claims) throw failed(new Error("there is no ID token"));
      return identityOf(claims, settings);
    },
  };
}

/** The cause is logged; the browser learns only that it failed. */
function failed(cause: unknown): never {
  if (cause instanceof Failure) throw cause;
  throw new Failure(
    "sign_in.failed",
    "The identity provider did not confirm the sign-in; the log of the service has the reason.",
    { cause },
  );
}

async function load(
  { issuer, clientId, clientSecret }: OidcSettings,
  fetch: ProviderFetch["fetch"],
): Promise<Configuration> {
  const server = new URL(issuer);
  const execute = server.protocol === "http:" ? [allowInsecureRequests] : [];
  const found = await discovery(server, clientId, undefined, None(), {
    [customFetch]: fetch,
    execute,
    timeout: TIMEOUT_SECONDS,
  });
  const metadata = found.serverMetadata();
  const config = new Configuration(
    metadata,
    clientId,
    { [clockTolerance]: SKEW_SECONDS },
    clientAuthOf(clientSecret, metadata.token_endpoint_auth_methods_supported),
  );
  config[customFetch] = fetch;
  config.timeout = TIMEOUT_SECONDS;
  for (const apply of execute) apply(config);
  // The signature of the ID token is checked although it came from the provider itself.
  enableNonRepudiationChecks(config);
  return config;
}

function clientAuthOf(secret: string | null, supported: readonly string[] = ["client_secret_basic"]): ClientAuth {
  if (secret === null) return None();
  return supported.includes("client_secret_basic") ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

interface Flow {
  readonly cookie: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * Everything that a sign-in must remember follows from a secret that only this browser has, so that no node stores it and
 * no other browser can finish it.
 */
function derive(secret: string, seconds: number): Flow {
  const part = (name: string) => createHmac("sha256", secret).update(`${name} ${seconds}`).digest("base64url");
  return {
    cookie: `${seconds}.${secret}`,
    state: part("state"),
    nonce: part("nonce"),
    verifier: part("verifier"),
  };
}

const createFlow = (now: number): Flow =>
  derive(crypto.getRandomValues(Buffer.alloc(32)).toString("base64url"), Math.floor(now / 1_000));

function flowOf(cookie: string, now: number): Flow | undefined {
  const [, seconds, secret] = /^(\d{1,12})\.([\w-]{43})$/.exec(cookie) ?? [];
  if (seconds === undefined || secret === undefined) return undefined;
  const age = now / 1_000 - Number(seconds);
  return age >= -1 && age <= FLOW_SECONDS ? derive(secret, Number(seconds)) : undefined;
}

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** @throws Failure `sign_in.failed` for claims that no provider sends */
function identityOf(claims: Readonly<Record<string, unknown>>, settings: OidcSettings): Identity {
  const { iss, sub } = claims;
  if (typeof iss !== "string" || typeof sub !== "string" || sub.length === 0 || sub.length > 255)
    throw failed(new Error("the ID token has no valid subject"));
  const email = claims.email_verified === true ? emailOf(claims.email) : null;
  const granted = [
    ...settings.emails.filter(({ value }) => email !== null && emailOf(value) === email),
    ...rolesOfClaim(claims, settings),
  ].map(({ role }) => role);
  return {
    issuer: iss,
    subject: sub,
    email,
    name: nameOf(claims, email),
    role: ROLES.findLast((role) => granted.includes(role)) ?? null,
  };
}

function rolesOfClaim(claims: Readonly<Record<string, unknown>>, { roleClaim, roles }: OidcSettings) {
  if (roleClaim === null) return [];
  // A claim may have dots in its name, as the addresses that some providers use.
  const path = Object.hasOwn(claims, roleClaim) ? [roleClaim] : roleClaim.split(".").slice(0, MAX_CLAIM_DEPTH);
  const found = path.reduce<unknown>(
    (value, part) => (Object.hasOwn(Object(value), part) ? Reflect.get(Object(value), part) : undefined),
    claims,
  );
  const values: readonly unknown[] = Array.isArray(found) ? found.slice(0, MAX_ROLE_VALUES) : [found];
  return roles.filter(({ value }) => values.includes(value));
}

function emailOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  try {
    return normaliseEmail(value);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

function nameOf(claims: Readonly<Record<string, unknown>>, email: string | null): string {
  const given = [claims.name, claims.preferred_username, email?.split("@")[0]];
  return (
    given.find((name): name is string => typeof name === "string" && name.trim() !== "")?.slice(0, 200) ?? "Operator"
  );
}
