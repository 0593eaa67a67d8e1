import { createConsole } from "../../src/console/console.ts";
import { type FakeAppOptions, openFakeApp } from "../services/fake-app.ts";
import { fill } from "../services/study-records.ts";

/** The console alone over a fake application, and how a browser asks it. */
export async function served(options: FakeAppOptions & { readonly origins?: readonly string[] } = {}) {
  const app = await openFakeApp(options);
  const { token } = await app.operator.ensureOperatorToken();
  const pages = createConsole(app, { origins: options.origins ?? [] });
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    pages.answer(
      new Request(`http://casefile.test${path}`, { method, headers: { host: "casefile.test", ...headers } }),
    );
  return {
    app,
    ask,
    token: token ?? "",
    fill: () => fill(app),
    /** The answer; throws when the console leaves the request to the API. */
    async answered(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Response> {
      const { response } = await ask(path, headers, method);
      if (!response) throw new Error(`${path} was left to the API`);
      return response;
    },
  };
}

/** What a page of the console sends with what it asks for the operator. */
export const FROM_CONSOLE = { "x-casefile-console": "1", origin: "http://casefile.test" };
