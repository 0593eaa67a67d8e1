import { expect, test } from "bun:test";
import { join } from "node:path";
import { createClient } from "../../client/src/client.ts";
import { OPERATIONS } from "../../client/src/schema.ts";
import { clientTypes } from "../../scripts/client/client-types.ts";
import { open } from "../http/opened.ts";

const ROOT = join(import.meta.dir, "../..");
const { ask } = await open();
const document = JSON.parse(await (await ask("/openapi.json")).text());

test("the client's types match the OpenAPI document", async () => {
  const kept = await Bun.file(join(ROOT, "client/src/schema.ts")).text();
  // If this fails: npm run generate:client
  expect((await clientTypes(document)) === kept).toBe(true);
});

test("the client covers every /v1 operation", () => {
  const client = createClient({ baseUrl: "http://casefile.test" });
  expect(Object.keys(OPERATIONS).filter((id) => !(id in client))).toEqual([]);
  expect(Object.keys(OPERATIONS)).toHaveLength(36);
});

test("the client imports only its own files", async () => {
  for await (const file of new Bun.Glob("client/src/*.ts").scan({ cwd: ROOT })) {
    const { imports } = new Bun.Transpiler({ loader: "ts" }).scan(await Bun.file(join(ROOT, file)).text());
    expect(imports.filter(({ path }) => !path.startsWith("./"))).toEqual([]);
  }
});
