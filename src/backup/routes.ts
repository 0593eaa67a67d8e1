import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Operator } from "../accounts/service.ts";
import { openApiDetail } from "../http/openapi.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery } from "../http/schemas.ts";
import type { BackupService } from "./service.ts";

const name = t.String({ description: "Name of the file in the folder `backups` of the data directory." });
const size = Type.Integer({ description: "Size of the archive in bytes." });
const createdAt = t.String({ format: "date-time" });

const madeSchema = t.Object(
  {
    name,
    size,
    sha256: t.String({ description: "SHA-256 of the archive, in hex." }),
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
const operatorOnly = { scheme: "operator" } as const;

interface RouteServices {
  readonly backups: BackupService;
  readonly operator: Operator;
}

/** `POST /admin/backup`. */
export const backupRoutes = ({ backups, operator }: RouteServices) =>
  withOperatorAuth({ operator }, "backup").post(
    "",
    async ({ request }) => jsonAnswer(request, await backups.create(), 201),
    {
      query: noQuery,
      detail: openApiDetail(
        "createBackup",
        "Create a backup in the data directory",
        "Operator",
        { status: 201, text: "Created.", schema: madeSchema },
        PROBLEMS,
        operatorOnly,
      ),
    },
  );

/** `GET /admin/backups` and downloads. */
export const backupListRoutes = ({ backups, operator }: RouteServices) =>
  withOperatorAuth({ operator }, "backups")
    .get(
      "",
      async ({ request }) => {
        const found = await backups.list();
        return jsonAnswer(request, { backups: found, total: found.length, next_cursor: null });
      },
      { query: noQuery, detail: forOperator("listBackups", "List the backups, newest first", listSchema, []) },
    )
    .get(
      "/:name",
      async ({ params }) => {
        const { size: length, name: file, content } = await backups.open(params.name);
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
          "Download a backup: a zstd-compressed tar with a manifest, the database and custom models",
          "Operator",
          { status: 200, text: "The archive.", type: "application/zstd", schema: t.String({ format: "binary" }) },
          [...PROBLEMS, 404],
          operatorOnly,
        ),
      },
    );
