import { request } from "../api-client.ts";

/** The parts of the OpenAPI document that the reference shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly summary?: string }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface StoredOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface Operation extends StoredOperation {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly needs: "nothing" | "key" | "operator";
}

interface Stored {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, StoredOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Reference {
  /** The document's description, one per paragraph; without its table of categories. */
  readonly about: readonly string[];
  readonly groups: readonly {
    readonly name: string;
    readonly about: string;
    readonly operations: readonly Operation[];
  }[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

let loaded: Promise<Reference> | undefined;

/** The OpenAPI document, requested once. */
export function loadReference(): Promise<Reference> {
  loaded ??= request<Stored>("/openapi.json").then(referenceOf, (error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

function referenceOf({ info, tags, paths, components }: Stored): Reference {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Operation => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        needs: operation.security.some(({ operator }) => operator)
          ? "operator"
          : operation.security.length > 0
            ? "key"
            : "nothing",
      }),
    ),
  );
  const abouts = new Map(tags.map(({ name, description }) => [name, description]));
  const byTag = Map.groupBy(operations, ({ tags: [tag = ""] }) => tag);
  const order = [...abouts.keys(), ...byTag.keys()];
  return {
    about: info.description.split("\n\n").filter((text) => !text.startsWith("|")),
    schemas: components.schemas,
    groups: [...byTag]
      .map(([name, members]) => ({ name, about: abouts.get(name) ?? "", operations: members }))
      .toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name)),
  };
}

/** The schema that a reference names, with the description that stands next to the reference. */
export function resolve({ $ref, ...rest }: Schema, schemas: Reference["schemas"]): Schema {
  const named = $ref === undefined ? undefined : schemas[$ref.split("/").at(-1) ?? ""];
  return named ? { ...named, ...rest } : rest;
}

const isNull = ({ type }: Schema): boolean => type === "null";

/** `string`, `integer or null`, `list of Tool`, `"strong" or "good"`. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(" or ");
  if (schema.type === "array") return `list of ${typeText(schema.items ?? {})}`;
  return schema.type ?? "any value";
}

/** Limits and the default, in a few words. */
export function limitsText({ anyOf, items, ...own }: Schema): string {
  const only = anyOf?.filter((each) => !isNull(each));
  const {
    format,
    default: preset,
    minimum,
    maximum,
    minLength,
    maxLength,
    maxItems,
  } = {
    ...(only?.length === 1 ? only[0] : {}),
    ...own,
  };
  const size = maxLength ?? maxItems;
  const unit = maxLength === undefined ? "items" : "characters";
  return [
    format,
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
        ? `at least ${minimum}`
        : maximum !== undefined && `at most ${maximum}`,
    size !== undefined && (minLength && minLength > 1 ? `${minLength} to ${size} ${unit}` : `at most ${size} ${unit}`),
    preset !== undefined && `default ${JSON.stringify(preset)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** The fields of an object, of the items of a list, or of the only alternative to `null`; none of other values. */
export function fieldsOf(schema: Schema, schemas: Reference["schemas"]): readonly Field[] {
  const { type, items, anyOf, properties, required = [] } = resolve(schema, schemas);
  if (properties)
    return Object.entries(properties).map(([name, each]) => ({
      name,
      schema: each,
      required: required.includes(name),
    }));
  if (type === "array" && items) return fieldsOf(items, schemas);
  const objects = (anyOf ?? []).filter((each) => fieldsOf(each, schemas).length > 0);
  return objects[0] ? fieldsOf(objects[0], schemas) : [];
}

/** What the user filled in, by the name of the parameter. */
export type Values = Readonly<Record<string, string>>;

export function examplesOf({ parameters = [], requestBody }: Operation): { values: Values; body: string | undefined } {
  const [media] = Object.values(requestBody?.content ?? {});
  return {
    values: Object.fromEntries(
      // Only what is required: an example of every filter at once finds nothing.
      parameters.filter(({ required }) => required).map(({ name, example }) => [name, String(example ?? "")]),
    ),
    body: requestBody ? JSON.stringify(media?.example ?? {}, null, 2) : undefined,
  };
}

/** Path and query of a request. */
export function requestPath({ path, parameters = [] }: Operation, values: Values): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = parameters
    .filter(({ in: place, name }) => place === "query" && values[name])
    .map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? "").replaceAll("%2C", ",")}`);
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

export const requestHeaders = ({ parameters = [] }: Operation, values: Values): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parameters.flatMap(({ in: place, name }) => (place === "header" && values[name] ? [[name, values[name]]] : [])),
  );

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request as a command. The key is a variable, because commands are shared. */
export function curlOf(operation: Operation, values: Values, body: string | undefined, base: string): string {
  const { method, needs } = operation;
  const headers = [
    ...(needs === "key" ? ['"X-API-Key: $CASEFILE_KEY"'] : []),
    ...(needs === "operator" ? ['"Authorization: Bearer $CASEFILE_OPERATOR_TOKEN"'] : []),
    ...(body === undefined ? [] : ["'Content-Type: application/json'"]),
    ...Object.entries(requestHeaders(operation, values)).map(([name, value]) => quoted(`${name}: ${value}`)),
  ];
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(base + requestPath(operation, values))}`,
    ...headers.map((header) => `-H ${header}`),
    ...(body === undefined ? [] : [`-d ${quoted(compact(body))}`]),
  ].join(" \\\n  ");
}

/** JSON without its line breaks; what is not JSON stays as it was typed. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
