import type { Services } from "../compose.ts";
import { Failure } from "../core/errors.ts";
import { json, type Route } from "./route.ts";

/** Sessions of the operator. They live as long as the process: after a restart the operator signs in again. */
interface Sessions {
  /** Answers the new session's id. */
  open(token: string): string;
  /** The operator token that the session was opened with. */
  find(id: string | undefined): string | undefined;
  close(id: string | undefined): void;
}

/** A working day. */
export const SESSION_SECONDS = 12 * 3_600;
/** The oldest goes when there are more: nobody has as many browsers. */
const MOST = 100;

export function createSessions(now: () => number): Sessions {
  const open = new Map<string, { readonly token: string; readonly until: number }>();
  return {
    open(token) {
      const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
      open.set(id, { token, until: now() + SESSION_SECONDS * 1_000 });
      for (const oldest of open.keys()) {
        if (open.size <= MOST) break;
        open.delete(oldest);
      }
      return id;
    },
    find(id) {
      const session = id === undefined ? undefined : open.get(id);
      if (!session || session.until > now()) return session?.token;
      open.delete(id ?? "");
      return undefined;
    },
    close(id) {
      if (id !== undefined) open.delete(id);
    },
  };
}

const COOKIE = "casefile_operator";
/** A form or a link of another site cannot send it, and a script of another site may not. */
const MARK = "x-casefile-console";
const RECENT = 30;

/**
 * The operator's part: the token is exchanged for a cookie that no script can read, and requests under
 * `/console/admin/` are handed to `/admin/` with the token that the cookie stands for. The cookie opens nothing else.
 */
export function operatorRoutes(app: Services, origins: readonly string[]) {
  const sessions = createSessions(Date.now);
  const known = new Set(origins.map((address) => URL.parse(address)?.origin ?? address));

  /** @throws Failure `operator.invalid` */
  const tokenOf = async (request: Request): Promise<string> => {
    refuseForeign(request, known);
    const token = sessions.find(cookieOf(request));
    // Asked each time: a token that was replaced ends the sessions that it opened.
    if (!(await app.operator.verifyOperatorToken(token)) || token === undefined) {
      throw new Failure("operator.invalid", "Sign in with the operator token.");
    }
    return token;
  };

  const routes: readonly Route[] = [
    {
      method: "POST",
      path: /^\/console\/session$/,
      async answer(request) {
        refuseForeign(request, known);
        const token = /^Bearer (\S{1,200})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
        if (!token || !(await app.operator.verifyOperatorToken(token))) {
          throw new Failure(
            "operator.invalid",
            "This is not the operator token; the first start of the service showed it.",
          );
        }
        sessions.close(cookieOf(request));
        return json({ signed_in: true }, { "set-cookie": cookie(request, sessions.open(token), SESSION_SECONDS) });
      },
    },
    {
      method: "GET",
      path: /^\/console\/session$/,
      async answer(request) {
        const signedIn = await tokenOf(request).then(
          () => true,
          () => false,
        );
        return json({ signed_in: signedIn });
      },
    },
    {
      method: "DELETE",
      path: /^\/console\/session$/,
      async answer(request) {
        refuseForeign(request, known);
        sessions.close(cookieOf(request));
        return json({ signed_in: false }, { "set-cookie": cookie(request, "", 0) });
      },
    },
    {
      method: "GET",
      path: /^\/console\/operator\/overview$/,
      async answer(request) {
        await tokenOf(request);
        const [stats, ready, intake, index] = await Promise.all([
          app.health.stats(),
          app.health.ready(),
          app.intake.intakeState(),
          app.caseStudies.indexState(),
        ]);
        return json({
          stats,
          alarms: ready.ready ? ready.alarms : [ready.reason],
          jobs: intake.jobs,
          mails: intake.mails,
          mail_configured: intake.mailConfigured,
          submissions: intake.submissions,
          waiting_for_index: index.waiting,
          scans_running: app.detection.scansRunning(),
        });
      },
    },
    {
      method: "GET",
      path: /^\/console\/operator\/industries$/,
      async answer(request) {
        await tokenOf(request);
        return json({ industries: await app.caseStudies.listIndustries() });
      },
    },
    {
      method: "GET",
      path: /^\/console\/operator\/scans$/,
      async answer(request) {
        await tokenOf(request);
        return json({ scans: await app.detection.recentScans(RECENT) });
      },
    },
  ];

  return {
    routes,
    /** The same request under `/admin/`, opened by the session's token. @throws Failure `operator.invalid` */
    async inTheirName(request: Request): Promise<Request> {
      const token = await tokenOf(request);
      const url = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.delete("cookie");
      headers.set("authorization", `Bearer ${token}`);
      return new Request(`${url.origin}${url.pathname.replace(/^\/console/, "")}${url.search}`, {
        method: request.method,
        headers,
        signal: request.signal,
        ...(request.body ? { body: request.body } : {}),
      });
    },
  };
}

/** @throws Failure `operator.invalid` when a page of somebody else may have asked */
function refuseForeign(request: Request, known: ReadonlySet<string>): void {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const own =
    headers.get(MARK) === "1" &&
    (site === null || site === "same-origin") &&
    (origin === null || known.has(origin) || site === "same-origin" || URL.parse(origin)?.host === headers.get("host"));
  if (!own) throw new Failure("operator.invalid", "Only the console's own pages may ask this.");
}

const cookieOf = (request: Request) =>
  new RegExp(`(?:^|;\\s{0,3})${COOKIE}=([\\w-]{43})(?:;|$)`).exec(
    request.headers.get("cookie")?.slice(0, 4_000) ?? "",
  )?.[1];

/** Behind a proxy only the browser knows whether the way is encrypted. */
function cookie(request: Request, id: string, seconds: number): string {
  const secure = request.headers.get("origin")?.startsWith("https://") ? "; Secure" : "";
  return `${COOKIE}=${id}; Path=/console/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
