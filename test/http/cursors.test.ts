import { expect, test } from "bun:test";
import type { OpenApi } from "../../src/reference/openapi.ts";
import { filled } from "./filled.ts";
import { problemOf } from "./opened.ts";

const AT = "2026-05-04T12:00:00.000Z";

/** By the path of a paged list: cursor contents that no page has returned. */
const PLACES: readonly (readonly [string, readonly (string | number)[]])[] = [
  ["/v1/enrich/batches", ["batches", 7]],
  ["/v1/enrich/batches/{id}/results", ["batch results", 7]],
  ["/v1/tools", ["tools", 7, "a", "a"]],
  ["/v1/tools/{tool}/companies", ["domains", "a.test"]],
  ["/v1/domains", ["domains", "a.test"]],
  ["/v1/domains?sort=tools", ["domains by tools", 7, "a.test"]],
  ["/v1/casestudies", ["case studies", "2024-01-01", "a"]],
  ["/v1/companies", ["companies", "a", "a"]],
  ["/v1/companies?q=tidewell", ["found companies", "prefix", 1, "a", "a"]],
  ["/admin/keys", ["keys", AT, "key_1"]],
  ["/admin/submissions", ["submissions", AT, "sub_1"]],
  ["/admin/jobs", ["jobs", 7]],
  ["/admin/mails", ["mails", 7]],
  ["/admin/casestudies?order=newest", ["review newest", 0, 7]],
  ["/admin/casestudies?order=least-sure", ["review least-sure", 0.5, 7]],
  ["/admin/companies", ["companies", "a", "a"]],
  ["/admin/fingerprints", ["fingerprints", "widget"]],
  ["/admin/feedback", ["feedback", AT, "brightpine.test", "widget"]],
  ["/admin/audit", ["audit", 7]],
  ["/admin/opt-outs", ["opt-outs", "brightpine.test"]],
  ["/admin/watches", ["watches", "brightpine.test"]],
  ["/admin/changes", ["changes", AT, 7]],
  ["/admin/webhooks/deliveries", ["deliveries", 7]],
];

const cursorOf = (json: string) => `cursor=${Buffer.from(json).toString("base64url")}`;
const joined = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

const service = await filled();
const { token } = await service.app.operator.ensureOperatorToken();
const batch = await service.app.batches.create({ owner: "ana@brightpine.test" }, [{ input: "brightpine.test" }]);
const ask = (path: string, cursor: string) =>
  service.get(
    joined(path.replace("{id}", batch.id).replace("{tool}", "gadget"), cursor),
    path.startsWith("/admin") ? { operator: token } : {},
  );

test.each(PLACES)("%s accepts its own cursor, and refuses one with a part of another type", async (path, place) => {
  expect((await ask(path, cursorOf(JSON.stringify(place)))).status).toBe(200);
  const spoilt = place.map((part, at) => JSON.stringify(place.with(at, typeof part === "number" ? "x" : 5)));
  const endless = place
    .filter((part) => typeof part === "number")
    .map((part) => JSON.stringify(place).replace(`${part}`, "1e999"));
  const cut = JSON.stringify(place.slice(0, -1));
  const long = JSON.stringify([...place, "x"]);
  for (const json of [...spoilt, ...endless, cut, long, "{}", "null", "["]) {
    const answer = await ask(path, cursorOf(json));
    expect([json, answer.status, (await problemOf(answer)).code]).toEqual([json, 422, "cursor.invalid"]);
  }
});

test("these tests cover every list that accepts a cursor", async () => {
  const document: OpenApi = JSON.parse(await (await service.ask("/openapi.json")).text());
  const paged = Object.entries(document.paths).filter(([, { get }]) =>
    get?.parameters?.some(({ name }) => name === "cursor"),
  );
  expect(paged.map(([path]) => path).sort()).toEqual(
    [...new Set(PLACES.map(([path]) => path.replace(/\?.*/, "")))].sort(),
  );
});
