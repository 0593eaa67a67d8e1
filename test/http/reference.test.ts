import { describe, expect, test } from "bun:test";
import { HARBOURLINE } from "../services/fake-intake.ts";
import { filled } from "./filled.ts";
import { jsonOf, open } from "./opened.ts";

const read = async () => jsonOf(await (await open()).ask("/openapi.json"));

/** The document with all references resolved. */
async function readWhole() {
  const document = await read();
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== "object" || value === null) return value;
    const ref = Reflect.get(value, "$ref");
    if (typeof ref === "string") {
      return whole(
        ref
          .split("/")
          .slice(1)
          .reduce((at, part) => at[part], document),
      );
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, whole(inner)]));
  };
  return { paths: Object(whole(document.paths)) };
}

/** Every object inside a value. */
function* within(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { ...value };
  for (const inner of Object.values(value)) yield* within(inner);
}

interface Shown {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Shown[];
  readonly items?: Shown;
  readonly properties?: Readonly<Record<string, Shown>>;
  readonly required?: readonly string[];
}

/** Paths at which a value differs from its schema. */
function* misfits(schema: Shown, value: unknown, at: string): Generator<string> {
  if (schema.anyOf) {
    if (schema.anyOf.every((one) => [...misfits(one, value, at)].length > 0)) yield at;
  } else if (schema.const !== undefined) {
    if (schema.const !== value) yield at;
  } else if (schema.type === "array") {
    if (!Array.isArray(value)) yield at;
    else for (const [index, item] of value.entries()) yield* misfits(schema.items ?? {}, item, `${at}/${index}`);
  } else if (schema.type === "object" && !schema.properties) {
    if (typeof value !== "object" || value === null) yield at;
  } else if (schema.type === "object") {
    const shown = new Set(Object.keys(schema.properties ?? {}));
    const required = schema.required ?? [];
    const isObject = typeof value === "object" && value !== null;
    if (!isObject || Object.keys(value).some((name) => !shown.has(name)) || required.some((name) => !(name in value)))
      yield at;
    else
      for (const [name, inner] of Object.entries(value))
        yield* misfits(schema.properties?.[name] ?? {}, inner, `${at}/${name}`);
  } else if (
    schema.type === "integer" ? !Number.isInteger(value) : schema.type !== (value === null ? "null" : typeof value)
  )
    yield at;
}

describe("the document", () => {
  test("is OpenAPI 3.1 with a title, a version and two security schemes", async () => {
    const { openapi, info, components, tags } = await read();
    expect(openapi).toMatch(/^3\.1\./);
    expect(info).toMatchObject({ title: "Casefile", version: "1.2.3", license: { identifier: "Apache-2.0" } });
    expect(info.description).toContain("| analytics and tracking | Analytics |");
    expect(components.securitySchemes).toEqual({
      key: { type: "apiKey", in: "header", name: "X-API-Key", description: expect.any(String) },
      operator: { type: "http", scheme: "bearer", description: expect.any(String) },
    });
    expect(tags.map(({ name }: { name: string }) => name)).toEqual([
      "Enrichment",
      "Batches",
      "Stack index",
      "Case studies",
      "Companies",
      "Prospects",
      "Submissions",
      "Keys",
      "Service",
      "Operator",
    ]);
  });

  test("has every operation with its statuses and security", async () => {
    const { paths } = await read();
    const calls = Object.entries<Record<string, Record<string, object>>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId, responses, security }]) =>
          `${method} ${path} ${operationId} ${Object.keys(responses ?? {})} ${JSON.stringify(security)}`,
      ),
    );
    expect(calls.sort()).toEqual([
      'delete /admin/casestudies/{id} removeCaseStudy 204,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'delete /admin/casestudies/{id}/corrections/{field} takeBackCorrection 200,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'delete /admin/feedback/{domain}/{tool} takeBackFeedback 200,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'delete /admin/keys/{key} revokeKey 200,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'delete /admin/operators/{operator} removeOperator 200,401,403,404,405,409,421,422,500,503 [{"operator":[]}]',
      'delete /admin/opt-outs/{pattern} removeOptOut 200,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'delete /admin/privacy/{subject} eraseData 200,401,403,405,421,422,500,503 [{"operator":[]}]',
      'delete /admin/sessions/{session} revokeSession 200,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'delete /admin/vendor-tools/{slug} resetVendorTools 200,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'delete /admin/watches/{domain} unwatchDomain 200,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'delete /admin/webhooks/{webhook} removeWebhook 200,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/activity getActivity 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/audit listAudit 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/backups listBackups 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/backups/{name} downloadBackup 200,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/casestudies reviewCaseStudies 200,304,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/casestudies/{id} inspectCaseStudy 200,304,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/changes listChanges 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/companies listCompanies 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/companies/{slug} inspectCompany 200,304,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/feedback listFeedback 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/fingerprints listFingerprints 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/fingerprints/unknown listUnknown 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/fingerprints/{tool} explainFingerprint 200,304,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/jobs listJobs 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/keys listKeys 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/mails listMails 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/models listModels 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/nodes listNodes 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/operators listOperators 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/opt-outs listOptOuts 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/privacy/{subject} exportData 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/sessions listSessions 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/sources sourceHealth 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/submissions listSubmissions 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/submissions/{id} getSubmission 200,304,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/vendor-tools/{slug} getVendorTools 200,304,401,403,404,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/watches listWatches 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/webhooks listWebhooks 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      'get /admin/webhooks/deliveries listDeliveries 200,304,401,403,405,421,422,500,503 [{"operator":[]}]',
      "get /healthz getHealth 200,403,405,421,500 []",
      "get /metrics getMetrics 200,403,405,421,500 []",
      "get /readyz getReadiness 200,403,405,421,500,503 []",
      'get /v1/casestudies listCaseStudies 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/casestudies/{id} getCaseStudy 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/companies findCompanies 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/companies/{slug} getCompany 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/companies/{slug}/analysis analyseCompany 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/companies/{slug}/rivals listRivals 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/companies/{slug}/timeline companyTimeline 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/domains listDomains 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/enrich-stream/{domain} enrichStream 200,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/enrich/batches listBatches 200,304,401,403,405,406,421,422,500,503 [{"key":[]}]',
      'get /v1/enrich/batches/{id} getBatch 200,304,401,403,404,405,406,421,422,500,503 [{"key":[]}]',
      'get /v1/enrich/batches/{id}/results batchResults 200,304,401,403,404,405,406,421,422,500,503 [{"key":[]}]',
      'get /v1/enrich/{domain} enrich 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/enrich/{domain}/history getHistory 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/industries listIndustries 200,304,401,403,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/prospects/{domain}/brief getBrief 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/prospects/{domain}/gaps listGaps 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      "get /v1/stats getStats 200,304,403,405,406,421,422,500,503 []",
      'get /v1/tools listTools 200,304,401,403,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/tools/{tool} getTool 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'get /v1/tools/{tool}/companies listToolCompanies 200,304,401,403,404,405,406,421,422,429,500,503 [{"key":[]}]',
      'patch /admin/casestudies/{id} correctCaseStudy 200,400,401,403,404,405,413,415,421,422,500,503 [{"operator":[]}]',
      'patch /admin/companies/{slug} editCompany 200,400,401,403,404,405,409,413,415,421,422,500,503 [{"operator":[]}]',
      'patch /admin/keys/{key} limitKey 200,400,401,403,404,405,413,415,421,422,500,503 [{"operator":[]}]',
      'patch /admin/operators/{operator} setOperatorRole 200,400,401,403,404,405,409,413,415,421,422,500,503 [{"operator":[]}]',
      'patch /admin/submissions/{id} editSubmission 200,400,401,403,404,405,409,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/backup createBackup 201,401,403,405,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/companies/{slug}/merge mergeCompanies 200,400,401,403,404,405,409,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/feedback reportFalse 200,400,401,403,404,405,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/jobs/{id}/retry retryJob 200,401,403,404,405,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/keys/{key}/reissue reissueKey 200,401,403,404,405,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/models/{name}/use useModel 202,401,403,404,405,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/operators inviteOperator 201,400,401,403,405,409,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/operators/{operator}/link createSignInLink 200,401,403,404,405,409,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/opt-outs addOptOut 200,400,401,403,405,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/submissions/{id}/approve approveSubmission 200,401,403,404,405,409,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/submissions/{id}/reject rejectSubmission 200,400,401,403,404,405,409,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/submissions/{id}/retry retrySubmission 200,401,403,404,405,409,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/webhooks addWebhook 201,400,401,403,405,409,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/webhooks/{webhook}/rotate rotateWebhook 200,401,403,404,405,413,415,421,422,500,503 [{"operator":[]}]',
      'post /admin/webhooks/{webhook}/test testWebhook 200,401,403,404,405,413,415,421,422,500,503 [{"operator":[]}]',
      'post /v1/casestudies/answer answerFromCaseStudies 200,400,401,403,404,405,406,413,415,421,422,429,500,503 [{"key":[]}]',
      'post /v1/casestudies/batch searchCaseStudiesBatch 200,400,401,403,404,405,406,413,415,421,422,429,500,503 [{"key":[]}]',
      'post /v1/casestudies/read readCaseStudy 200,400,401,403,405,406,413,415,421,422,429,500,503 [{"key":[]}]',
      'post /v1/casestudies/semantic searchCaseStudies 200,400,401,403,404,405,406,413,415,421,422,429,500,503 [{"key":[]}]',
      'post /v1/compare compareCompanies 200,400,401,403,404,405,406,413,415,421,422,429,500,503 [{"key":[]}]',
      'post /v1/domains/search searchDomains 200,400,401,403,404,405,406,413,415,421,422,429,500,503 [{"key":[]}]',
      'post /v1/enrich/batches createBatch 202,400,401,403,404,405,406,409,413,415,421,422,429,500,503 [{"key":[]}]',
      'post /v1/enrich/batches/{id}/cancel cancelBatch 200,401,403,404,405,406,409,413,415,421,422,500,503 [{"key":[]}]',
      'post /v1/enrich/batches/{id}/pause pauseBatch 200,401,403,404,405,406,409,413,415,421,422,500,503 [{"key":[]}]',
      'post /v1/enrich/batches/{id}/resume resumeBatch 200,401,403,404,405,406,409,413,415,421,422,500,503 [{"key":[]}]',
      'post /v1/enrich/batches/{id}/retry retryBatch 200,401,403,404,405,406,409,413,415,421,422,429,500,503 [{"key":[]}]',
      "post /v1/keys issueKey 201,400,403,405,406,409,413,415,421,422,429,500,503 []",
      'post /v1/keys/rotate rotateKey 200,401,403,405,406,413,415,421,422,429,500,503 [{"key":[]}]',
      'post /v1/prospects/{domain}/proof findProof 200,400,401,403,404,405,406,413,415,421,422,429,500,503 [{"key":[]}]',
      "post /v1/submit submitCaseStudies 202,400,403,405,406,413,415,421,422,429,500,503 []",
      'put /admin/vendor-tools/{slug} setVendorTools 200,400,401,403,404,405,413,415,421,422,500,503 [{"operator":[]}]',
      'put /admin/watches/{domain} watchDomain 200,400,401,403,405,409,413,415,421,422,500,503 [{"operator":[]}]',
    ]);
  });

  test("has all path parameters, and no wildcard", async () => {
    const { paths } = await read();
    for (const [path, methods] of Object.entries<Record<string, { parameters?: { name: string; in: string }[] }>>(
      paths,
    )) {
      expect(path).toMatch(/^\/[a-z0-9/{}-]+$/);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      for (const { parameters = [] } of Object.values(methods)) {
        expect(parameters.filter((one) => one.in === "path").map(({ name }) => name)).toEqual(named);
      }
    }
  });

  test("shows the JSON body of an operation", async () => {
    const { paths } = await readWhole();
    const { required, content } = paths["/v1/keys"].post.requestBody;
    expect(required).toBe(true);
    expect(Object.keys(content)).toEqual(["application/json"]);
    expect(content["application/json"].schema).toMatchObject({
      type: "object",
      required: ["email"],
      additionalProperties: false,
    });
  });

  test("declares whole numbers as integers", async () => {
    const document = await read();
    const maxAge = document.paths["/v1/enrich/{domain}"].get.parameters.find(
      ({ name }: { name: string }) => name === "max_age",
    );
    expect(maxAge.schema.anyOf).toEqual([
      { type: "integer", minimum: 0, maximum: 99_999_999 },
      { type: "string", const: "any" },
    ]);
    expect(maxAge.required).toBe(false);
    delete maxAge.schema.anyOf;
    const stream = document.paths["/v1/enrich-stream/{domain}"].get.parameters;
    for (const { name, schema } of stream) if (name === "max_age") delete schema.anyOf;
    // A number or a word, as in the query of a single domain.
    delete document.components.schemas.NewBatch.properties.max_age;
    const mixed = [...within(document)].filter(
      ({ anyOf }) => Array.isArray(anyOf) && anyOf.some(({ type }) => type === "integer"),
    );
    expect(mixed).toEqual([]);
  });

  test("documented responses match real responses", async () => {
    const { ask, key } = await open();
    const { paths } = await readWhole();
    const schema = paths["/v1/enrich/{domain}"].get.responses[200].content["application/json"].schema;
    const body = await jsonOf(
      await ask("/v1/enrich/brightpine.test?include=evidence,sources,third_parties", { key: await key() }),
    );
    const { stale, stale_reason, ...usual } = schema.properties;
    expect(Object.keys(body).sort()).toEqual(Object.keys(usual).sort());
    expect([stale.const, stale_reason.type]).toEqual([true, "string"]);
    expect(Object.keys(body.tools[0]).sort()).toEqual(Object.keys(schema.properties.tools.items.properties).sort());
    expect(schema.required.sort()).toEqual(["by_category", "domain", "tools", "tools_detected"]);
  });

  test.each([
    ["/v1/casestudies", "/v1/casestudies", undefined],
    ["/v1/casestudies/{id}", "/v1/casestudies/tidewell-northgate", undefined],
    ["/v1/casestudies/semantic", "/v1/casestudies/semantic", { query: "bank" }],
    ["/v1/casestudies/batch", "/v1/casestudies/batch", { queries: [{ query: "bank" }] }],
    ["/v1/companies", "/v1/companies", undefined],
    ["/v1/companies/{slug}", "/v1/companies/tidewell", undefined],
    ["/v1/companies/{slug}/analysis", "/v1/companies/tidewell/analysis", undefined],
    ["/v1/companies/{slug}/timeline", "/v1/companies/tidewell/timeline", undefined],
    ["/v1/compare", "/v1/compare", { companies: ["tidewell", "quayline"] }],
  ])("the response of %s has exactly the documented fields", async (path, asked, json) => {
    const { get } = await filled();
    const { paths } = await readWhole();
    const schema = paths[path][json ? "post" : "get"].responses[200].content["application/json"].schema;
    expect([...misfits(schema, await jsonOf(await get(asked, { json })), "")]).toEqual([]);
  });

  test.each([
    ["get", "/admin/submissions", "/admin/submissions", undefined],
    ["get", "/admin/submissions/{id}", "/admin/submissions/SUBMISSION", undefined],
    ["patch", "/admin/submissions/{id}", "/admin/submissions/SUBMISSION", { company_slug: "harbour" }],
    ["post", "/admin/submissions/{id}/approve", "/admin/submissions/SUBMISSION/approve", undefined],
    ["post", "/admin/submissions/{id}/reject", "/admin/submissions/SUBMISSION/reject", { reason: "No." }],
    ["get", "/admin/jobs", "/admin/jobs", undefined],
    ["get", "/admin/mails", "/admin/mails", undefined],
    ["get", "/admin/casestudies/{id}", "/admin/casestudies/tidewell-northgate", undefined],
    ["patch", "/admin/casestudies/{id}", "/admin/casestudies/tidewell-northgate", { title: "Corrected" }],
    ["patch", "/admin/companies/{slug}", "/admin/companies/tidewell", { name: "Tidewell AS" }],
    ["post", "/admin/companies/{slug}/merge", "/admin/companies/tidewell/merge", { into: "quayline" }],
  ])("the operator response of %s %s has the documented fields", async (method, path, asked, json) => {
    const { app, ask } = await filled();
    const { token } = await app.operator.ensureOperatorToken();
    const { id } = await app.intake.submit(HARBOURLINE);
    await app.jobs.startWorker().stop();
    const { paths } = await readWhole();
    const schema = paths[path][method].responses[200].content["application/json"].schema;
    const answer = await ask(asked.replace("SUBMISSION", id), { method, json, operator: token });
    const body = await jsonOf(answer);
    expect([answer.status, ...misfits(schema, body, "")]).toEqual([200]);
    // An empty list would match any schema.
    for (const inner of Object.values(body)) if (path.split("/").length === 3) expect(inner).not.toEqual([]);
  });

  test("the receipt of a submission has the documented fields", async () => {
    const { ask } = await open();
    const { paths } = await readWhole();
    const schema = paths["/v1/submit"].post.responses[202].content["application/json"].schema;
    const answer = await ask("/v1/submit", { json: HARBOURLINE });
    expect([...misfits(schema, await jsonOf(answer), "")]).toEqual([]);
  });

  test("a response without a body is documented without one", async () => {
    const { paths } = await readWhole();
    expect(paths["/admin/casestudies/{id}"].delete.responses[204].content).toBeUndefined();
  });
});

test("the guide for language models names every /v1 operation, and links to the rest", async () => {
  const { ask } = await open();
  const answer = await ask("/llms.txt");
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const guide = await answer.text();
  expect(guide).toStartWith("# Casefile 1.2.3\n\n> ");
  const { paths } = await read();
  const calls = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `\`${method.toUpperCase()} ${path}\``),
  );
  expect(calls.filter((call) => call.includes("/v1/") && !guide.includes(call))).toEqual([]);
  for (const link of ["(/mcp)", "(/openapi.json)", "(/docs)"]) expect(guide).toContain(link);
});

test("every description of a search score says that it does not measure relevance", async () => {
  const { ask } = await open();
  const means = "do not measure relevance";
  const scores = [...within(await readWhole())].flatMap((one) => {
    const { score } = Object(one.properties);
    return score === undefined ? [] : [String(score.description)];
  });
  expect(scores.length).toBeGreaterThan(1);
  expect(scores.filter((text) => !text.includes(means))).toEqual([]);
  expect(await (await ask("/llms.txt")).text()).toContain(means);
});
