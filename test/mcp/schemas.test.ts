import { afterEach, describe, expect, test } from "bun:test";
import { analysisSchema, compareSchema } from "../../src/casestudies/companies/schemas.ts";
import { answerSchema, resultsSchema, studySchema } from "../../src/casestudies/schemas.ts";
import { study } from "../../src/mcp/records.ts";
import { TOOLS } from "../../src/mcp/server.ts";
import { closeAgents, connected } from "./agent.ts";

afterEach(closeAgents);

describe("schemas", () => {
  /** Field names and nested fields; descriptions may differ. */
  const shapeOf = (schema: unknown): unknown => {
    if (typeof schema !== "object" || schema === null) return "";
    const { properties, items, anyOf, type } = schema as Record<string, unknown>;
    if (properties) return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, shapeOf(one)]));
    if (items) return [shapeOf(items)];
    if (Array.isArray(anyOf)) return anyOf.map(shapeOf);
    return type;
  };
  const outputOf = (name: string) => TOOLS.find((tool) => tool.name === name)?.output.properties ?? {};

  test("records have the same fields over MCP and HTTP", () => {
    expect(shapeOf(study)).toEqual(shapeOf(studySchema));
    expect(shapeOf(outputOf("search_case_studies").results?.items)).toEqual(shapeOf(resultsSchema));
    const { composed: _, ...withoutComposed } = answerSchema.properties;
    expect(shapeOf({ properties: outputOf("answer_question") })).toEqual(shapeOf({ properties: withoutComposed }));
    expect(shapeOf({ properties: outputOf("compare_vendors") })).toEqual(shapeOf(compareSchema));
    expect(shapeOf(outputOf("get_company_analysis").as_vendor?.anyOf[0].properties.analysis)).toEqual(
      shapeOf(analysisSchema),
    );
  });

  test("every argument is described, and unknown ones are refused", () => {
    for (const { input } of TOOLS) {
      expect(input.additionalProperties).toBe(false);
      for (const one of Object.values(input.properties)) expect(one.description).toMatch(/\.$/);
    }
  });

  test("match the recorded ones", async () => {
    const { client } = await connected("stdio");
    const { tools } = await client.listTools();
    const pinned = Bun.file(new URL("tools.golden.json", import.meta.url));
    if (process.env.WRITE_GOLDEN) await pinned.write(`${JSON.stringify(tools, null, 2)}\n`);
    expect(tools).toEqual(await pinned.json());
  });
});
