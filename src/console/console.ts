import type { Services } from "../compose.ts";
import { asset } from "./assets.ts";
import { dataRoutes } from "./data.ts";
import { operatorRoutes } from "./operator.ts";
import { pageAt } from "./pages.ts";
import type { Route } from "./route.ts";

/** A request that was the console's own and its answer, or a request that the rest of the service answers. */
export type ConsoleTurn =
  | { readonly route: string; readonly response: Response; readonly request?: never }
  | { readonly request: Request; readonly response?: never };

/** The pages for people, and the few answers that only they need. */
export interface Console {
  /** @throws Failure as the API does */
  answer(request: Request): Promise<ConsoleTurn>;
}

export interface ConsoleSettings {
  /** Web origins beside the service's own name under which it is reached, as a proxy may change the name. */
  readonly origins: readonly string[];
}

/** Everything of the console lies under `/console/`; beside it there are only the addresses of pages. */
export function createConsole(app: Services, { origins }: ConsoleSettings): Console {
  const operator = operatorRoutes(app, origins);
  const routes: readonly Route[] = [...dataRoutes(app), ...operator.routes];

  return {
    async answer(request) {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith("/console/")) {
        const page = await pageAt(request, pathname);
        return page ?? { request };
      }
      if (pathname.startsWith("/console/admin/")) return { request: await operator.inTheirName(request) };
      if (request.method === "GET") {
        const file = await asset(request, pathname);
        if (file) return { route: "/console/files", response: file };
      }
      for (const { method, path, answer } of routes) {
        const found = request.method === method ? path.exec(pathname) : null;
        if (found) return { route: nameOf(path), response: await answer(request, decoded(found[1])) };
      }
      return { request };
    },
  };
}

/** `^\/console\/example\/([^/]+)$` → `/console/example/:id`. */
const nameOf = (path: RegExp) =>
  path.source
    .replace(/\\\//g, "/")
    .replace(/[\^$]/g, "")
    .replace(/\(.*\)/, ":id");

function decoded(text: string | undefined): string {
  try {
    return decodeURIComponent(text ?? "");
  } catch {
    return "";
  }
}
