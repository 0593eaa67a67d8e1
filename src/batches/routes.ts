import { type TSchema, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { accountOf, authenticate, BODY_PROBLEMS, withKeyAuth } from "../accounts/http-auth.ts";
import type { Accounts } from "../accounts/service.ts";
import { decodeCursor, encodeCursor } from "../db/cursor.ts";
import { enrichmentSchema } from "../detection/schemas.ts";
import { parseSources, SOURCE_IDS } from "../detection/sources.ts";
import { INCLUDED, parseInclude } from "../detection/view.ts";
import { openApiDetail } from "../http/openapi.ts";
import { HttpRefusal } from "../http/problems.ts";
import { contextOf, isJson, MAX_LIST_BYTES, readBody, readJsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { closed, instant, maybeInstant, noQuery, oneOf, pageOf, pageQuery, text, total } from "../http/schemas.ts";
import { TABLE_FORMATS, TABLE_TYPES } from "../tabular/table.ts";
import { inBlocks, streamResponse, tableResponse } from "../tabular/write-table.ts";
import { entriesOf, MAX_ROWS, readList } from "./read-list.ts";
import type { BatchOwner, BatchService } from "./service.ts";
import { jsonLines, ROW_KINDS, resultView, tableOf } from "./table.ts";
import { BATCH_STATES, ITEM_STATES, type ListEntry } from "./types.ts";

interface BatchRouteServices {
  readonly batches: BatchService;
  readonly accounts: Accounts;
}

const RESULT_STATES = ITEM_STATES.filter((state) => state !== "duplicate");

const maxAge = t.String({
  pattern: "^(any|\\d{1,8})$",
  error: "Give a whole number of seconds from 0 to 99999999, or any.",
  description:
    "Maximum age of a stored result in seconds, or `any`; 0 forces new scans. Default 86400, and 3600 for a result with a data source that timed out.",
});
const sources = t.String({
  minLength: 1,
  maxLength: 500,
  description: `\`light\` (DNS records and the home page), or ids of data sources, separated by commas: ${SOURCE_IDS.join(", ")}. Default: all.`,
  examples: ["light"],
});
const webhook = t.String({
  minLength: 1,
  maxLength: 2_048,
  description: "Id or URL of a registered webhook, which gets a signed message at the end.",
});
const name = t.String({ minLength: 1, maxLength: 100, description: "Shown in the list of batches." });
const column = t.String({
  minLength: 1,
  maxLength: 100,
  description:
    "Column or field with the domain; by default one with a usual name (domain, website, url), else the first.",
});

const batchBody = t.Object(
  {
    domains: t.Array(
      t.Union([t.String({ maxLength: 2_048 }), t.Record(t.String(), t.Unknown())], {
        error: "Give a domain, or an object with a domain and further fields.",
      }),
      { minItems: 1, maxItems: MAX_ROWS, description: "Domains or URLs, or objects whose further fields are kept." },
    ),
    max_age: t.Optional(t.Union([Type.Integer({ minimum: 0, maximum: 99_999_999 }), t.Literal("any")])),
    sources: t.Optional(sources),
    webhook: t.Optional(webhook),
    name: t.Optional(name),
    column: t.Optional(column),
  },
  { ...closed, title: "NewBatch" },
);

/** Options of a list that is not sent as JSON. */
const createQuery = t.Object(
  {
    max_age: t.Optional(maxAge),
    sources: t.Optional(sources),
    webhook: t.Optional(webhook),
    name: t.Optional(name),
    column: t.Optional(column),
  },
  closed,
);

export const batchSchema = t.Object(
  {
    id: t.String(),
    name: text,
    state: oneOf(BATCH_STATES),
    total: Type.Integer({ description: "Rows of the list." }),
    domains: Type.Integer({ description: "Distinct domains, which count against the quota." }),
    columns: t.Array(t.String(), { description: "Further columns of the list." }),
    sources: t.Union([t.Array(t.String()), t.Null()], { description: "Null for all." }),
    progress: t.Object({
      waiting: total,
      running: total,
      done: total,
      failed: t.Record(t.String(), total, { description: "By the code of the failure." }),
      skipped: t.Object({ invalid: total, duplicate: total, cancelled: total }),
    }),
    estimated_end: maybeInstant,
    created_at: instant,
    finished_at: maybeInstant,
  },
  { title: "Batch" },
);

const startedSchema = t.Object(
  { batch_id: t.String({ description: "The same as `id`." }), ...batchSchema.properties },
  { title: "StartedBatch" },
);

const { domain: _, ...enrichment } = enrichmentSchema.properties;
const resultSchema = t.Object(
  {
    input: t.String({ description: "As given." }),
    columns: t.Optional(t.Record(t.String(), t.String(), { description: "The further columns." })),
    domain: text,
    status: oneOf(RESULT_STATES),
    code: t.Optional(t.String({ description: "Of the failure." })),
    detail: t.Optional(t.String({ description: "The failure in one sentence." })),
    ...t.Partial(t.Object(enrichment)).properties,
  },
  { title: "BatchResult" },
);

export const batchListSchema = t.Object(
  { batches: t.Array(batchSchema), total, next_cursor: text },
  { title: "BatchList" },
);
export const batchResultsSchema = t.Object(
  { results: t.Array(resultSchema), next_cursor: text },
  { title: "EnrichBatchResults" },
);

const resultsQuery = t.Object(
  {
    ...pageQuery,
    format: t.Optional(oneOf(TABLE_FORMATS)),
    rows: t.Optional(oneOf(ROW_KINDS)),
    status: t.Optional(oneOf(RESULT_STATES)),
    include: t.Optional(t.String({ maxLength: 60, description: "As for `GET /v1/enrich/{domain}`; not for tables." })),
  },
  closed,
);

const idParam = t.Object({ id: t.String({ minLength: 1, maxLength: 100 }) });
const PROBLEMS = [401, 406, 422, 503];

/** Lists of domains that are scanned in the background. @param onError receives what breaks a download */
export const batchRoutes = (
  { batches, accounts }: BatchRouteServices,
  onError: (requestId: string, error: unknown) => void,
) => {
  const ownerOf = (request: Request): BatchOwner => {
    const account = accountOf(request);
    return { owner: account.email, charge: accounts.charge(account) };
  };
  const one = (
    operationId: string,
    summary: string,
    problems: readonly number[],
    status = 200,
    schema: TSchema = batchSchema,
  ) =>
    openApiDetail(
      operationId,
      summary,
      "Batches",
      { status, text: "The batch.", schema },
      [...PROBLEMS, 404, ...problems],
      { scheme: "key" },
    );
  const change = (verb: "pause" | "resume" | "cancel" | "retryFailed") => {
    return async ({ request, params }: { request: Request; params: { id: string } }) =>
      jsonAnswer(request, await batches[verb](ownerOf(request), params.id));
  };

  return withKeyAuth({ accounts }, "batches", "/v1/enrich/batches")
    .post(
      "",
      async ({ request, query, body }) => {
        const list = lists.get(request);
        const entries = list ?? entriesOf(body.domains, body.column ?? query.column);
        const options = list ? query : { ...query, ...body };
        const key = request.headers.get("idempotency-key");
        const batch = await batches.create(ownerOf(request), entries, {
          name: options.name,
          maxAgeSeconds: secondsOf(options.max_age),
          only: options.sources === undefined ? undefined : parseSources(options.sources),
          webhook: options.webhook,
          idempotencyKey: key === null ? undefined : parseIdempotencyKey(key),
        });
        return jsonAnswer(request, { batch_id: batch.id, ...batch }, 202);
      },
      {
        query: createQuery,
        parse: [parseList(accounts), "json"],
        body: batchBody,
        detail: one(
          "createBatch",
          "Scan a list of domains in the background; the list is JSON, NDJSON or CSV, at most 100,000 rows and 16 MiB. A repeated `Idempotency-Key` starts nothing",
          [409, 429, ...BODY_PROBLEMS],
          202,
          startedSchema,
        ),
      },
    )
    .get("", async ({ request, query }) => jsonAnswer(request, await batches.list(ownerOf(request), pageOf(query))), {
      query: t.Object(pageQuery, closed),
      detail: openApiDetail(
        "listBatches",
        "List your batches, newest first",
        "Batches",
        {
          status: 200,
          text: "A page of batches.",
          schema: batchListSchema,
        },
        PROBLEMS,
        { scheme: "key" },
      ),
    })
    .get("/:id", async ({ request, params }) => jsonAnswer(request, await batches.get(ownerOf(request), params.id)), {
      params: idParam,
      query: noQuery,
      detail: one("getBatch", "Show the progress of a batch", []),
    })
    .get(
      "/:id/results",
      async ({ request, params, query }) => {
        const include = parseInclude(query.include);
        if (!include)
          throw new HttpRefusal("request.invalid", `Unknown include "${query.include}": use ${INCLUDED.join(", ")}.`, {
            problems: [{ pointer: "/include", detail: `Use ${INCLUDED.join(", ")}, separated by commas.` }],
          });
        const owner = ownerOf(request);
        const { format, rows, status: state } = query;
        if (format === undefined) {
          const limit = Number(query.limit ?? PAGE_SIZE);
          const [after] = query.cursor === undefined ? [-1] : decodeCursor(LIST, ["number"], query.cursor);
          const items = await batches.page(owner, params.id, { after, limit: limit + 1, state });
          const shown = items.slice(0, limit);
          const last = shown.at(-1);
          return jsonAnswer(request, {
            results: shown.map((item) => resultView(item, include)),
            next_cursor: items.length > limit && last ? encodeCursor(LIST, [last.position]) : null,
          });
        }
        const { columns } = await batches.get(owner, params.id);
        const items = await batches.results(owner, params.id, { state });
        const report = (error: unknown) => onError(contextOf(request).id, error);
        const filename = params.id;
        if (format === "ndjson" && rows !== "tools")
          return streamResponse({ format, filename }, inBlocks(jsonLines(items, include)), report);
        return tableResponse({ format, filename, ...tableOf(items, columns, rows ?? "companies") }, report);
      },
      {
        params: idParam,
        query: resultsQuery,
        detail: openApiDetail(
          "batchResults",
          "List the results of a batch in the order of the list, also while it runs: a page of JSON, or with `format` all as NDJSON, CSV or Parquet, one row for each company or tool",
          "Batches",
          {
            status: 200,
            text: "A page of results, or a file.",
            files: Object.values(TABLE_TYPES).map((type) => type.replace(/;.*/, "")),
            schema: batchResultsSchema,
          },
          [...PROBLEMS, 404],
          { scheme: "key" },
        ),
      },
    )
    .post("/:id/pause", change("pause"), {
      params: idParam,
      query: noQuery,
      parse: "none",
      detail: one("pauseBatch", "Start no further scan of a batch", [409]),
    })
    .post("/:id/resume", change("resume"), {
      params: idParam,
      query: noQuery,
      parse: "none",
      detail: one("resumeBatch", "Continue a paused batch", [409]),
    })
    .post("/:id/cancel", change("cancel"), {
      params: idParam,
      query: noQuery,
      parse: "none",
      detail: one("cancelBatch", "End a batch; its results stay, and domains without a result do not count", [409]),
    })
    .post("/:id/retry", change("retryFailed"), {
      params: idParam,
      query: noQuery,
      parse: "none",
      detail: one("retryBatch", "Scan the failed domains of a finished batch again", [409, 429]),
    });
};

const LIST = "batch results";
const PAGE_SIZE = 20;

/** Sent as a text, with the options in the query. */
const lists = new WeakMap<Request, readonly ListEntry[]>();
const SENT_AS_TEXT = { domains: ["(text)"] };

/** Reads the list after the key is verified: it may be large. @throws Failure `key.invalid`, `batch.invalid`, HttpRefusal */
const parseList =
  (accounts: Accounts) =>
  async ({ request, route }: { request: Request; route: string }): Promise<unknown> => {
    contextOf(request).route = route;
    await authenticate(accounts, request);
    const type = request.headers.get("content-type") ?? "";
    if (isJson(type)) return await readJsonBody(request, MAX_LIST_BYTES);
    const column = new URL(request.url).searchParams.get("column") ?? undefined;
    const file = /csv|plain/i.test(type) ? "list.csv" : "list.jsonl";
    lists.set(request, await Array.fromAsync(readList(readBody(request, MAX_LIST_BYTES), { name: file, column })));
    return SENT_AS_TEXT;
  };

const secondsOf = (maxAge: string | number | undefined): number | undefined =>
  maxAge === "any" ? Number.POSITIVE_INFINITY : maxAge === undefined ? undefined : Number(maxAge);

/** @throws HttpRefusal 422 */
function parseIdempotencyKey(key: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new HttpRefusal("request.invalid", "Give an Idempotency-Key of 1 to 200 printable ASCII characters.");
}
