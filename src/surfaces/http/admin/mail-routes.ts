import type { App } from "../../../app/app.ts";
import { mailsView } from "../../intake-view.ts";
import { jsonAnswer } from "../answers.ts";
import { forOperator, operated } from "./operated.ts";
import { mailListSchema, mailsQuery } from "./schemas.ts";

/** What contacts were told, or wait to be told. */
export const mailRoutes = (app: App) =>
  operated(app, "mails").get(
    "",
    async ({ request, query }) => jsonAnswer(request, mailsView(await app.listMails(query))),
    {
      query: mailsQuery,
      detail: forOperator("listMails", "List mails to contacts, newest first, a thousand at most", mailListSchema, []),
    },
  );
