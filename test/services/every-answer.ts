import type { Services } from "../../src/compose.ts";
import { exampleText } from "../box/example.ts";
import { HARBOURLINE } from "./fake-intake.ts";
import { fill } from "./study-records.ts";

export interface Names {
  readonly key: string;
  readonly operator: string;
  readonly submission: string;
  readonly batch: string;
}

/** Fills an installation with data of every kind and its index, and returns the names that requests need. */
export async function furnish(app: Services): Promise<Names> {
  await app.detection.analyse(
    app.detection.read(exampleText(), { name: "example.json", capturedAt: "2026-11-02T09:00:00Z" }),
    {
      keep: true,
    },
  );
  await fill(app);
  await app.caseStudies.correct("tidewell-northgate", { title: "Northgate Savings leaves its mainframe for good" });
  await app.accounts.issue("bo@brightpine.test");
  await app.accounts.revoke("bo@brightpine.test");
  await app.index.indexNow();
  return {
    key: (await app.accounts.issue("ana@brightpine.test")).api_key,
    operator: (await app.operator.ensureOperatorToken()).token ?? "",
    submission: (await app.intake.submit(HARBOURLINE)).id,
    batch: (await app.batches.create({ owner: "ana@brightpine.test" }, [{ input: "harbourline.example" }])).id,
  };
}

/** In addition to every GET operation of the reference. */
const MORE = [
  "/healthz",
  "/readyz",
  "/llms.txt",
  "/openapi.json",
  "/v1/enrich/{domain}?include=evidence,sources",
  "/v1/casestudies?limit=100",
  "/v1/casestudies?company=tidewell&industry=banking",
  "/v1/companies?q=quay",
];
/** Not part of a backup: the archives themselves, what is about one process, and exports, which have their own time. */
const NOT_CARRIED = [
  "/admin/activity",
  "/admin/backups",
  "/admin/backups/{name}",
  "/admin/nodes",
  "/metrics",
  "/admin/privacy/{subject}",
];

const SEARCHES = ["hybrid", "semantic", "keyword"].flatMap((mode) => [
  ["/v1/casestudies/semantic", { query: "a bank that left its mainframe", mode, limit: 10 }] as const,
  ["/v1/casestudies/semantic", { query: "night shift", mode, company: "quayline" }] as const,
]);
const POSTS = [
  ...SEARCHES,
  ["/v1/casestudies/batch", { queries: [{ query: "parcels" }, { query: "schools", limit: 2 }] }] as const,
  ["/v1/compare", { companies: ["tidewell", "quayline"] }] as const,
];

/** Every response as the client sees it: status, headers about its content, body. */
export async function answersOf(
  service: (request: Request) => Promise<Response>,
  names: Names,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const ask = async (path: string, json?: unknown) => {
    const place = path
      .replace("{domain}", "harbourline.example")
      .replace("{tool}", "hubspot")
      .replace("submissions/{id}", `submissions/${names.submission}`)
      .replace("batches/{id}", `batches/${names.batch}`)
      .replace("{id}", "tidewell-northgate")
      .replace("{slug}", "tidewell");
    const headers = {
      "x-api-key": names.key,
      "content-type": "application/json",
      ...(path.startsWith("/admin") ? { authorization: `Bearer ${names.operator}` } : {}),
    };
    const request = new Request(`http://casefile.test${place}`, {
      headers,
      ...(json === undefined ? {} : { method: "POST", body: JSON.stringify(json) }),
    });
    const answer = await service(request);
    const told = ["content-type", "etag", "ratelimit-policy"].map((name) => answer.headers.get(name));
    const left = /;r=(\d+);/.exec(answer.headers.get("ratelimit") ?? "")?.[1];
    answers[`${path} ${JSON.stringify(json)}`] = [answer.status, ...told, left, await answer.text()];
  };
  const reference = await service(new Request("http://casefile.test/openapi.json"));
  const { paths }: { paths: Record<string, object> } = JSON.parse(await reference.text());
  const gets = Object.keys(paths).filter((path) => "get" in (paths[path] ?? {}) && !NOT_CARRIED.includes(path));
  for (const path of [...gets, ...MORE]) await ask(path);
  for (const [path, json] of POSTS) await ask(path, json);
  return answers;
}
