import { type AnyElysia, Elysia } from "elysia";
import type { ClientLimits } from "../accounts/client-limits.ts";
import { authenticate, withQuota } from "../accounts/http-auth.ts";
import { refusedActions } from "../accounts/roles.ts";
import type { Accounts } from "../accounts/service.ts";
import { CLAIM_STATUSES } from "../casestudies/claims.ts";
import type { CompanyService } from "../casestudies/companies/service.ts";
import type { IndexService } from "../casestudies/index/service.ts";
import type { IntakeService } from "../casestudies/intake/service.ts";
import type { CaseStudyService } from "../casestudies/service.ts";
import type { CaseStudy } from "../casestudies/types.ts";
import { cachedFor } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import type { FingerprintService } from "../detection/fingerprints/service.ts";
import { AREAS, type Category, categoriesByArea } from "../detection/fingerprints/types.ts";
import type { CompanyIcon } from "../detection/icon.ts";
import { LEAST, levelOf } from "../detection/levels.ts";
import type { DetectionService } from "../detection/service.ts";
import { SIGNALS } from "../detection/signals.ts";
import { enrichmentView } from "../detection/view.ts";
import type { ReadinessService } from "../health/readiness.ts";
import type { StatsService } from "../health/stats.ts";
import type { Pages } from "../http/handler.ts";
import { HttpRefusal } from "../http/problems.ts";
import { contextOf, readJsonBody } from "../http/requests.ts";
import type { OidcSignIn } from "../operators/oidc.ts";
import type { OperatorService } from "../operators/service.ts";
import type { StackService } from "../stack/service.ts";
import { assetAt, pageAt } from "./pages.ts";
import { createConsoleSessions } from "./sessions.ts";

interface ConsoleServices {
  readonly accounts: Accounts;
  readonly clientLimits: ClientLimits;
  readonly operators: OperatorService;
  /** Sign-in at an identity provider, where one is configured. */
  readonly oidc?: OidcSignIn | undefined;
  readonly detection: DetectionService;
  readonly fingerprints: Pick<FingerprintService, "reasonOf">;
  readonly caseStudies: CaseStudyService;
  readonly companies: Pick<CompanyService, "find">;
  readonly stack: Pick<StackService, "tools" | "search" | "history" | "observedAt" | "closestTool">;
  readonly index: IndexService;
  readonly intake: IntakeService;
  readonly version: string;
  readonly categories: readonly Category[];
  readonly health: ReadinessService & StatsService;
}

/** The web pages, and the data that only they need. */
export interface Console extends Pages {
  readonly routes: AnyElysia;
}

/** The recording in `data/examples`. Others with a reserved name were stored by the operator. */
const BUNDLED_EXAMPLE = "harbourline.example";
/** Only recordings of invented companies are public: a bare name, not a text that merely ends like one. */
const INVENTED = /^[a-z\d-]{1,63}\.example$/;
/** Milliseconds. The first page needs no key, and what it shows is read from large tables. */
const START_CACHED_MS = 1_000;
const ANY_AGE = Number.POSITIVE_INFINITY;
const SHOWN_STUDIES = 6;
const SHOWN_TOOLS = 5;
const RECENT_SCANS = 30;
const RECENT_COMPANIES = 10;
const MAX_TYPED = 100;
const SUGGESTED = 6;
/** Icons in one answer. */
const MAX_ICONS = 40;
/** Tools of which the best matches are suggested. */
const RANKED = 60;

/**
 * Pages are at the addresses of `pages.ts`; everything else of the console is under `/console/`.
 *
 * @param options `isIndexHidden` as of the routes of the stack index: no list or suggestion names a scanned company;
 *   `consoleUrl` where people open the console; `onSignInError` logs why a provider did not confirm a sign-in
 */
export function createConsole(
  services: ConsoleServices,
  { isIndexHidden = false, consoleUrl = "", onSignInError = (_error: unknown) => {} } = {},
): Console {
  const { accounts, operators, detection, caseStudies, stack, index, intake, health, version, categories } = services;
  const sessions = createConsoleSessions(operators, services.oidc, consoleUrl);
  /** Clients without a session may try a few times an hour. */
  const limit = (request: Request) => services.clientLimits.take(contextOf(request).client);

  const start = cachedFor(START_CACHED_MS, async () => ({
    version,
    index_hidden: isIndexHidden,
    sign_up: accounts.signUpPolicy.signUp,
    sign_up_domains: accounts.signUpPolicy.signUpDomains,
    stats: await health.stats(),
    areas: categoriesByArea(categories),
    signals: Object.fromEntries(Object.entries(SIGNALS).map(([kind, { about }]) => [kind, about])),
    examples: (await detection.recordedDomains()).filter((domain) => INVENTED.test(domain)),
    preview: await previewOf(detection, categories),
    case_studies: withFigures(await starterStudies(caseStudies)),
  }));

  const routes = new Elysia({ name: "console", prefix: "/console", detail: { hide: true } })
    .get("/files/:version/:name", async ({ request, params }) => {
      const file = await assetAt(request, params.version, params.name);
      if (!file) throw new HttpRefusal("route.not_found", "The console has no such file; reload the page.");
      return file;
    })
    .get("/start", async () => json(await start.get()))
    .get("/lookup/:domain", async ({ request, params: { domain } }) => {
      const answer = async () => json({ lookup: await lookupOf(services, domain) });
      if (INVENTED.test(domain)) return await answer();
      await authenticate(accounts, request);
      // Only a stored result counts as a request; without one, the scan that follows does.
      return (await detection.stored(domain)) === undefined
        ? json({ lookup: null })
        : await withQuota({ accounts }, request, 1, answer);
    })
    .get("/studies/:id", async ({ params }) => {
      const study = await caseStudies.get(params.id);
      // Starter case studies are public; all others need a key.
      if (study.origin !== "starter") throw new Failure("key.invalid", "Get a key to read this case study.");
      return json(study);
    })
    .get("/facets", async ({ request }) => {
      await authenticate(accounts, request);
      const query = new URL(request.url).searchParams;
      const text = (name: string) => query.get(name)?.trim().slice(0, MAX_TYPED) || undefined;
      return json(
        await caseStudies.facets(
          {
            company: text("company"),
            industry: text("industry"),
            client: text("client"),
            country: text("country"),
            publishedAfter: text("after"),
            publishedBefore: text("before"),
            tool: text("tool"),
            figures: query.get("figures") === "true",
            claim: isIndexHidden ? undefined : CLAIM_STATUSES.find((status) => status === query.get("claim")),
          },
          // Claims show which clients were scanned.
          { claims: !isIndexHidden },
        ),
      );
    })
    .get("/usage", async ({ request }) => {
      const { email, ...account } = await authenticate(accounts, request);
      const { limit, remaining, resetSeconds } = await accounts.quota({ email, ...account });
      return json({ email, limit, remaining, reset_seconds: resetSeconds });
    })
    .get("/icons", async ({ request }) => {
      const asked = (new URL(request.url).searchParams.get("domains") ?? "").split(",", MAX_ICONS);
      const hasKey = await authenticate(accounts, request).then(
        () => true,
        () => false,
      );
      const mayAsk = (domain: string) => INVENTED.test(domain) || (hasKey && !isIndexHidden);
      return json(dataUrlsOf(await detection.icons([...new Set(asked)].filter(mayAsk))));
    })
    .get("/companies", async ({ request }) => {
      await authenticate(accounts, request);
      if (isIndexHidden) return json({ companies: [], total: 0 });
      const { domains, total } = await stack.search({}, { sort: "scanned_at", limit: RECENT_COMPANIES });
      return json({ companies: domains.map(({ matched: _, ...company }) => company), total });
    })
    .get("/suggest", async ({ request }) => {
      const typed = new URL(request.url).searchParams.get("q")?.trim().toLowerCase().slice(0, MAX_TYPED) ?? "";
      const hasKey = await authenticate(accounts, request).then(
        () => true,
        () => false,
      );
      return json(await suggestionsFor(services, typed, { hasKey, mayListCompanies: hasKey && !isIndexHidden }));
    })
    .post("/session", async ({ request }) => json({ signed_in: true }, await sessions.openByToken(request)), {
      parse: "none",
    })
    .post(
      "/session/link",
      async ({ request }) => {
        sessions.refuseForeign(request);
        await limit(request);
        return json({ signed_in: true }, await sessions.openByLink(request, await fieldOf(request, "link")));
      },
      { parse: "none" },
    )
    .post(
      "/session/email",
      async ({ request }) => {
        sessions.refuseForeign(request);
        await limit(request);
        operators.mailLink(await fieldOf(request, "email"));
        return json({ sent: true });
      },
      { parse: "none" },
    )
    .post(
      "/session/provider",
      async ({ request }) => {
        sessions.refuseForeign(request);
        await limit(request);
        const { url, setCookie } = await sessions.startFlow(request).catch(logged);
        return json({ url }, setCookie);
      },
      { parse: "none" },
    )
    .get("/sign-in/callback", async ({ request }) => {
      const headers = new Headers({ "cache-control": "no-store" });
      try {
        for (const cookie of await sessions.finishFlow(request)) headers.append("set-cookie", cookie);
        headers.set("location", "/operator");
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.details.cause !== undefined) onSignInError(error.details.cause);
        headers.set("location", `/operator?sign_in=${error.code === "operator.forbidden" ? "refused" : "failed"}`);
      }
      return new Response(null, { status: 303, headers });
    })
    .get("/session", async ({ request }) => {
      const caller = await sessions.caller(request).catch((error) => {
        if (error instanceof Failure && error.code === "operator.invalid") return undefined;
        throw error;
      });
      return json({
        signed_in: caller !== undefined,
        operator: caller
          ? { name: caller.name, role: caller.role, session: caller.session, refused: refusedActions(caller.role) }
          : null,
        sign_in: { email: operators.canMailLinks, provider: services.oidc !== undefined },
      });
    })
    .delete("/session", async ({ request }) => json({ signed_in: false }, await sessions.close(request)), {
      parse: "none",
    })
    .get("/operator/overview", async ({ request }) => {
      await sessions.caller(request);
      const [stats, ready, intakeState, indexState] = await Promise.all([
        health.stats(),
        health.ready(),
        intake.state(),
        index.state(),
      ]);
      return json({
        stats,
        alarms: ready.ready ? ready.alarms : [ready.reason],
        jobs: intakeState.jobs,
        mails: intakeState.mails,
        mail_configured: intakeState.mailConfigured,
        submissions: intakeState.submissions,
        waiting_for_index: indexState.waiting,
        scans_running: detection.scansRunning(),
      });
    })
    .get("/operator/industries", async ({ request }) => {
      await sessions.caller(request);
      return json({ industries: await caseStudies.listIndustries() });
    })
    .get("/operator/scans", async ({ request }) => {
      await sessions.caller(request);
      return json({ scans: await detection.recentScans(RECENT_SCANS) });
    });

  /** The cause is not in the response. */
  function logged(error: unknown): never {
    if (error instanceof Failure && error.details.cause !== undefined) onSignInError(error.details.cause);
    throw error;
  }

  return {
    routes,
    page: (request) => pageAt(request),
    /** `/console/admin/…` is `/admin/…` in the name of the session's operator. */
    async forward(request) {
      const url = new URL(request.url);
      if (!url.pathname.startsWith("/console/admin/")) return { request };
      const session = await sessions.caller(request);
      const headers = new Headers(request.headers);
      for (const name of ["cookie", "authorization", "x-api-key"]) headers.delete(name);
      const forwarded = new Request(`${url.origin}${url.pathname.replace(/^\/console/, "")}${url.search}`, {
        method: request.method,
        headers,
        signal: request.signal,
        ...(request.body ? { body: request.body } : {}),
      });
      return { request: forwarded, session };
    },
  };
}

/** Images that a page shows without another request; the policy allows no other form. */
const dataUrlsOf = (icons: ReadonlyMap<string, CompanyIcon>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...icons].map(([domain, { type, bytes }]) => [
      domain,
      `data:${type};base64,${Buffer.from(bytes).toString("base64")}`,
    ]),
  );

/** A text of a JSON body; empty without one. */
async function fieldOf(request: Request, name: string): Promise<string> {
  const value: unknown = Reflect.get(Object(await readJsonBody(request)), name);
  return typeof value === "string" ? value : "";
}

/** JSON that no cache may keep. */
const json = (value: unknown, setCookie?: string): Response =>
  Response.json(value, {
    headers: { "cache-control": "no-store", ...(setCookie === undefined ? {} : { "set-cookie": setCookie }) },
  });

/** A few tools of the bundled example with their best evidence: the most certain one of each area. */
async function previewOf(detection: DetectionService, categories: readonly Category[]) {
  if (!(await detection.recordedDomains()).includes(BUNDLED_EXAMPLE)) return null;
  const { detections } = await detection.enrich(BUNDLED_EXAMPLE, { maxAgeSeconds: ANY_AGE });
  const areas = new Map(categories.map(({ label, area }) => [label, area]));
  const byConfidence = detections.toSorted((one, other) => other.confidence - one.confidence);
  const tools = AREAS.flatMap((area) => byConfidence.find(({ category }) => areas.get(category) === area) ?? []);
  return {
    domain: BUNDLED_EXAMPLE,
    tools_detected: detections.length,
    tools: tools.slice(0, SHOWN_TOOLS).map(({ tool, category, confidence, evidence: [best] }) => ({
      tool,
      category,
      confidence,
      level: levelOf(confidence),
      proof: best ? `${best.signal} ${best.value}` : "",
    })),
  };
}

/**
 * The stored result of a company with what the page adds to the API's: ids and meanings of the tools, the reason of each
 * piece of evidence, and the history. Null when nothing is stored.
 */
async function lookupOf({ detection, fingerprints, stack }: ConsoleServices, domain: string) {
  if ((await detection.stored(domain)) === undefined) return null;
  const enrichment = await detection.enrich(domain, { maxAgeSeconds: ANY_AGE, minConfidence: LEAST.possible });
  const [history, observedAt, icons] = await Promise.all([
    stack.history(enrichment.domain).catch(ifMissing),
    stack.observedAt(enrichment.domain),
    detection.icons([enrichment.domain]),
  ]);
  return {
    icon: dataUrlsOf(icons)[enrichment.domain] ?? null,
    result: enrichmentView(enrichment, { evidence: true, sources: true, third_parties: true }),
    about: enrichment.detections.map(({ id, means, evidence }) => ({
      id,
      means,
      reasons: evidence.map((each) => fingerprints.reasonOf(each) ?? null),
    })),
    history: history && { ...history, observed_at: observedAt },
  };
}

/** A result whose observations were deleted has no history. */
function ifMissing(error: unknown): null {
  if (error instanceof Failure && error.code === "history.not_found") return null;
  throw error;
}

/** Names that match a text. Without a key: only tools, and the recorded examples. */
async function suggestionsFor(
  { detection, companies, stack }: ConsoleServices,
  typed: string,
  { hasKey, mayListCompanies }: { readonly hasKey: boolean; readonly mayListCompanies: boolean },
) {
  if (typed === "") return { companies: [], tools: [], vendors: [], closest: null };
  const limit = { limit: SUGGESTED };
  const [tools, scanned, vendors] = await Promise.all([
    stack.tools({ q: typed }, { limit: RANKED }),
    mayListCompanies ? stack.search({ prefix: typed }, limit) : examplesLike(detection, typed),
    hasKey ? companies.find({ q: typed }, limit) : { companies: [] },
  ]);
  const closest = tools.tools.length === 0 ? stack.closestTool(typed) : undefined;
  return {
    companies: scanned.domains.map(({ domain, tools_detected }) => ({ domain, tools_detected })),
    // The names that begin with the text come first.
    tools: tools.tools
      .toSorted((one, other) => Number(startsWith(other.name, typed)) - Number(startsWith(one.name, typed)))
      .slice(0, SUGGESTED)
      .map(({ id, name, category }) => ({ id, tool: name, category })),
    vendors: vendors.companies.map(({ slug, name, total_case_studies }) => ({
      slug,
      name,
      case_studies: total_case_studies,
    })),
    closest: closest ? { id: closest.id, tool: closest.name, category: closest.category } : null,
  };
}

const startsWith = (name: string, typed: string): boolean => name.toLowerCase().startsWith(typed);

async function examplesLike(detection: DetectionService, typed: string) {
  const domains = (await detection.recordedDomains()).filter(
    (domain) => INVENTED.test(domain) && domain.startsWith(typed),
  );
  return {
    domains: await Promise.all(
      domains.slice(0, SUGGESTED).map(async (domain) => ({
        domain,
        tools_detected: (await detection.stored(domain))?.detections.length ?? 0,
      })),
    ),
  };
}

const starterStudies = async (caseStudies: CaseStudyService) =>
  (await caseStudies.list({}, { limit: 100 })).case_studies.filter(({ origin }) => origin === "starter");

/** At most one case study of each vendor, and only those with a figure to show. */
function withFigures(studies: readonly CaseStudy[]): readonly CaseStudy[] {
  const vendors = new Set<string>();
  return studies
    .filter(({ company, client, outcomes }) => {
      if (vendors.has(company.slug) || !client.name || !outcomes.some(hasFigure)) return false;
      vendors.add(company.slug);
      return true;
    })
    .slice(0, SHOWN_STUDIES);
}

const hasFigure = ({ value, unit, kind, better }: CaseStudy["outcomes"][number]) =>
  value !== null && (unit === "%" || unit === "x") && kind === "change" && better === true;
