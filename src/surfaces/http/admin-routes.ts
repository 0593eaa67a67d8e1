import { Elysia } from "elysia";
import type { App } from "../../app/app.ts";
import { backupListRoutes, backupRoutes } from "./admin/backups.ts";
import { vendorRoutes } from "./admin/company-routes.ts";
import { feedbackRoutes } from "./admin/feedback.ts";
import { fingerprintRoutes } from "./admin/fingerprint-routes.ts";
import { jobRoutes } from "./admin/job-routes.ts";
import { keyRoutes } from "./admin/key-routes.ts";
import { mailRoutes } from "./admin/mail-routes.ts";
import { modelRoutes } from "./admin/model-routes.ts";
import { sourceRoutes } from "./admin/source-routes.ts";
import { correctionRoutes } from "./admin/study-routes.ts";
import { submissionRoutes } from "./admin/submission-routes.ts";
import { changeRoutes, watchRoutes } from "./admin/watch-routes.ts";
import { webhookRoutes } from "./admin/webhook-routes.ts";

/** What the operator does; whatever changes something is a command too. */
export const adminRoutes = (app: App) =>
  new Elysia({ name: "admin" })
    .use(keyRoutes(app))
    .use(submissionRoutes(app))
    .use(jobRoutes(app))
    .use(mailRoutes(app))
    .use(correctionRoutes(app))
    .use(vendorRoutes(app))
    .use(backupRoutes(app))
    .use(modelRoutes(app))
    .use(feedbackRoutes(app))
    .use(fingerprintRoutes(app))
    .use(sourceRoutes(app))
    .use(watchRoutes(app))
    .use(changeRoutes(app))
    .use(webhookRoutes(app))
    .use(backupListRoutes(app));
