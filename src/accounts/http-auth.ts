import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Services } from "../compose.ts";
import { Failure } from "../core/errors.ts";
import { openApiDetail } from "../http/openapi.ts";
import { contextOf } from "../http/requests.ts";

/** A module whose every route needs a key, judged before the input: who has no key learns nothing but that. */
export const withKeyAuth = (app: Services, name: string, prefix: string) =>
  new Elysia({ name, prefix }).derive(async ({ request }) => {
    contextOf(request).account = await app.accounts.authenticate(request.headers.get("x-api-key") ?? undefined);
    return {};
  });

/** A module of the operator: judged by the token before the input, so that who has none learns nothing but that. */
export const withOperatorAuth = (app: Services, name: string) =>
  new Elysia({ name: `admin ${name}`, prefix: `/admin/${name}` }).derive(async ({ request }) => {
    const token = /^Bearer (\S{1,200})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (!(await app.operator.verifyOperatorToken(token))) {
      throw new Failure("operator.invalid", "Send the operator token as `Authorization: Bearer`.");
    }
    return {};
  });

/** What a route that takes a JSON body may refuse beside the rest. */
export const BODY_PROBLEMS = [400, 413, 415];

/** The OpenAPI detail of a route of the operator. No schema: it answers 204. */
export const forOperator = (
  operationId: string,
  summary: string,
  schema: TSchema | undefined,
  problems: readonly number[],
) =>
  openApiDetail(
    operationId,
    summary,
    "Operator",
    schema ? { status: 200, text: "Done.", schema } : { status: 204, text: "Done." },
    [401, 422, 503, ...problems],
    { scheme: "operator" },
  );
