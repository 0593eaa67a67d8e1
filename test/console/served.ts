import { Elysia } from "elysia";
import { createConsole } from "../../src/console/routes.ts";
import { createContext, remember } from "../../src/http/requests.ts";
import { type FakeAppOptions, openFakeApp } from "../services/fake-app.ts";
import { fill } from "../services/study-records.ts";

/** The console over fake services, and a browser's requests to it. */
export async function served(options: FakeAppOptions = {}, settings: { isIndexHidden?: boolean } = {}) {
  const app = await openFakeApp(options);
  const { token } = await app.operator.ensureOperatorToken();
  const pages = createConsole(app, settings);
  const thrown = new WeakMap<Request, unknown>();
  const routes = new Elysia()
    .onError(({ request, error, code }) => {
      thrown.set(request, code === "NOT_FOUND" ? undefined : error);
      return new Response(null, { status: 404 });
    })
    .use(pages.routes);

  /** The response, or the request that the console leaves to the API. */
  async function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") {
    const sent = new Request(`http://casefile.test${path}`, { method, headers: { host: "casefile.test", ...headers } });
    const page = await pages.page(sent);
    if (page) return { response: page };
    remember(sent, createContext(sent, "127.0.0.1", 0));
    const { request, session } = await pages.forward(sent);
    if (request !== sent) return { request, session };
    const response = await routes.handle(sent);
    if (thrown.get(sent) !== undefined) throw thrown.get(sent);
    return thrown.has(sent) ? { request } : { response };
  }

  return {
    app,
    ask,
    token: token ?? "",
    fill: () => fill(app),
    /** The response; throws when the console leaves the request to the API. */
    async answered(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Response> {
      const { response } = await ask(path, headers, method);
      if (!response) throw new Error(`${path} was left to the API`);
      return response;
    },
  };
}

/** Headers that a page of the console sends with every operator request. */
export const FROM_CONSOLE = { "x-casefile-console": "1", origin: "http://casefile.test" };
