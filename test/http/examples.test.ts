import { expect, test } from "bun:test";
import { recordExamples } from "../../scripts/generate-examples.ts";
import examples from "../../src/reference/examples.json";

test("the examples of the OpenAPI document are the answers that the service gives", async () => {
  // If this fails: npm run generate:examples
  expect(JSON.stringify(await recordExamples())).toBe(JSON.stringify(examples));
}, 30_000);
