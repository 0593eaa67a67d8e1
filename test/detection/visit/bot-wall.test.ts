import { expect, test } from "bun:test";
import { observeVisit } from "../../../src/detection/visit/visit.ts";
import type { HttpExchange } from "../../../src/net/snapshot.ts";
import { never } from "../../net/loopback.ts";
import { fakeVisit } from "../scanners/fake-visit.ts";

const frame = '<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=9&incident_id=7-1"></iframe>';
test.each<[string, string, Partial<HttpExchange>, "shown" | "withheld" | undefined]>([
  ["a page", "/", {}, "shown"],
  ["a page that a recorded browser had", "/", { code: 304 }, "shown"],
  ["a refusal", "/", { code: 403 }, "withheld"],
  ["a page that is not there", "/", { code: 404 }, "withheld"],
  ["maintenance", "/", { code: 503 }, "withheld"],
  ["a redirect that leads nowhere", "/", { code: 302 }, "withheld"],
  ["Amazon's question whether we are human", "/", { code: 202 }, "withheld"],
  ["Cloudflare's", "/", { headers: [["cf-mitigated", "challenge"]] }, "withheld"],
  ["Imperva's", "/", { body: frame }, "withheld"],
  ["another place, of which it may have none", "/security.txt", { code: 404 }, undefined],
  ["a question to a service", "/?q=acme.test", { code: 502 }, undefined],
  ["a front that nobody answered for", "/", { status: "timeout", code: 0 }, undefined],
  ["a page that broke off", "/", { detail: "the connection ended inside the body" }, undefined],
])("counts whether the home page was shown: %s", async (_, path, reported, counted) => {
  const url = `https://acme.test${path}`;
  const final = { method: "GET", url, status: "ok", code: 200, headers: [], body: "page", ...reported } as const;
  const { visit, counts } = observeVisit({ ...fakeVisit(), http: async () => ({ hops: [final], final }) }, never);
  await visit.http(url);
  expect([counts.shown, counts.withheld]).toEqual([Number(counted === "shown"), Number(counted === "withheld")]);
});

test("a requested redirect does not count as a withheld page", async () => {
  const final = { method: "GET", url: "", status: "ok", code: 301, headers: [], body: "" } as const;
  const { visit, counts } = observeVisit({ ...fakeVisit(), http: async () => ({ hops: [final], final }) }, never);
  await visit.http("https://acme.test/", { follow: false });
  expect([counts.answered, counts.shown, counts.withheld]).toEqual([1, 0, 0]);
});
