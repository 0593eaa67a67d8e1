import { Elysia } from "elysia";
import type { App } from "../../app/app.ts";
import { contextOf } from "./request-context.ts";

/** A module whose every route needs a key, judged before the input: who has no key learns nothing but that. */
export const keyed = (app: App, name: string, prefix: string) =>
  new Elysia({ name, prefix }).derive(async ({ request }) => {
    contextOf(request).account = await app.accounts.authenticate(request.headers.get("x-api-key") ?? undefined);
    return {};
  });
