import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { Static, TObject } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { faultText } from "../fault-text.ts";

/** Faults that one refusal names: a model corrects a few at a time. */
const MOST_FAULTS = 5;

/** A schema as the SDK asks for it: it checks, says where each fault lies, and is shown as it is. */
export function checkedSchema<T extends TObject>(schema: T): StandardSchemaWithJSON<Static<T>, Static<T>> {
  return {
    "~standard": {
      version: 1,
      vendor: "casefile",
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
      validate: (value) =>
        Value.Check(schema, value) ? { value } : { issues: faultsOf(schema, value).map((message) => ({ message })) },
    },
  };
}

function faultsOf(schema: TObject, value: unknown): string[] {
  const faults = new Map<string, string>();
  for (const { path, message } of Value.Errors(schema, value)) {
    if (faults.size >= MOST_FAULTS) break;
    const place = path.slice(0, 100);
    if (!faults.has(place)) faults.set(place, `${place || "arguments"}: ${faultText(message)}`);
  }
  return [...faults.values()];
}
