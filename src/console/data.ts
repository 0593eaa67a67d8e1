import type { CaseStudy } from "../casestudies/types.ts";
import type { Services } from "../compose.ts";
import { Failure } from "../core/errors.ts";
import { AREAS } from "../detection/fingerprints/types.ts";
import { SIGNALS } from "../detection/signals.ts";
import { enrichmentView } from "../detection/view.ts";
import { json, type Route } from "./route.ts";

/** Recordings of invented companies alone may be told to who has no key. */
const INVENTED = /\.example$/;
const ANY_AGE = 100 * 366 * 86_400;
const SHOWN = 6;
const PREVIEWED = 5;

/** What pages need beside the API. */
export const dataRoutes = (app: Services): readonly Route[] => [
  {
    method: "GET",
    path: /^\/console\/start$/,
    answer: async () =>
      json({
        version: app.version,
        stats: await app.health.stats(),
        areas: AREAS.map((area) => ({
          area,
          categories: app.categories.filter((category) => category.area === area).map(({ label }) => label),
        })),
        signals: Object.fromEntries(Object.entries(SIGNALS).map(([kind, { about }]) => [kind, about])),
        examples: (await app.detection.recordedDomains()).filter((domain) => INVENTED.test(domain)),
        preview: await preview(app),
        case_studies: telling(await starterStudies(app)),
      }),
  },
  {
    method: "GET",
    path: /^\/console\/example\/([^/]{1,300})$/,
    async answer(_, domain) {
      if (!INVENTED.test(domain)) throw new Failure("key.invalid", "Get a key to look up a company.");
      const enrichment = await app.detection.enrich(domain, { maxAgeSeconds: ANY_AGE });
      return json(enrichmentView(enrichment, { evidence: true, sources: true }));
    },
  },
  {
    method: "GET",
    path: /^\/console\/studies\/([^/]{1,900})$/,
    async answer(_, id) {
      const study = await app.caseStudies.getStudy(id);
      // What comes with the program is no secret; everything else is for who has a key.
      if (study.origin !== "starter") throw new Failure("key.invalid", "Get a key to read this case study.");
      return json(study);
    },
  },
  {
    method: "GET",
    path: /^\/console\/usage$/,
    async answer(request) {
      const account = await authenticated(app, request);
      const { limit, remaining, resetSeconds } = await app.accounts.quota(account);
      return json({ email: account.email, limit, remaining, reset_seconds: resetSeconds });
    },
  },
  {
    method: "GET",
    path: /^\/console\/changes\/([^/]{1,300})$/,
    async answer(request, domain) {
      if (!INVENTED.test(domain)) await authenticated(app, request);
      return json({ changes: (await app.detection.scanChanges(domain)) ?? null });
    },
  },
];

/** A few tools of the first example with their best proof, to show what a result is. */
async function preview(app: Services) {
  const domain = (await app.detection.recordedDomains()).find((each) => INVENTED.test(each));
  if (domain === undefined) return null;
  const { detections } = await app.detection.enrich(domain, { maxAgeSeconds: ANY_AGE });
  const areas = new Map(app.categories.map(({ label, area }) => [label, area]));
  const surest = detections.toSorted((one, other) => other.confidence - one.confidence);
  const tools = AREAS.flatMap((area) => surest.find(({ category }) => areas.get(category) === area) ?? []).slice(
    0,
    PREVIEWED,
  );
  return {
    domain,
    tools_detected: detections.length,
    tools: tools.map(({ tool, category, confidence, evidence: [proof] }) => ({
      ...{ tool, category, confidence },
      proof: proof ? `${proof.signal} ${proof.value}` : "",
    })),
  };
}

const authenticated = (app: Services, request: Request) =>
  app.accounts.authenticate(request.headers.get("x-api-key") ?? undefined);

const starterStudies = async (app: Services) =>
  (await app.caseStudies.listStudies({}, { limit: 100 })).case_studies.filter(({ origin }) => origin === "starter");

/** One of each vendor at most, and each with a figure to show. */
function telling(studies: readonly CaseStudy[]): readonly CaseStudy[] {
  const vendors = new Set<string>();
  return studies
    .filter(({ company, client, outcomes }) => {
      if (vendors.has(company.slug) || !client.name || !outcomes.some(hasFigure)) return false;
      vendors.add(company.slug);
      return true;
    })
    .slice(0, SHOWN);
}

const hasFigure = ({ value, unit, direction }: CaseStudy["outcomes"][number]) =>
  value !== null && (unit === "%" || unit === "x") && direction !== "absolute";
