import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, instant, maybeInstant, text } from "../http/schemas.ts";

export const keyBody = t.Object(
  {
    email: t.String({
      maxLength: 320,
      description: "Email address that the key is issued to.",
      examples: ["ana@brightpine.example"],
    }),
  },
  { ...closed, title: "KeyRequest" },
);

export const issuedKeySchema = t.Object(
  {
    api_key: t.String({ description: "Shown only once; the service stores a hash." }),
    email: t.String(),
    monthly_limit: Type.Integer(),
    created_at: instant,
  },
  { title: "IssuedKey" },
);

export const keyEntrySchema = t.Object(
  {
    id: t.String(),
    email: t.String(),
    hint: t.String({ description: "The key's last four characters." }),
    monthly_limit: Type.Integer(),
    used_this_month: Type.Integer(),
    created_at: instant,
    revoked_at: maybeInstant,
  },
  { title: "Key" },
);

export const keyListSchema = t.Object(
  {
    keys: t.Array(keyEntrySchema),
    total: Type.Integer(),
    next_cursor: text,
  },
  { title: "KeyList" },
);

export const keyParam = t.Object({
  key: t.String({ minLength: 1, maxLength: 320, description: "Id or email address of the key." }),
});
export const keyLimitBody = t.Object(
  { monthly_limit: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }) },
  { ...closed, title: "KeyLimit" },
);
