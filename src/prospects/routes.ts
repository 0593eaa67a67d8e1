import {
  BODY_PROBLEMS,
  callerOf,
  forKey,
  forOperator,
  seesScannedCompanies,
  withKeyAuth,
  withOperatorAuth,
  withQuota,
} from "../accounts/http-auth.ts";
import type { Accounts, Operator } from "../accounts/service.ts";
import { jsonBody, preferredType } from "../http/requests.ts";
import { jsonAnswer, textAnswer } from "../http/responses.ts";
import { noQuery } from "../http/schemas.ts";
import { BRIEF_TYPES, type BriefFormat, briefHtml, briefMarkdown } from "./brief-format.ts";
import { type ProofRequest, proofsWithoutClaims } from "./proof.ts";
import type { ProspectService } from "./prospects.ts";
import { gapsWithoutNames, rivalsWithoutNames } from "./rivals.ts";
import {
  briefQuery,
  briefSchema,
  gapsQuery,
  gapsSchema,
  proofBody,
  proofsSchema,
  prospectParam,
  rivalsSchema,
  vendorParam,
  vendorToolsBody,
  vendorToolsSchema,
} from "./schemas.ts";
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

const TAG = "Prospects";

/** `max_age` as seconds; each request may end before its answer. */
const requestOf = <Asked extends { readonly max_age?: string | number | undefined }>(
  request: Request,
  { max_age, ...asked }: Asked,
): Omit<Asked, "max_age"> & Pick<ProofRequest, "maxAgeSeconds" | "signal" | "caller"> => ({
  ...asked,
  maxAgeSeconds: max_age === undefined ? undefined : Number(max_age),
  signal: request.signal,
  caller: callerOf(request),
});

/** Nothing in a brief runs or loads, whatever its sources contain. */
const BRIEF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

interface ProspectRouteServices {
  readonly prospects: ProspectService;
  readonly accounts: Accounts;
  readonly operator: Pick<Operator, "verifyOperatorToken">;
}

/**
 * What is prepared for a company that may buy.
 *
 * @param isIndexHidden names of scanned companies are only for requests that also send the operator token
 */
export const prospectRoutes = ({ prospects, accounts, operator }: ProspectRouteServices, isIndexHidden = false) => {
  const seesNames = seesScannedCompanies(operator, isIndexHidden);
  return withKeyAuth({ accounts }, "prospects", "/v1")
    .post(
      "/prospects/:domain/proof",
      ({ request, params, body }) =>
        withQuota({ accounts }, request, 1, async () => {
          const proofs = await prospects.proofs(params.domain, requestOf(request, body));
          return jsonAnswer(request, (await seesNames(request)) ? proofs : proofsWithoutClaims(proofs));
        }),
      {
        params: prospectParam,
        query: noQuery,
        parse: jsonBody,
        body: proofBody,
        detail: forKey(
          "findProof",
          "Find the case studies that would convince a company",
          TAG,
          { text: "Best first, each with the facts that it shares with the company.", schema: proofsSchema },
          [404, ...BODY_PROBLEMS],
        ),
      },
    )
    .get(
      "/prospects/:domain/brief",
      ({ request, params, query: { format, ...query } }) =>
        withQuota({ accounts }, request, 1, async () => {
          const brief = await prospects.brief(params.domain, requestOf(request, query));
          const type =
            format === undefined
              ? preferredType(request, ["application/json", "text/markdown", "text/html"])
              : BRIEF_TYPES[format as BriefFormat];
          if (type === BRIEF_TYPES.markdown)
            return textAnswer(request, briefMarkdown(brief), { "content-type": "text/markdown; charset=utf-8" });
          if (type === BRIEF_TYPES.html)
            return textAnswer(request, briefHtml(brief), {
              "content-type": "text/html; charset=utf-8",
              "content-security-policy": BRIEF_POLICY,
            });
          return jsonAnswer(request, brief);
        }),
      {
        params: prospectParam,
        query: briefQuery,
        detail: forKey(
          "getBrief",
          "Get a brief about a company",
          TAG,
          {
            text: "Its tools, what changed, rival products and five case studies, each statement with its sources.",
            schema: briefSchema,
            files: ["text/markdown", "text/html"],
          },
          [404],
        ),
      },
    )
    .get(
      "/prospects/:domain/gaps",
      ({ request, params, query }) =>
        withQuota({ accounts }, request, 1, async () => {
          const gaps = await prospects.gaps(params.domain, requestOf(request, query));
          return jsonAnswer(request, (await seesNames(request)) ? gaps : gapsWithoutNames(gaps));
        }),
      {
        params: prospectParam,
        query: gapsQuery,
        detail: forKey(
          "listGaps",
          "List the tools that peers of a company use and it does not",
          TAG,
          { text: "Peers are companies of the same industry with a stored report.", schema: gapsSchema },
          [404],
        ),
      },
    )
    .get(
      "/companies/:slug/rivals",
      ({ request, params }) =>
        withQuota({ accounts }, request, 1, async () => {
          const rivals = await prospects.rivals(params.slug);
          return jsonAnswer(request, (await seesNames(request)) ? rivals : rivalsWithoutNames(rivals));
        }),
      {
        params: vendorParam,
        query: noQuery,
        detail: forKey(
          "listRivals",
          "List a vendor's rivals, and whose clients are seen using whose tools",
          TAG,
          { text: "From stored reports; nothing is scanned.", schema: rivalsSchema },
          [404],
        ),
      },
    );
};
