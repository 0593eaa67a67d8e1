import { bearerToken } from "../accounts/http-auth.ts";
import type { Operator } from "../accounts/service.ts";
import { Failure } from "../core/errors.ts";

/** Length of a session: a working day. */
export const SESSION_SECONDS = 12 * 3_600;
/** The oldest session ends when there are more. */
const MAX_SESSIONS = 100;

const COOKIE = "casefile_operator";
/** Forms and links of other sites cannot send a custom header, and CORS keeps their scripts from it. */
const CONSOLE_HEADER = "x-casefile-console";

/** Sessions in memory: after a restart the operator signs in again. */
export function createSessionStore(now: () => number) {
  const sessions = new Map<string, { readonly token: string; readonly until: number }>();
  return {
    /** @returns the id of the new session */
    open(token: string): string {
      const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
      sessions.set(id, { token, until: now() + SESSION_SECONDS * 1_000 });
      for (const oldest of sessions.keys()) {
        if (sessions.size <= MAX_SESSIONS) break;
        sessions.delete(oldest);
      }
      return id;
    },
    /** The operator token that the session was opened with. */
    find(id: string): string | undefined {
      const session = sessions.get(id);
      if (!session || session.until > now()) return session?.token;
      sessions.delete(id);
      return undefined;
    },
    close: (id: string) => void sessions.delete(id),
  };
}

/**
 * Sessions of the operator in a browser. The operator token is exchanged for a cookie that scripts cannot read and that
 * only works for the console's own pages.
 */
export interface ConsoleSessions {
  /** @returns the `set-cookie` header. @throws Failure `operator.invalid` */
  open(request: Request): Promise<string>;
  /** @returns the `set-cookie` header. @throws Failure `operator.invalid` for another site's request */
  close(request: Request): string;
  /** The operator token of the request's session. @throws Failure `operator.invalid` */
  token(request: Request): Promise<string>;
}

export function createConsoleSessions(operator: Operator): ConsoleSessions {
  const sessions = createSessionStore(Date.now);
  return {
    async open(request) {
      refuseForeign(request);
      const token = bearerToken(request);
      if (!token || !(await operator.verifyOperatorToken(token))) {
        throw new Failure(
          "operator.invalid",
          "Invalid operator token. The token was shown at the first start of the service; create a new one with casefile operator reset-token.",
        );
      }
      sessions.close(sessionId(request));
      return cookie(request, sessions.open(token), SESSION_SECONDS);
    },
    close(request) {
      refuseForeign(request);
      sessions.close(sessionId(request));
      return cookie(request, "", 0);
    },
    async token(request) {
      refuseForeign(request);
      const token = sessions.find(sessionId(request));
      // Verified each time: replacing the token ends the sessions that it opened.
      if (token === undefined || !(await operator.verifyOperatorToken(token))) {
        throw new Failure("operator.invalid", "Sign in with the operator token.");
      }
      return token;
    },
  };
}

/**
 * The Origin header was checked before: it is the console's own or one that may call the service.
 *
 * @throws Failure `operator.invalid` unless a page of the console sent the request
 */
function refuseForeign({ headers }: Request): void {
  const site = headers.get("sec-fetch-site");
  const isFromConsole = headers.get(CONSOLE_HEADER) === "1" && (site === null || site === "same-origin");
  if (!isFromConsole) throw new Failure("operator.invalid", "Only pages of the console can send this request.");
}

const sessionId = ({ headers }: Request): string =>
  new RegExp(`(?:^|;\\s{0,3})${COOKIE}=([\\w-]{43})(?:;|$)`).exec(headers.get("cookie")?.slice(0, 4_000) ?? "")?.[1] ??
  "";

/** Behind a proxy only the browser knows whether the connection is encrypted. */
function cookie(request: Request, id: string, seconds: number): string {
  const secure = request.headers.get("origin")?.startsWith("https://") ? "; Secure" : "";
  return `${COOKIE}=${id}; Path=/console/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
