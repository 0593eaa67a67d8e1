import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Operator } from "../accounts/service.ts";
import { jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery } from "../http/schemas.ts";
import { vendorParam, vendorToolsBody, vendorToolsSchema } from "./schemas.ts";
import type { ClaimService } from "./service.ts";

/** The operator's links of vendors to fingerprints. */
export const vendorToolRoutes = ({ claims, operator }: { claims: ClaimService; operator: Operator }) =>
  withOperatorAuth({ operator }, "vendor-tools")
    .get("/:slug", async ({ request, params }) => jsonAnswer(request, await claims.vendorTools(params.slug)), {
      params: vendorParam,
      query: noQuery,
      detail: forOperator("getVendorTools", "Get the fingerprints of a vendor's products", vendorToolsSchema, [404]),
    })
    .put(
      "/:slug",
      async ({ request, params, body }) => jsonAnswer(request, await claims.linkVendor(params.slug, body.tools)),
      {
        params: vendorParam,
        query: noQuery,
        parse: jsonBody,
        body: vendorToolsBody,
        detail: forOperator("setVendorTools", "Set the fingerprints of a vendor's products", vendorToolsSchema, [
          404,
          ...BODY_PROBLEMS,
        ]),
      },
    )
    .delete("/:slug", async ({ request, params }) => jsonAnswer(request, await claims.linkVendor(params.slug, null)), {
      params: vendorParam,
      query: noQuery,
      detail: forOperator(
        "resetVendorTools",
        "Restore the built-in fingerprints of a vendor",
        vendorToolsSchema,
        [404],
      ),
    });
