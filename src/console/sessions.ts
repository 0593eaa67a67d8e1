import { bearerToken } from "../accounts/http-auth.ts";
import { Failure } from "../core/errors.ts";
import { contextOf, type SessionCaller } from "../http/requests.ts";
import { CALLBACK_PATH, FLOW_SECONDS, type OidcSignIn } from "../operators/oidc.ts";
import { type OperatorService, SESSION_SECONDS, type SignInClient } from "../operators/service.ts";

const COOKIE = "casefile_operator";
/** What the browser remembers while it is at the identity provider. */
const FLOW_COOKIE = "casefile_sign_in";
/** Forms and links of other sites cannot send a custom header, and CORS keeps their scripts from it. */
const CONSOLE_HEADER = "x-casefile-console";
/**
 * Sessions of operators in a browser: a cookie that scripts cannot read and that only works for the console's own pages.
 * Its secret is made when the operator signs in, so that nobody can prepare one for another.
 */
export interface ConsoleSessions {
  /** Each returns the `set-cookie` header of a new session. @throws Failure `operator.invalid` */
  openByToken(request: Request): Promise<string>;
  /** @throws Failure `sign_in.invalid_link` */
  openByLink(request: Request, link: string): Promise<string>;
  /** Where the browser goes to sign in, and the `set-cookie` header for the way back. @throws Failure `sign_in.unavailable` */
  startFlow(request: Request): Promise<{ readonly url: string; readonly setCookie: string }>;
  /** The `set-cookie` headers of a new session. @throws Failure `sign_in.failed`, `operator.forbidden` */
  finishFlow(request: Request): Promise<readonly string[]>;
  /** @returns the `set-cookie` header. @throws Failure `operator.invalid` for another site's request */
  close(request: Request): Promise<string>;
  /** Whose session a request has. @throws Failure `operator.invalid` */
  caller(request: Request): Promise<SessionCaller>;
  /** @throws Failure `operator.invalid` unless a page of the console sent the request */
  refuseForeign(request: Request): void;
}

/** @param consoleUrl decides whether the cookies of the way back are for HTTPS only */
export function createConsoleSessions(
  operators: OperatorService,
  oidc: OidcSignIn | undefined,
  consoleUrl: string,
): ConsoleSessions {
  const isSecure = consoleUrl.startsWith("https://");
  const flowCookie = (value: string, seconds: number) =>
    `${FLOW_COOKIE}=${value}; Path=${CALLBACK_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    refuseForeign,
    async openByToken(request) {
      refuseForeign(request);
      return sessionCookie(request, await operators.signInByToken(bearerToken(request), clientOf(request)));
    },
    async openByLink(request, link) {
      refuseForeign(request);
      return sessionCookie(request, await operators.signInByLink(link, clientOf(request)));
    },
    async startFlow(request) {
      refuseForeign(request);
      if (!oidc)
        throw new Failure("sign_in.unavailable", "No identity provider is configured (operators.oidc.issuer).");
      const { url, cookie } = await oidc.start();
      return { url, setCookie: flowCookie(cookie, FLOW_SECONDS) };
    },
    // The browser comes from the provider, so the state and the cookie of the flow prove that it was begun here.
    async finishFlow(request) {
      if (!oidc)
        throw new Failure("sign_in.unavailable", "No identity provider is configured (operators.oidc.issuer).");
      const flow = cookieOf(request, FLOW_COOKIE, /^\d{1,12}\.[\w-]{43}$/);
      const identity = await oidc.finish(new URL(request.url).searchParams, flow);
      const secret = await operators.signInByIdentity(identity, clientOf(request));
      return [cookie(secret, SESSION_SECONDS, isSecure), flowCookie("", 0)];
    },
    async close(request) {
      refuseForeign(request);
      await operators.signOut(sessionOf(request));
      return sessionCookie(request, "", 0);
    },
    async caller(request) {
      refuseForeign(request);
      const found = await operators.findSession(sessionOf(request));
      if (!found) throw new Failure("operator.invalid", "Sign in first.");
      return { session: found.id, operatorId: found.operatorId, name: found.operator, role: found.role };
    },
  };
}

/** The Origin header was checked before: it is the console's own or one that may call the service. */
function refuseForeign({ headers }: Request): void {
  const site = headers.get("sec-fetch-site");
  const isFromConsole = headers.get(CONSOLE_HEADER) === "1" && (site === null || site === "same-origin");
  if (!isFromConsole) throw new Failure("operator.invalid", "Only pages of the console can send this request.");
}

const clientOf = (request: Request): SignInClient => ({
  address: contextOf(request).client,
  agent: request.headers.get("user-agent"),
  session: sessionOf(request),
});

/** A value of this shape; an empty text without one. */
function cookieOf({ headers }: Request, name: string, shape: RegExp): string {
  const pairs = headers.get("cookie")?.slice(0, 4_000).split(";") ?? [];
  const values = pairs.flatMap((pair) =>
    pair.trim().startsWith(`${name}=`) ? pair.trim().slice(name.length + 1) : [],
  );
  return values.find((value) => shape.test(value)) ?? "";
}

const sessionOf = (request: Request): string => cookieOf(request, COOKIE, /^[\w-]{43}$/);

const cookie = (secret: string, seconds: number, isSecure: boolean): string =>
  `${COOKIE}=${secret}; Path=/console/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;

/** Behind a proxy only the browser knows whether the connection is encrypted. */
const sessionCookie = (request: Request, secret: string, seconds = SESSION_SECONDS): string =>
  cookie(secret, seconds, request.headers.get("origin")?.startsWith("https://") ?? false);
