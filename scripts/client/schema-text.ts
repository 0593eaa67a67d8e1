import type { OpenApi, Operation } from "../../src/reference/openapi.ts";

interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** The client has the operations of this path. */
const CLIENT_PATHS = /^\/v1\//;

/** The source of the client's types. Operator operations are not part of the client. */
export function schemaText(document: OpenApi): string {
  const operations = Object.entries(document.paths)
    .filter(([path]) => CLIENT_PATHS.test(path))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
  const text = operations.map(({ operation }) => operationText(operation)).join("\n");
  const codes: Shape = {
    anyOf: Object.entries(document.components.schemas)
      .filter(isNarrowed)
      .map(([, at]) => codeOf(at)),
  };
  const named = reached(`${text}`, document);
  return `// Generated from the OpenAPI document by \`npm run generate:client\`. Do not edit.

${named.map(([name, schema]) => `${commentOf(schema, "")}export type ${name} = ${typeText(schema, "")};`).join("\n\n")}

/** Problem codes; later releases may add codes. */
export type ProblemCode = ${typeText(codes, "")};

/** Parameters, body and 2xx response of each operation. */
export interface Operations {
${text}
}

/** Method and path of each operation. */
export const OPERATIONS: { readonly [Id in keyof Operations]: { readonly method: string; readonly path: string } } = {
${operations.map(({ path, method, operation }) => `  ${operation.operationId}: { method: "${method.toUpperCase()}", path: "${path}" },`).join("\n")}
};
`;
}

const isNarrowed = ([name]: readonly [string, object]) => /^Problem\d{3}$/.test(name);

const codeOf = (schema: Shape): Shape =>
  schema.allOf?.find(({ properties }) => properties?.code)?.properties?.code ?? {};

function operationText({ operationId, parameters = [], requestBody, responses }: Operation): string {
  const those = (place: string): Shape => {
    const chosen = parameters.filter((one) => one.in === place);
    return {
      type: "object",
      properties: Object.fromEntries(chosen.map(({ name, schema }) => [name, schema])),
      required: chosen.filter(({ required }) => required).map(({ name }) => name),
    };
  };
  const [body] = Object.values(requestBody?.content ?? {});
  const good = Object.entries(responses).find(([status]) => status.startsWith("2"));
  const [answer] = Object.values(good?.[1].content ?? {});
  return `  readonly ${operationId}: {
    readonly path: ${typeText(those("path"), "    ")};
    readonly query: ${typeText(those("query"), "    ")};
    readonly body: ${body?.schema ? typeText(body.schema, "    ") : "undefined"};
    readonly answer: ${typeText(answer?.schema ?? {}, "    ")};
  };`;
}

/** Named schemas that a text mentions, and those that they mention. */
function reached(text: string, { components }: OpenApi): [string, Shape][] {
  const all: Readonly<Record<string, Shape>> = components.schemas;
  const found = new Set<string>(["Problem"]);
  const look = (part: string) => {
    for (const name of Object.keys(all)) {
      if (found.has(name) || !new RegExp(`\\b${name}\\b`).test(part)) continue;
      found.add(name);
      look(typeText(all[name] ?? {}, "", false));
    }
  };
  look(text.replace(/readonly \w+\??:/g, ""));
  look(typeText(all.Problem ?? {}, "", false));
  return [...found].sort().map((name) => [name, all[name] ?? {}]);
}

function typeText(schema: Shape, indent: string, comments = true): string {
  const of = (inner: Shape) => typeText(inner, indent, comments);
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "unknown";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(of))].join(" | ");
  if (schema.allOf) return schema.allOf.map(of).join(" & ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array": {
      const item = of(schema.items ?? {});
      const isJoined = schema.items?.anyOf ?? schema.items?.allOf ?? schema.items?.enum;
      return `readonly ${isJoined || item.startsWith("readonly ") ? `(${item})` : item}[]`;
    }
    case "object":
      return objectText(schema, indent, comments);
    default:
      return "unknown";
  }
}

function objectText(schema: Shape, indent: string, comments: boolean): string {
  const { properties = {}, patternProperties, additionalProperties, required = [] } = schema;
  const rest =
    Object.values(patternProperties ?? {})[0] ?? (typeof additionalProperties === "object" ? additionalProperties : {});
  const names = Object.entries(properties);
  if (names.length === 0) {
    return patternProperties || typeof additionalProperties === "object"
      ? `Readonly<Record<string, ${typeText(rest, indent, comments)}>>`
      : "Readonly<Record<string, never>>";
  }
  const inner = `${indent}  `;
  const lines = names.map(([name, at]) => {
    const type = typeText(at, inner, comments);
    const comment = comments ? commentOf(at, inner) : "";
    return required.includes(name)
      ? `${comment}${inner}readonly ${name}: ${type};`
      : `${comment}${inner}readonly ${name}?: ${type} | undefined;`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

const commentOf = ({ description }: Shape, indent: string): string =>
  description === undefined ? "" : `${indent}/** ${description.replace(/\*\//g, "* /").replace(/\s+/g, " ")} */\n`;
