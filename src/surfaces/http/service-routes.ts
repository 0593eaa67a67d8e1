import { Elysia } from "elysia";
import type { App } from "../../app/app.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Metrics } from "./metrics.ts";
import { HttpRefusal } from "./problems.ts";
import { contextOf } from "./request-context.ts";

/** Whether the service lives, whether it can work, and what it did. */
export const serviceRoutes = (app: App, lifecycle: Lifecycle, metrics: Metrics, metricsPublic: boolean) =>
  new Elysia({ name: "service", detail: { hide: true } })
    .get("/healthz", () => Response.json({ status: "ok", version: app.version }))
    .get("/readyz", async () => {
      const state = lifecycle.state();
      const { ready, reason, alarms } =
        state === "ready" ? await app.ready() : { ready: false, reason: `The service is ${state}.`, alarms: [] };
      return Response.json(
        { status: ready ? "ready" : "not ready", reason, alarms },
        { status: ready ? 200 : 503, headers: ready ? {} : { "retry-after": "5" } },
      );
    })
    .get("/metrics", async ({ request }) => {
      if (!metricsPublic && !contextOf(request).local) {
        throw new HttpRefusal(
          "operator.only",
          "Metrics are told on this machine only, unless server.metrics_public is set.",
        );
      }
      return new Response(await metrics.text(), { headers: { "content-type": metrics.contentType } });
    });
