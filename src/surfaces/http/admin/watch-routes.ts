import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import type { App } from "../../../app/app.ts";
import { CHANGE_KINDS, WATCH_OUTCOMES } from "../../../vocabulary/watch.ts";
import { jsonAnswer } from "../answers.ts";
import { jsonBody } from "../request-guards.ts";
import { noQuery } from "../schemas.ts";
import { BODY_PROBLEMS, forOperator, operated } from "./operated.ts";
import { closed, instant, maybeInstant, pageOf, pageQuery, text, total } from "./shapes.ts";

const domain = t.String({ minLength: 1, maxLength: 253, description: "As people paste it." });
const everyHours = Type.Integer({ minimum: 1, maximum: 8_760 });

const watchBody = t.Object(
  {
    every_hours: t.Optional(everyHours),
    paused: t.Optional(t.Boolean({ description: "Keep the watch, and do not scan." })),
  },
  { ...closed, title: "WatchChange", description: "What is not given stays as it is; a new watch is scanned at once." },
);
const watchSchema = t.Object(
  {
    domain: t.String(),
    every_hours: everyHours,
    paused: t.Boolean(),
    tools_detected: Type.Integer({ description: "By the last scan; 0 before the first." }),
    last_scan_at: maybeInstant,
    last_outcome: t.Union([...WATCH_OUTCOMES.map((outcome) => t.Literal(outcome)), t.Null()], {
      description: "`baseline`: later scans are compared with it. Null before the first scan.",
    }),
    last_error: text,
    next_scan_at: instant,
    created_at: instant,
  },
  { title: "Watch" },
);
const changeSchema = t.Object(
  {
    change: t.Union(CHANGE_KINDS.map((kind) => t.Literal(kind))),
    domain: t.String(),
    tool_id: t.String(),
    tool: t.String(),
    category: t.String(),
    confidence: t.Number({ minimum: 0, maximum: 1, description: "When it was told last." }),
    evidence: t.String({ description: "The best proof in one line." }),
    at: t.String({ format: "date-time", description: "Of the scan that showed it." }),
    previous_at: t.String({ format: "date-time", description: "Of the scan before." }),
    first_seen: instant,
    last_seen: instant,
  },
  { title: "ToolChange" },
);

/** Domains that are scanned again and again. */
export const watchRoutes = (app: App) =>
  operated(app, "watches")
    .get("", async ({ request, query }) => jsonAnswer(request, await app.listWatches(pageOf(query))), {
      query: t.Object(pageQuery, closed),
      detail: forOperator(
        "listWatches",
        "List the watched domains, by name",
        t.Object({ watches: t.Array(watchSchema), total, next_cursor: text }, { title: "WatchList" }),
        [],
      ),
    })
    .put(
      "/:domain",
      async ({ request, params, body: { every_hours, paused } }) =>
        jsonAnswer(
          request,
          await app.watch(params.domain, {
            ...(every_hours === undefined ? {} : { everyHours: every_hours }),
            ...(paused === undefined ? {} : { paused }),
          }),
        ),
      {
        params: t.Object({ domain }),
        query: noQuery,
        parse: jsonBody,
        body: watchBody,
        detail: forOperator("watchDomain", "Watch a domain, or change how it is watched", watchSchema, [
          409,
          ...BODY_PROBLEMS,
        ]),
      },
    )
    .delete("/:domain", async ({ request, params }) => jsonAnswer(request, await app.unwatch(params.domain)), {
      params: t.Object({ domain }),
      query: noQuery,
      detail: forOperator("unwatchDomain", "Watch a domain no more; its changes stay listed", watchSchema, [404]),
    });

/** What changed at them. */
export const changeRoutes = (app: App) =>
  operated(app, "changes").get(
    "",
    async ({ request, query: { domain: of, since, ...page } }) =>
      jsonAnswer(
        request,
        await app.listChanges({ ...(of ? { domain: of } : {}), ...(since ? { since } : {}) }, pageOf(page)),
      ),
    {
      query: t.Object(
        {
          domain: t.Optional(domain),
          since: t.Optional(
            t.String({ minLength: 1, maxLength: 40, description: "ISO 8601 day or instant, inclusive." }),
          ),
          ...pageQuery,
        },
        closed,
      ),
      detail: forOperator(
        "listChanges",
        "List tools that appeared at watched domains or disappeared, newest first",
        t.Object({ changes: t.Array(changeSchema), total, next_cursor: text }, { title: "ToolChangeList" }),
        [],
      ),
    },
  );
