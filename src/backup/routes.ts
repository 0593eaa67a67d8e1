import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Services } from "../compose.ts";
import { openApiDetail } from "../http/openapi.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery } from "../http/schemas.ts";

const name = t.String({ description: "File in the data directory's `backups`." });
const size = Type.Integer({ description: "Bytes of the archive." });
const createdAt = t.String({ format: "date-time" });

const madeSchema = t.Object(
  {
    name,
    size,
    sha256: t.String({ description: "Of the archive, in hex." }),
    created_at: createdAt,
  },
  { title: "BackupMade" },
);
const listSchema = t.Object(
  {
    backups: t.Array(
      t.Object({
        name,
        kind: t.Union([t.Literal("manual"), t.Literal("scheduled")]),
        size,
        created_at: createdAt,
      }),
    ),
    total: Type.Integer(),
    next_cursor: t.Null(),
  },
  { title: "BackupList" },
);
const named = t.Object({ name: t.String({ minLength: 1, maxLength: 100 }) });

const PROBLEMS = [401, 422, 503];
const opened = { scheme: "operator" } as const;

/** Archives of the whole installation, made while it goes on. */
export const backupRoutes = (app: Services) =>
  withOperatorAuth(app, "backup").post(
    "",
    async ({ request }) => jsonAnswer(request, await app.backups.create(), 201),
    {
      query: noQuery,
      detail: openApiDetail(
        "createBackup",
        "Make a backup into the data directory",
        "Operator",
        { status: 201, text: "Made.", schema: madeSchema },
        PROBLEMS,
        opened,
      ),
    },
  );

export const backupListRoutes = (app: Services) =>
  withOperatorAuth(app, "backups")
    .get(
      "",
      async ({ request }) => {
        const backups = await app.backups.list();
        return jsonAnswer(request, { backups, total: backups.length, next_cursor: null });
      },
      { query: noQuery, detail: forOperator("listBackups", "List the backups, newest first", listSchema, []) },
    )
    .get(
      "/:name",
      async ({ params }) => {
        const { size: length, name: file, content } = await app.backups.open(params.name);
        return new Response(content(), {
          headers: {
            "content-type": "application/zstd",
            "content-length": String(length),
            "content-disposition": `attachment; filename="${file}"`,
            "cache-control": "private, no-store",
          },
        });
      },
      {
        params: named,
        query: noQuery,
        detail: openApiDetail(
          "downloadBackup",
          "Download a backup: a tar of a manifest and the database, compressed with zstd",
          "Operator",
          { status: 200, text: "The archive.", type: "application/zstd", schema: t.String({ format: "binary" }) },
          [...PROBLEMS, 404],
          opened,
        ),
      },
    );
