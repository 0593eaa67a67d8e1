import { COMMAND } from "../../src/accounts/roles.ts";
import type { Role } from "../../src/core/roles.ts";
import { type Asked, jsonOf, open } from "../http/opened.ts";

export const FROM_CONSOLE = { "x-casefile-console": "1", origin: "http://casefile.test" };

/** The whole HTTP surface, and browsers of operators. */
export async function opened(options: Parameters<typeof open>[0] = {}) {
  const service = await open({ ...options, withConsole: true });
  const token = (await service.app.operator.ensureOperatorToken()).token ?? "";
  const { operators } = service.app;

  const browserOf = (cookie: string) => ({
    cookie,
    ask: (path: string, asked: Asked = {}) =>
      service.ask(path, { ...asked, headers: { ...FROM_CONSOLE, cookie, ...asked.headers } }),
  });
  const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const sendLink = (link: string, headers: Readonly<Record<string, string>> = {}) =>
    service.ask("/console/session/link", {
      json: { link: secretOf(link) },
      headers: { ...FROM_CONSOLE, ...headers },
    });

  return {
    ...service,
    operators,
    token,
    browserOf,
    cookieOf,
    sendLink,
    /** A browser with the session of a new operator. */
    async signedIn(name: string, role: Role) {
      const { link, operator } = await operators.invite({ name, role }, COMMAND);
      return { ...browserOf(cookieOf(await sendLink(link ?? ""))), operator };
    },
    /** A browser with a session of the operator token. */
    async byToken() {
      const headers = { ...FROM_CONSOLE, authorization: `Bearer ${token}` };
      return browserOf(cookieOf(await service.ask("/console/session", { method: "POST", headers })));
    },
    auditOf: async (filter = {}) => (await operators.listAudit(filter)).entries,
    json: jsonOf,
  };
}

export const secretOf = (link: string): string => link.split("#link=")[1] ?? "";
