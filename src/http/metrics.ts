import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Metrics of the HTTP surface. */
export interface Metrics {
  request(method: string, route: string, status: number, seconds: number): void;
  streamOpened(): void;
  streamClosed(): void;
}

export function createHttpMetrics(registry: Registry): Metrics {
  const registers = [registry];
  const requests = new Counter({
    name: "casefile_http_requests_total",
    help: "Requests answered, by method, route and status.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const latency = new Histogram({
    name: "casefile_http_request_duration_seconds",
    help: "Time to answer a request, by route; for a stream, the time to its first event.",
    labelNames: ["route"],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers,
  });
  const streams = new Gauge({ name: "casefile_streams_open", help: "Open event streams.", registers });
  return {
    request(method, route, status, seconds) {
      requests.inc({ method, route, status: String(status) });
      latency.observe({ route }, seconds);
    },
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
  };
}
