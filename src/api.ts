import type { Logger } from "pino";
import { accountRoutes } from "./accounts/routes.ts";
import { backupListRoutes, backupRoutes } from "./backup/routes.ts";
import { batchRoutes } from "./batches/routes.ts";
import { companyAdminRoutes, companyRoutes } from "./casestudies/companies/routes.ts";
import { emailRoutes, readRoutes, submissionRoutes, submitRoutes } from "./casestudies/intake/routes.ts";
import { reviewRoutes } from "./casestudies/review/routes.ts";
import { caseStudyRoutes, industryRoutes } from "./casestudies/routes.ts";
import { SCORE_TEXT } from "./casestudies/view.ts";
import type { Services } from "./compose.ts";
import type { Console } from "./console/routes.ts";
import { feedbackRoutes, fingerprintRoutes } from "./detection/fingerprints/routes.ts";
import { categoriesByArea } from "./detection/fingerprints/types.ts";
import { createStreamLimit, dataSourceRoutes, detectionRoutes } from "./detection/routes.ts";
import type { ServiceMetrics } from "./health/metrics.ts";
import { activityRoutes, nodeRoutes, serviceRoutes } from "./health/routes.ts";
import type { Addresses } from "./http/address-check.ts";
import { createHandler, createRoutes } from "./http/handler.ts";
import type { HttpHandler, Lifecycle } from "./http/server.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { type Agents, agentRoutes } from "./mcp/routes.ts";
import { modelRoutes } from "./models/routes.ts";
import { auditRoutes, operatorRoutes, sessionRoutes } from "./operators/routes.ts";
import { optOutRoutes, privacyRoutes } from "./privacy/routes.ts";
import { prospectRoutes, vendorToolRoutes } from "./prospects/routes.ts";
import { referenceRoutes } from "./reference/routes.ts";
import { historyRoutes, stackRoutes } from "./stack/routes.ts";
import { changeRoutes, watchRoutes, webhookRoutes } from "./watches/routes.ts";

export interface HttpParts {
  readonly app: Services;
  readonly log: Logger;
  readonly metrics: ServiceMetrics;
  readonly lifecycle: Lifecycle;
  readonly agents: Agents;
  /** Without it there is only the API. */
  readonly console?: Console;
  readonly settings: {
    readonly metricsPublic: boolean;
    /** Number of reverse proxies whose `X-Forwarded-For` is trusted. */
    readonly trustProxyHops: number;
    readonly maxStreams: number;
    readonly addresses: Addresses;
    /** Only the operator may use the stack index. */
    readonly isIndexHidden?: boolean | undefined;
  };
}

/** The routes of every feature. */
export function createRoutesOf(parts: HttpParts) {
  const { app, log, metrics, lifecycle, agents, settings } = parts;
  const onStreamError = (id: string, err: unknown) => log.error({ request_id: id, err }, "a stream failed");
  const routes = createRoutes(log)
    .use(serviceRoutes(app, lifecycle, metrics, settings.metricsPublic))
    .use(referenceRoutes({ version: app.version, areas: categoriesByArea(app.categories), scoreText: SCORE_TEXT }))
    .use(accountRoutes(app))
    .use(operatorRoutes(app))
    .use(sessionRoutes(app))
    .use(auditRoutes(app, onStreamError))
    .use(submitRoutes(app))
    .use(submissionRoutes(app))
    .use(activityRoutes(app))
    .use(nodeRoutes(app))
    .use(jobRoutes(app))
    .use(emailRoutes(app))
    .use(reviewRoutes(app))
    .use(companyAdminRoutes(app))
    .use(vendorToolRoutes(app))
    .use(backupRoutes(app))
    .use(modelRoutes(app))
    .use(feedbackRoutes(app))
    .use(fingerprintRoutes(app))
    .use(dataSourceRoutes(app))
    .use(watchRoutes(app))
    .use(changeRoutes(app))
    .use(webhookRoutes(app))
    .use(backupListRoutes(app))
    .use(optOutRoutes(app))
    .use(privacyRoutes(app))
    .use(caseStudyRoutes(app, settings.isIndexHidden))
    .use(readRoutes(app))
    .use(industryRoutes(app))
    .use(companyRoutes(app))
    .use(prospectRoutes(app, settings.isIndexHidden))
    .use(historyRoutes(app))
    .use(stackRoutes(app, onStreamError, settings.isIndexHidden))
    .use(agentRoutes(app.accounts, agents))
    .use(batchRoutes(app, onStreamError))
    .use(detectionRoutes(app, createStreamLimit(settings.maxStreams, metrics), onStreamError));
  if (parts.console) routes.use(parts.console.routes);
  return routes;
}

/** The HTTP surface. */
export function createHttp(parts: HttpParts): HttpHandler {
  const { log, metrics, lifecycle, settings } = parts;
  return createHandler(createRoutesOf(parts), {
    log,
    metrics,
    lifecycle,
    trustProxyHops: settings.trustProxyHops,
    addresses: settings.addresses,
    pages: parts.console,
  });
}
