import { expect, test } from "bun:test";
import { join } from "node:path";
import { versioned } from "../../scripts/release/chart.ts";
import { configKeys } from "../../src/config/config.ts";
import { KEYS } from "../../src/config/keys.ts";

/** What needs no Helm; `npm run check:deploy` renders the chart. */
const ROOT = join(import.meta.dir, "../..");
const CHART = join(ROOT, "deploy/helm/casefile");
const read = (path: string) => Bun.file(path).text();

test.each([
  "deploy/compose.yaml",
  "deploy/casefile.nomad.hcl",
  "deploy/casefile.service",
  "deploy/helm/casefile/templates/statefulset.yaml",
  "deploy/helm/casefile/values.yaml",
])("the variables in %s are settings", async (path) => {
  // CASEFILE_ORIGIN and CASEFILE_CONTACT are those of the compose file itself.
  const known = new Set([...configKeys.map(({ env }) => env), "CASEFILE_ORIGIN", "CASEFILE_CONTACT"]);
  const used = (await read(join(ROOT, path))).match(/\bCASEFILE_[A-Z_]+[A-Z]\b/g) ?? [];
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test("the chart refuses secrets among its settings, by settings that exist", async () => {
  const { propertyNames, additionalProperties } = JSON.parse(await read(join(CHART, "values.schema.json"))).properties
    .settings;
  const refused: string[] = propertyNames.allOf.flatMap((rule: { not?: { enum: string[] } }) => rule.not?.enum ?? []);
  const names = Object.keys(KEYS);
  expect(refused.filter((name) => !names.includes(name))).toEqual([]);
  expect(refused).toEqual(expect.arrayContaining(["database.url", "smtp.url", "language_model.api_key", "net.proxy"]));
  const [{ pattern }] = propertyNames.allOf;
  expect(names.filter((name) => !new RegExp(pattern).test(name))).toEqual([]);
  // Other addresses may be values, without a password.
  const password = new RegExp(additionalProperties.not.pattern);
  expect(["https://llm.example/v1", "https://user:secret@llm.example/v1"].map((url) => password.test(url))).toEqual([
    false,
    true,
  ]);
});

test("the chart has the version of the release, and a release sets it", async () => {
  const { version } = JSON.parse(await read(join(ROOT, "package.json")));
  const chart = await read(join(CHART, "Chart.yaml"));
  expect(Bun.YAML.parse(chart)).toMatchObject({ version, appVersion: version });
  expect(Bun.YAML.parse(versioned(chart, "9.1.0"))).toMatchObject({ version: "9.1.0", appVersion: "9.1.0" });
  expect(() => versioned("name: casefile\n", "9.1.0")).toThrow("no version");
});
