import type { Scanner } from "../../src/detection/scanners/scanner.ts";
import type { Signal } from "../../src/detection/signals.ts";
import type { Visit } from "../../src/detection/visit/visit.ts";
import type { HttpAnswer } from "../../src/net/exchange.ts";
import type { LookupStatus } from "../../src/net/snapshot.ts";
import { fakeVisit } from "./scanners/fake-visit.ts";

/** A scanner that emits the given signals. */
export const scanner = (id: string, scan: Scanner["scan"], rest: Partial<Scanner> = {}): Scanner => ({
  id,
  phase: "identity",
  emits: ["html.script"],
  timeoutMs: 5_000,
  scan,
  ...rest,
});

/** Loads the script of an invented tool. */
export const loads = (id: string): Signal => ({
  kind: "html.script",
  value: `https://${id}.test/`,
  location: "https://acme.example/",
});

/** Ends with the visit, as every pending lookup does. */
export const hang = (visit: Visit): Promise<never> =>
  new Promise((_, reject) => visit.signal.addEventListener("abort", () => reject(visit.signal.reason)));

/**
 * A visit in which the first label of a host is the status of its pages, `https://timeout.test/`, or
 * with a code: `https://x403.test/`.
 */
export function visitOf(signal: AbortSignal = new AbortController().signal): Visit {
  return {
    ...fakeVisit(),
    signal,
    http: async (url): Promise<HttpAnswer> => {
      const [label = ""] = new URL(url).hostname.split(".");
      const reported = Number(label.slice(1)) || 200;
      const status = reported === 200 ? statusOf(label) : "ok";
      const final = {
        method: "GET",
        url,
        status,
        code: status === "ok" ? reported : 0,
        headers: [],
        body: "",
      } as const;
      return { hops: [final], final };
    },
  };
}

const STATUSES: readonly LookupStatus[] = ["ok", "timeout", "failed", "refused", "unrecorded"];
const statusOf = (label: string) => STATUSES.find((status) => status === label) ?? "failed";
