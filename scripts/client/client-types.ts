import { join } from "node:path";
import type { OpenApi, Operation } from "../../src/reference/openapi.ts";

/** The client's schema.ts: types by openapi-typescript, and the method and path of each operation under /v1. */
export async function clientTypes(document: OpenApi): Promise<string> {
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([path]) => path.startsWith("/v1/"))
      .map(([path, methods]) => [path, Object.fromEntries(Object.entries(methods).map(withoutProblems))]),
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `${operationId}: { method: "${method.toUpperCase()}", path: "${path}" },`,
    ),
  );
  const used = usedSchemas(paths, document.components.schemas);
  const ProblemCode = {
    ...{ type: "string", description: "Later releases may add codes." },
    enum: [...new Set(Object.entries(document.components.schemas).flatMap(problemCodes))].sort(),
  };
  const types = await openapiTypescript({ ...document, paths, components: { schemas: { ...used, ProblemCode } } });
  return format(`// Generated from the OpenAPI document by \`npm run generate:client\`. Do not edit.

${types.replace(/^\/\*\*[\s\S]*?\*\/\n/, "")}
/** Method and path of each operation. */
export const OPERATIONS: { readonly [Id in keyof operations]: { readonly method: string; readonly path: string } } = {
${operations.sort().join("\n")}
};
`);
}

/** The operation without examples, headers and problem responses, which the client does not use. */
function withoutProblems([method, operation]: [string, Operation]): [string, Operation] {
  const { parameters = [], requestBody, responses, ...rest } = operation;
  const bare = (content: object = {}) =>
    Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }]));
  return [
    method,
    {
      ...rest,
      // openapi-typescript reads the description of a parameter, not of its schema.
      parameters: parameters.map(({ example: _, ...one }) => ({
        description: Reflect.get(one.schema, "description"),
        ...one,
      })),
      ...(requestBody && { requestBody: { ...requestBody, content: bare(requestBody.content) } }),
      responses: Object.fromEntries(
        Object.entries(responses)
          .filter(([status]) => status.startsWith("2"))
          .map(([status, { description, content }]) => [status, { description, content: bare(content) }]),
      ),
    },
  ];
}

/** `Problem` and the schemas that the operations refer to, directly or through others, by name. */
function usedSchemas(paths: object, schemas: Readonly<Record<string, object>>): Record<string, object> {
  const names = new Set(["Problem"]);
  const add = (part: object) => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      add(schemas[name] ?? {});
    }
  };
  add([paths, schemas.Problem]);
  return Object.fromEntries([...names].sort().map((name) => [name, schemas[name] ?? {}]));
}

/** The codes of `Problem404` and the like. */
const problemCodes = ([name, schema]: [string, object]): string[] =>
  /^Problem\d{3}$/.test(name)
    ? Object(schema).allOf.flatMap((part: object) => Object(part).properties?.code?.enum ?? [])
    : [];

/** Runs the command-line tool, which brings its own TypeScript 5. */
const openapiTypescript = (document: object) =>
  pipe(JSON.stringify(document), [
    ...["node", join(import.meta.dir, "node_modules/openapi-typescript/bin/cli.js")],
    ...["--immutable", "--root-types", "--root-types-no-schema-prefix"],
  ]);

const format = (text: string) => pipe(text, ["npx", "biome", "format", "--stdin-file-path=client/src/schema.ts"]);

/** The output of a command for an input. @throws Error when the command fails */
async function pipe(input: string, command: string[]): Promise<string> {
  const cwd = join(import.meta.dir, "../..");
  const child = Bun.spawn(command, { cwd, stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")} failed: ${err}`);
  return out;
}
