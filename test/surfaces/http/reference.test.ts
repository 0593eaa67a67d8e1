import { describe, expect, test } from "bun:test";
import { jsonOf, open } from "./opened.ts";

const read = async () => jsonOf(await (await open()).ask("/openapi.json"));

/** Every object inside a value. */
function* within(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { ...value };
  for (const inner of Object.values(value)) yield* within(inner);
}

describe("the document", () => {
  test("is OpenAPI 3.1 with a title, a version and the two ways in", async () => {
    const { openapi, info, components, tags } = await read();
    expect(openapi).toMatch(/^3\.1\./);
    expect(info).toMatchObject({ title: "Casefile", version: "1.2.3", license: { identifier: "Apache-2.0" } });
    expect(info.description).toContain("| analytics and tracking | Analytics |");
    expect(components.securitySchemes).toEqual({
      key: { type: "apiKey", in: "header", name: "X-API-Key" },
      operator: { type: "http", scheme: "bearer" },
    });
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(["Enrichment", "Keys", "Service", "Operator"]);
  });

  test("has every call with its statuses and what opens it", async () => {
    const { paths } = await read();
    const calls = Object.entries<Record<string, Record<string, object>>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId, responses, security }]) =>
          `${method} ${path} ${operationId} ${Object.keys(responses ?? {})} ${JSON.stringify(security)}`,
      ),
    );
    expect(calls.sort()).toEqual([
      'delete /admin/keys/{key} revokeKey 200,401,404,422,503 [{"operator":[]}]',
      'get /admin/keys listKeys 200,401,422,503 [{"operator":[]}]',
      'get /v1/enrich-stream/{domain} enrichStream 200,401,404,406,422,429,503 [{"key":[]}]',
      'get /v1/enrich/{domain} enrich 200,401,404,406,422,429,503 [{"key":[]}]',
      "get /v1/stats getStats 200,406,422,503 []",
      'patch /admin/keys/{key} limitKey 200,400,401,404,413,415,422,503 [{"operator":[]}]',
      'post /admin/keys/{key}/reissue reissueKey 200,401,404,422,503 [{"operator":[]}]',
      "post /v1/keys issueKey 201,400,406,409,413,415,422,429,503 []",
    ]);
  });

  test("has every parameter of a path, and no wildcard", async () => {
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

  test("shows the body of a call, which is JSON", async () => {
    const { paths } = await read();
    const { required, content } = paths["/v1/keys"].post.requestBody;
    expect(required).toBe(true);
    expect(Object.keys(content)).toEqual(["application/json"]);
    expect(content["application/json"].schema).toMatchObject({
      type: "object",
      required: ["email"],
      additionalProperties: false,
    });
  });

  test("shows whole numbers as such", async () => {
    const document = await read();
    const maxAge = document.paths["/v1/enrich/{domain}"].get.parameters.find(
      ({ name }: { name: string }) => name === "max_age",
    );
    expect(maxAge.schema).toMatchObject({ type: "integer", minimum: 0, maximum: 99_999_999 });
    expect(maxAge.required).toBe(false);
    const mixed = [...within(document)].filter(
      ({ anyOf }) => Array.isArray(anyOf) && anyOf.some(({ type }) => type === "integer"),
    );
    expect(mixed).toEqual([]);
  });

  test("the answers that it shows are the answers that are given", async () => {
    const { ask, key } = await open();
    const { paths } = await read();
    const schema = paths["/v1/enrich/{domain}"].get.responses[200].content["application/json"].schema;
    const body = await jsonOf(await ask("/v1/enrich/brightpine.test?include=evidence,sources", { key: await key() }));
    expect(Object.keys(body).sort()).toEqual(Object.keys(schema.properties).sort());
    expect(Object.keys(body.tools[0]).sort()).toEqual(Object.keys(schema.properties.tools.items.properties).sort());
    expect(schema.required.sort()).toEqual(["by_category", "domain", "tools", "tools_detected"]);
  });
});

describe("the page", () => {
  test("loads nothing from elsewhere, and may not", async () => {
    const { ask } = await open();
    const answer = await ask("/docs");
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toStartWith("default-src 'none'; script-src 'self'; ");
    expect(policy).not.toMatch(/https?:|\*/);
    const page = await answer.text();
    const start = await (await ask("/docs/start.js")).text();
    expect(`${page}${start}`).not.toMatch(/(https?:)?\/\/[a-z]/i);
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? "");
    expect(loaded).toEqual(["/docs/reference.css", "data:,", "/openapi.json", "/docs/reference.js", "/docs/start.js"]);
    for (const path of loaded.filter((address) => address.startsWith("/"))) {
      expect((await ask(path)).status).toBe(200);
    }
  });

  test.each([
    ["/docs/reference.js", "text/javascript; charset=utf-8", "SwaggerUIBundle"],
    ["/docs/reference.css", "text/css; charset=utf-8", ".swagger-ui"],
  ])("%s comes from the program itself", async (path, type, part) => {
    const { ask } = await open();
    const answer = await ask(path);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(await answer.text()).toContain(part);
  });

  test("asks no other host to check the document", async () => {
    const { ask } = await open();
    expect(await (await ask("/docs/start.js")).text()).toContain("validatorUrl: null");
  });
});
