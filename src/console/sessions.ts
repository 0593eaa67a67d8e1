import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
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

/** Which operator token a session was opened with. */
interface SessionStore {
  /** @returns the id of the new session */
  open(token: string): string | Promise<string>;
  find(id: string): string | undefined | Promise<string | undefined>;
  close(id: string): void | Promise<void>;
}

/** Where sessions of several nodes are stored: encrypted tokens by the hash of the session's id. */
export interface SharedSessions {
  add(id: string, token: Uint8Array, seconds: number, max: number): Promise<void>;
  find(id: string): Promise<Uint8Array | undefined>;
  remove(id: string): Promise<void>;
}

const createSessionId = (): string => randomBytes(32).toString("base64url");

/** Sessions in memory: after a restart the operator signs in again. */
export function createSessionStore(now: () => number) {
  const sessions = new Map<string, { readonly token: string; readonly until: number }>();
  return {
    open(token: string): string {
      const id = createSessionId();
      sessions.set(id, { token, until: now() + SESSION_SECONDS * 1_000 });
      for (const oldest of sessions.keys()) {
        if (sessions.size <= MAX_SESSIONS) break;
        sessions.delete(oldest);
      }
      return id;
    },
    find(id: string): string | undefined {
      const session = sessions.get(id);
      if (!session || session.until > now()) return session?.token;
      sessions.delete(id);
      return undefined;
    },
    close: (id: string) => void sessions.delete(id),
  } satisfies SessionStore;
}

/**
 * Sessions that every node knows. Only the browser has a session's id: the database has its hash, and the operator token
 * encrypted with a key that is derived from it.
 */
export const createSharedSessionStore = (stored: SharedSessions): SessionStore => ({
  async open(token) {
    const id = createSessionId();
    await stored.add(hashOf(id), seal(id, token), SESSION_SECONDS, MAX_SESSIONS);
    return id;
  },
  async find(id) {
    const sealed = await stored.find(hashOf(id));
    return sealed && unseal(id, sealed);
  },
  close: (id) => stored.remove(hashOf(id)),
});

const hashOf = (id: string): string => createHash("sha256").update(id).digest("hex");
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const keyOf = (id: string) => new Uint8Array(hkdfSync("sha256", id, "", "casefile console session", 32));

function seal(id: string, token: string): Uint8Array {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(id), iv);
  const text = Buffer.concat([cipher.update(token, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([iv, cipher.getAuthTag(), text]));
}

/** Undefined for what this session did not seal. */
function unseal(id: string, sealed: Uint8Array): string | undefined {
  const decipher = createDecipheriv(CIPHER, keyOf(id), sealed.subarray(0, IV_BYTES));
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}

/**
 * Sessions of the operator in a browser. The operator token is exchanged for a cookie that scripts cannot read and that
 * only works for the console's own pages.
 */
export interface ConsoleSessions {
  /** @returns the `set-cookie` header. @throws Failure `operator.invalid` */
  open(request: Request): Promise<string>;
  /** @returns the `set-cookie` header. @throws Failure `operator.invalid` for another site's request */
  close(request: Request): Promise<string>;
  /** The operator token of the request's session. @throws Failure `operator.invalid` */
  token(request: Request): Promise<string>;
}

/** @param shared undefined where one process has all sessions */
export function createConsoleSessions(operator: Operator, shared: SharedSessions | undefined): ConsoleSessions {
  const sessions: SessionStore = shared ? createSharedSessionStore(shared) : createSessionStore(Date.now);
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
      await sessions.close(sessionId(request));
      return cookie(request, await sessions.open(token), SESSION_SECONDS);
    },
    async close(request) {
      refuseForeign(request);
      await sessions.close(sessionId(request));
      return cookie(request, "", 0);
    },
    async token(request) {
      refuseForeign(request);
      const token = await sessions.find(sessionId(request));
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
