import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { actorOf, BODY_PROBLEMS, forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Operator } from "../accounts/service.ts";
import { ROLES } from "../core/roles.ts";
import { openApiDetail } from "../http/openapi.ts";
import { contextOf, jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { closed, instant, maybeInstant, noQuery, oneOf, pageOf, pageQuery, text, total } from "../http/schemas.ts";
import { TABLE_TYPES } from "../tabular/table.ts";
import { tableResponse } from "../tabular/write-table.ts";
import { AUDIT_COLUMNS, allAudit, parseFilter } from "./audit-table.ts";
import type { OperatorService } from "./service.ts";

interface OperatorServices {
  readonly operator: Operator;
  readonly operators: OperatorService;
}

const role = oneOf(ROLES);
const operatorSchema = t.Object(
  {
    id: t.String(),
    name: t.String(),
    email: text,
    role,
    provisioned: t.Boolean({ description: "The identity provider decides about the role." }),
    sessions: Type.Integer({ description: "Open sessions." }),
    created_at: instant,
    last_sign_in_at: maybeInstant,
  },
  { title: "Operator" },
);
const operatorListSchema = t.Object(
  { operators: t.Array(operatorSchema), total, next_cursor: t.Null() },
  { title: "OperatorList" },
);
const invitationSchema = t.Object(
  {
    operator: operatorSchema,
    link: t.Union([t.String(), t.Null()], {
      description: "Signs the operator in once. Null when it was sent by email.",
    }),
    link_ends_at: instant,
    sent_to: text,
    mail_error: t.Union([t.String(), t.Null()], { description: "Why it was not sent by email." }),
  },
  { title: "OperatorInvitation" },
);
const operatorParam = t.Object({
  operator: t.String({ minLength: 1, maxLength: 100, description: "Id or name of the operator." }),
});
const inviteBody = t.Object(
  {
    name: t.String({ minLength: 1, maxLength: 100, examples: ["Ana Bright"] }),
    role,
    email: t.Optional(t.String({ maxLength: 320, examples: ["ana@brightpine.example"] })),
  },
  { ...closed, title: "NewOperator" },
);

const sessionSchema = t.Object(
  {
    id: t.String(),
    operator: t.String({ description: "Name of the operator, or `operator token`." }),
    role,
    way: oneOf(["token", "link", "identity_provider"]),
    client: t.String({ description: "Address." }),
    agent: t.Union([t.String(), t.Null()], { description: "The `User-Agent` header." }),
    created_at: instant,
    last_seen_at: instant,
    ends_at: instant,
  },
  { title: "OperatorSession" },
);
const sessionListSchema = t.Object(
  { sessions: t.Array(sessionSchema), total, next_cursor: t.Null() },
  { title: "OperatorSessionList" },
);

const auditSchema = t.Object(
  {
    number: Type.Integer(),
    at: instant,
    by: oneOf(["session", "token", "command"]),
    operator: t.String({ description: "The name at that time, `operator token` or `command line`." }),
    role: t.String(),
    session: t.Union([t.String(), t.Null()], { description: "Id of the session." }),
    client: t.Union([t.String(), t.Null()], { description: "Address." }),
    action: t.String({ examples: ["DELETE /admin/keys/:key"] }),
    target: text,
    status: t.Union([t.Number(), t.Null()], {
      description: "Status of the response. Null when the action was interrupted.",
    }),
  },
  { title: "AuditEntry" },
);
const auditListSchema = t.Object({ entries: t.Array(auditSchema), total, next_cursor: text }, { title: "AuditTrail" });
const FORMATS = ["csv", "ndjson"] as const;
const auditQuery = t.Object(
  {
    ...pageQuery,
    operator: t.Optional(t.String({ minLength: 1, maxLength: 100, description: "Name of the operator." })),
    since: t.Optional(
      t.String({ minLength: 1, maxLength: 40, description: "Date or timestamp, ISO 8601, inclusive." }),
    ),
    until: t.Optional(
      t.String({ minLength: 1, maxLength: 40, description: "Date or timestamp, ISO 8601, exclusive." }),
    ),
    format: t.Optional(oneOf(FORMATS)),
  },
  closed,
);

/** Operators with names and roles. */
export const operatorRoutes = ({ operator, operators }: OperatorServices) =>
  withOperatorAuth({ operator }, "operators")
    .get("", async ({ request }) => jsonAnswer(request, { ...(await operators.list()), next_cursor: null }), {
      query: noQuery,
      detail: forOperator("listOperators", "List the operators", operatorListSchema, []),
    })
    .post("", async ({ request, body }) => jsonAnswer(request, await operators.invite(body, actorOf(request)), 201), {
      parse: jsonBody,
      body: inviteBody,
      query: noQuery,
      detail: openApiDetail(
        "inviteOperator",
        "Add an operator with a link to sign in, which is sent by email where one is given",
        "Operator",
        { status: 201, text: "Added.", schema: invitationSchema },
        [401, 403, 409, 422, 503, ...BODY_PROBLEMS],
        { scheme: "operator" },
      ),
    })
    .patch(
      "/:operator",
      async ({ request, params, body }) =>
        jsonAnswer(request, await operators.setRole(params.operator, body.role, actorOf(request))),
      {
        params: operatorParam,
        query: noQuery,
        parse: jsonBody,
        body: t.Object({ role }, { ...closed, title: "OperatorRole" }),
        detail: forOperator("setOperatorRole", "Change the role of an operator", operatorSchema, [
          404,
          409,
          ...BODY_PROBLEMS,
        ]),
      },
    )
    .delete(
      "/:operator",
      async ({ request, params }) => jsonAnswer(request, await operators.remove(params.operator, actorOf(request))),
      {
        params: operatorParam,
        query: noQuery,
        detail: forOperator("removeOperator", "Remove an operator; the sessions end", operatorSchema, [404, 409]),
      },
    )
    .post(
      "/:operator/link",
      async ({ request, params }) => jsonAnswer(request, await operators.createLink(params.operator, actorOf(request))),
      {
        params: operatorParam,
        query: noQuery,
        parse: "none",
        detail: forOperator(
          "createSignInLink",
          "Make a new link to sign in; the one before no longer works",
          invitationSchema,
          [404, 409],
        ),
      },
    );

/** Open sessions of the console. */
export const sessionRoutes = ({ operator, operators }: OperatorServices) =>
  withOperatorAuth({ operator }, "sessions")
    .get("", async ({ request }) => jsonAnswer(request, { ...(await operators.listSessions()), next_cursor: null }), {
      query: noQuery,
      detail: forOperator("listSessions", "List the open sessions of the console, newest first", sessionListSchema, []),
    })
    .delete(
      "/:session",
      async ({ request, params }) => jsonAnswer(request, await operators.revokeSession(params.session)),
      {
        params: t.Object({ session: t.String({ minLength: 1, maxLength: 100 }) }),
        query: noQuery,
        detail: forOperator("revokeSession", "End a session of the console", sessionSchema, [404]),
      },
    );

/** Who did what. */
export const auditRoutes = (
  { operator, operators }: OperatorServices,
  onStreamError: (requestId: string, error: unknown) => void,
) =>
  withOperatorAuth({ operator }, "audit").get(
    "",
    async ({ request, query: { format, operator: name, since, until, ...page } }) => {
      const filter = parseFilter({ operator: name, since, until });
      if (format === undefined) return jsonAnswer(request, await operators.listAudit(filter, pageOf(page)));
      return tableResponse(
        { format, filename: "casefile-audit", columns: AUDIT_COLUMNS, rows: allAudit(operators, filter) },
        (error) => onStreamError(contextOf(request).id, error),
      );
    },
    {
      query: auditQuery,
      detail: openApiDetail(
        "listAudit",
        "Who did what, newest first: a page of JSON, or with `format` all as CSV or NDJSON",
        "Operator",
        {
          status: 200,
          text: "A page of entries, or a file.",
          files: FORMATS.map((format) => TABLE_TYPES[format].replace(/;.*/, "")),
          schema: auditListSchema,
        },
        [401, 403, 422, 503],
        { scheme: "operator" },
      ),
    },
  );
