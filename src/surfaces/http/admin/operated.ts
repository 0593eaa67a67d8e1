import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { App } from "../../../app/app.ts";
import { Failure } from "../../../vocabulary/failure.ts";
import { described } from "../described.ts";

/** A module of the operator: judged by the token before the input, so that who has none learns nothing but that. */
export const operated = (app: App, name: string) =>
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
  described(
    operationId,
    summary,
    "Operator",
    schema ? { status: 200, text: "Done.", schema } : { status: 204, text: "Done." },
    [401, 422, 503, ...problems],
    { scheme: "operator" },
  );
