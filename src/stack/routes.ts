import { Elysia } from "elysia";
import { authenticate, BODY_PROBLEMS, bearerToken, forKey, withKeyAuth, withQuota } from "../accounts/http-auth.ts";
import type { Accounts, Operator } from "../accounts/service.ts";
import { Failure } from "../core/errors.ts";
import { parseMinConfidence } from "../detection/levels.ts";
import { contextOf, jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery, pageOf } from "../http/schemas.ts";
import { TABLE_FORMATS, TABLE_TYPES, type TableFormat } from "../tabular/table.ts";
import { tableResponse } from "../tabular/write-table.ts";
import type { Sort } from "./repository.ts";
import {
  companiesQuery,
  domainListSchema,
  domainParam,
  domainsQuery,
  formatQuery,
  historyQuery,
  historySchema,
  searchBody,
  toolListSchema,
  toolParam,
  toolSchema,
  toolsQuery,
} from "./schemas.ts";
import { EXPORT_COLUMNS, type StackService } from "./service.ts";
import type { CompanyPageOptions, StackQuestion } from "./types.ts";

interface StackRouteServices {
  readonly stack: StackService;
  readonly accounts: Accounts;
  readonly operator: Operator;
}

const TAG = "Stack index";
/** Media types of `format`. */
const FILES = TABLE_FORMATS.map((format) => TABLE_TYPES[format].replace(/;.*/, ""));

interface Output extends CompanyPageOptions {
  readonly format?: TableFormat | undefined;
  readonly sort?: Sort | undefined;
}

/** The history of one company, which shows no more than its scans. */
export const historyRoutes = ({ stack, accounts }: Pick<StackRouteServices, "stack" | "accounts">) =>
  withKeyAuth({ accounts }, "history", "/v1").get(
    "/enrich/:domain/history",
    ({ request, params, query }) =>
      withQuota({ accounts }, request, 1, async () => jsonAnswer(request, await stack.history(params.domain, query))),
    {
      params: domainParam,
      query: historyQuery,
      detail: forKey(
        "getHistory",
        "Show since when a company uses each tool, and what changed",
        "Enrichment",
        { text: "From all stored scans and recordings; nothing is scanned.", schema: historySchema },
        [404],
      ),
    },
  );

/** Requests with the operator token, which are not counted. */
const operators = new WeakSet<Request>();

/** Takes an API key, or only the operator token. @throws Failure `key.invalid`, `stack.operator_only` */
const withIndexAuth = (
  { accounts, operator }: Pick<StackRouteServices, "accounts" | "operator">,
  isOperatorOnly: boolean,
) =>
  new Elysia({ name: "stack", prefix: "/v1" }).derive(async ({ request }) => {
    if (isOperatorOnly && (await operator.verifyOperatorToken(bearerToken(request)))) {
      operators.add(request);
      return {};
    }
    await authenticate(accounts, request);
    if (!isOperatorOnly) return {};
    throw new Failure(
      "stack.operator_only",
      "The operator has hidden the stack index from API keys; send the operator token as `Authorization: Bearer`.",
    );
  });

/**
 * Which companies use which tools, and since when. Each call counts as one request, a file too.
 *
 * @param onError receives what breaks a file after its status was sent
 * @param isOperatorOnly takes the operator token in place of an API key
 */
export const stackRoutes = (
  { stack, accounts, operator }: StackRouteServices,
  onError: (requestId: string, error: unknown) => void,
  isOperatorOnly = false,
) => {
  const counted = (request: Request, handle: () => Promise<Response>) =>
    operators.has(request) ? handle() : withQuota({ accounts }, request, 1, handle);
  const companies = (request: Request, question: StackQuestion, { format, ...page }: Output) =>
    counted(request, async () => {
      if (format === undefined) return jsonAnswer(request, await stack.search(question, page));
      const rows = await stack.export(question, page);
      return tableResponse({ format, filename: "companies", columns: EXPORT_COLUMNS, rows }, (error) =>
        onError(contextOf(request).id, error),
      );
    });
  const confidenceOf = (text: string | undefined) => (text === undefined ? undefined : parseMinConfidence(text));

  return withIndexAuth({ accounts, operator }, isOperatorOnly)
    .get(
      "/tools",
      ({ request, query: { q, category, ...page } }) =>
        counted(request, async () => jsonAnswer(request, await stack.tools({ q, category }, pageOf(page)))),
      {
        query: toolsQuery,
        detail: forKey("listTools", "List tools with the number of companies that use them", TAG, {
          text: "Most companies first.",
          schema: toolListSchema,
        }),
      },
    )
    .get(
      "/tools/:tool",
      ({ request, params }) => counted(request, async () => jsonAnswer(request, await stack.tool(params.tool))),
      {
        params: toolParam,
        query: noQuery,
        detail: forKey("getTool", "Get a tool", TAG, { text: "The tool.", schema: toolSchema }, [404]),
      },
    )
    .get(
      "/tools/:tool/companies",
      ({ request, params, query: { limit, cursor, format, sort, min_confidence } }) =>
        companies(
          request,
          { all: [params.tool], min_confidence: confidenceOf(min_confidence) },
          { format, sort, ...pageOf({ limit, cursor }) },
        ),
      {
        params: toolParam,
        query: companiesQuery,
        detail: forKey(
          "listToolCompanies",
          "List the companies that use a tool",
          TAG,
          { text: "By domain, or a file with `format`.", schema: domainListSchema, files: FILES },
          [404],
        ),
      },
    )
    .get(
      "/domains",
      ({
        request,
        query: { q, tool, not, category, top_level, min_confidence, limit, cursor, sort, format, ...dates },
      }) =>
        companies(
          request,
          {
            all: [...(tool === undefined ? [] : [tool]), ...(category === undefined ? [] : [{ category }])],
            none: not === undefined ? [] : [not],
            prefix: q,
            top_level: top_level === undefined ? [] : [top_level],
            min_confidence: confidenceOf(min_confidence),
            ...dates,
          },
          { format, sort, ...pageOf({ limit, cursor }) },
        ),
      {
        query: domainsQuery,
        detail: forKey(
          "listDomains",
          "List the scanned companies",
          TAG,
          { text: "By domain, or a file with `format`.", schema: domainListSchema, files: FILES },
          [404],
        ),
      },
    )
    .post(
      "/domains/search",
      ({ request, query: { format }, body: { limit, cursor, sort, ...question } }) =>
        companies(request, question, { format, sort, limit, cursor }),
      {
        parse: jsonBody,
        body: searchBody,
        query: formatQuery,
        detail: forKey(
          "searchDomains",
          "Search companies by the tools that they use",
          TAG,
          { text: "By domain, or a file with `format`.", schema: domainListSchema, files: FILES },
          [404, ...BODY_PROBLEMS],
        ),
      },
    );
};
