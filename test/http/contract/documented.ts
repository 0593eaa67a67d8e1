import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Answer, OpenApi, Operation } from "../../../src/reference/openapi.ts";

/** Headers that describe the response: one that is sent but not documented is a fault. */
const TELLING = [
  "x-request-id",
  "ratelimit-policy",
  "ratelimit",
  "retry-after",
  "etag",
  "allow",
  "www-authenticate",
  "content-disposition",
];

export interface Asked {
  /** In lower case. */
  readonly method: string;
  /** As in the document. */
  readonly path: string;
}

/** Compares responses with the OpenAPI document. An undocumented field is a fault too. */
export function createContract(document: OpenApi) {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/);
  ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/);
  ajv.addFormat("binary", true);
  ajv.addSchema({ $id: "doc", components: closed(document.components) });
  const compiled = new Map<object, ValidateFunction>();
  const fits = (schema: object, value: unknown): string | undefined => {
    const validate = compiled.get(schema) ?? ajv.compile(within(closed(schema)));
    compiled.set(schema, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
  const resolved = (part: object): object => {
    const ref: unknown = Reflect.get(part, "$ref");
    if (typeof ref !== "string") return part;
    const found = ref
      .split("/")
      .slice(1)
      .reduce<unknown>((at, name) => Reflect.get(Object(at), name), document);
    return Object(found);
  };

  function* headerFaults(answer: Answer, headers: Headers): Generator<string> {
    const shown = Object.fromEntries(
      Object.entries(answer.headers ?? {}).map(([name, at]) => [name.toLowerCase(), at]),
    );
    for (const name of TELLING) {
      const sent = headers.get(name);
      if (!shown[name] && sent !== null) yield `${name} is sent and not shown`;
      if (!shown[name]) continue;
      const { required, schema } = Object(resolved(shown[name]));
      if (sent === null) {
        if (required) yield `${name} is shown and not sent`;
      } else {
        const misfit = fits(schema, schema.type === "integer" ? Number(sent) : sent);
        if (misfit) yield `${name}: ${misfit}`;
      }
    }
  }

  function* bodyFaults(answer: Answer, type: string, text: string): Generator<string> {
    const shown = Object.entries(answer.content ?? {});
    if (shown.length === 0) {
      if (text !== "") yield "a body is sent and none is shown";
      return;
    }
    const [, media] = shown.find(([name]) => type.split(";")[0] === name) ?? [];
    if (!media) {
      yield `${type} is not shown`;
      return;
    }
    for (const value of valuesOf(type, text)) {
      const misfit = fits(media.schema ?? {}, value);
      if (misfit) yield `${misfit}: ${JSON.stringify(value).slice(0, 300)}`;
    }
  }

  return {
    fits,
    resolved,
    /** Differences between a response and the document; empty when there are none. */
    async faultsOf(asked: Asked, response: Response): Promise<string[]> {
      const operations = document.paths[asked.path] ?? {};
      // Every operation documents the 405 of its path.
      const operation: Operation | undefined = operations[asked.method] ?? Object.values(operations)[0];
      const answer = operation?.responses[response.status];
      if (!operation || !answer) return [`${response.status} is not shown`];
      if (!operations[asked.method] && response.status !== 405)
        return [`${response.status} to a method of no operation`];
      const type = response.headers.get("content-type") ?? "";
      return [...headerFaults(answer, response.headers), ...bodyFaults(answer, type, await response.text())];
    },
  };
}

function valuesOf(type: string, text: string): unknown[] {
  if (type.startsWith("text/event-stream")) {
    const lines = text.split("\n").filter((line) => line.startsWith("data: "));
    return lines.map((line) => JSON.parse(line.slice(6)));
  }
  return [/[/+]json/.test(type) ? JSON.parse(text) : text];
}

/** An object that lists its fields allows no others; a part that only narrows another schema does not restrict the rest. */
function closed(value: unknown, narrows = false): object {
  const each = (inner: unknown, narrowing = false): unknown =>
    typeof inner === "object" && inner !== null ? closed(inner, narrowing) : inner;
  if (Array.isArray(value)) return value.map((item) => each(item));
  const { properties, additionalProperties } = Object(value);
  const shut = properties && additionalProperties === undefined && !narrows ? { additionalProperties: false } : {};
  const rest = Object.entries(Object(value)).map(([key, inner]) =>
    key === "allOf" && Array.isArray(inner) ? [key, inner.map((part) => each(part, true))] : [key, each(inner)],
  );
  return { ...Object.fromEntries(rest), ...shut };
}

const within = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === "$ref" && typeof value === "string" ? value.replace(/^#/, "doc#") : value,
  );
