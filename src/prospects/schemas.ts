import { t } from "elysia";
import { slug } from "../casestudies/schemas.ts";
import { closed } from "../http/schemas.ts";

export const vendorParam = t.Object({ slug });

const toolIds = t.Array(t.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 50,
  description: "Ids of fingerprints; an empty list says that the product leaves no public sign.",
});

export const vendorToolsBody = t.Object({ tools: toolIds }, { ...closed, title: "VendorToolsEdit" });

export const vendorToolsSchema = t.Object(
  {
    vendor: t.String({ description: "Slug." }),
    tools: toolIds,
    origin: t.Union([t.Literal("operator"), t.Literal("table"), t.Literal("names")], {
      description:
        "Who linked them: the operator, the table of the release, or the equal names of vendor and fingerprint.",
    }),
  },
  { title: "VendorTools" },
);
