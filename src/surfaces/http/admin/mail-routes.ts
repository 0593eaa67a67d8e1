import type { App } from "../../../app/app.ts";
import { mailsView } from "../../intake-view.ts";
import { jsonAnswer } from "../answers.ts";
import { forOperator, operated } from "./operated.ts";
import { mailListSchema, mailsQuery, pageOf } from "./schemas.ts";

/** What contacts were told, or wait to be told. */
export const mailRoutes = (app: App) =>
  operated(app, "mails").get(
    "",
    async ({ request, query: { limit, cursor, ...filter } }) =>
      jsonAnswer(request, mailsView(await app.listMails(filter, pageOf({ limit, cursor })))),
    {
      query: mailsQuery,
      detail: forOperator("listMails", "List mails to contacts, newest first", mailListSchema, []),
    },
  );
