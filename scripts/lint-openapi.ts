import { writeFile } from "node:fs/promises";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { open } from "../test/http/opened.ts";
import { readArguments } from "./arguments.ts";

/**
 * Lints the OpenAPI document of the service with Redocly's recommended rules, all as errors.
 * `npx bun scripts/lint-openapi.ts [--output FILE]` also writes the document to a file.
 */

const { values } = readArguments("npx bun scripts/lint-openapi.ts [--output FILE]", {
  options: { output: { type: "string" } },
});

const { ask, app } = await open();
const text = JSON.stringify(await (await ask("/openapi.json")).json(), undefined, 2);
await app.close();
if (values.output !== undefined) await writeFile(values.output, text);

const config = await createConfig({ extends: ["recommended-strict"], telemetry: "off" });
const found = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
/** A domain has a dot, so that no request has both meanings. */
const UNAMBIGUOUS = "`/v1/enrich/{domain}/history` and `/v1/enrich/batches/{id}`";
const faults = found.filter(
  ({ ruleId, message }) => !(ruleId === "no-ambiguous-paths" && message.includes(UNAMBIGUOUS)),
);
for (const { ruleId, message, location } of faults) {
  console.error(`${location[0]?.pointer ?? ""}: ${message.trim()} (${ruleId})`);
}
console.log(`${Object.keys(JSON.parse(text).paths).length} paths, ${faults.length} faults`);
if (faults.length > 0) process.exit(1);
