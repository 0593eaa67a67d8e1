import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { instant, oneOf, text, total } from "../http/schemas.ts";
import { PHASES } from "./types.ts";

/** How each way of looking fared. */
export const healthSchema = t.Object(
  {
    scans: Type.Integer({ description: "The latest scans that this is told of, 200 at most." }),
    sources: t.Array(
      t.Object({
        source: t.String({ description: "As the `sources` of a result name it." }),
        phase: oneOf(PHASES),
        services: t.Array(
          t.Object({
            setting: t.String({ description: "Names it in the configuration." }),
            state: t.Union([t.Literal("on"), t.Literal("off"), t.Literal("elsewhere")], {
              description: "`elsewhere`: the configuration names another one than the public one.",
            }),
            host: t.Union([t.String(), t.Null()], { description: "Or DNS zone." }),
          }),
          { description: "What it asks beside the company's own hosts." },
        ),
        ok: total,
        empty: total,
        timeout: total,
        failed: total,
        skipped: total,
        median_ms: t.Union([t.Number(), t.Null()]),
        last_fault: t.Union([
          t.Object({
            domain: t.String(),
            scanned_at: instant,
            status: oneOf(["timeout", "failed"]),
            detail: text,
          }),
          t.Null(),
        ]),
      }),
    ),
  },
  { title: "SourceHealth" },
);
