import { type Static, type TString, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Problem, schemaProblem } from "../../core/errors.ts";
import { SIGNAL_GROUPS, SIGNALS } from "../signals.ts";
import { AREAS, type Category, type Fingerprint, MAIL_ROLES } from "./types.ts";

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const oneOf = <T extends string>(values: readonly T[]) => Type.Union(values.map((value) => Type.Literal(value)));
const listOf = (maxLength: number) =>
  Type.Union([text(maxLength), Type.Array(text(maxLength), { minItems: 1, maxItems: 64 })]);

const SLUG = "^[a-z0-9]+(-[a-z0-9]+)*$";
const HOST = "^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\\.)+[a-z0-9-]{2,63}$";
const host = Type.String({ pattern: HOST, maxLength: 253 });
const kind = oneOf([...(Object.keys(SIGNALS) as string[]), ...(Object.keys(SIGNAL_GROUPS) as string[])]);

const closed = { additionalProperties: false };

const matchOf = (regex: TString) =>
  Type.Object(
    {
      host: Type.Optional(Type.Union([host, Type.Array(host, { minItems: 1, maxItems: 64 })])),
      path: Type.Optional(text(200)),
      equals: Type.Optional(listOf(300)),
      prefix: Type.Optional(listOf(200)),
      contains: Type.Optional(listOf(200)),
      global: Type.Optional(listOf(100)),
      word: Type.Optional(listOf(100)),
      name: Type.Optional(Type.String({ pattern: "^[^\\sA-Z]{1,100}$" })),
      regex: Type.Optional(regex),
    },
    { ...closed, minProperties: 1 },
  );

const ruleOf = (regex: TString) =>
  Type.Object(
    {
      id: Type.String({ pattern: SLUG, maxLength: 60 }),
      see: Type.Union([kind, Type.Array(kind, { minItems: 1, maxItems: 12 })]),
      match: matchOf(regex),
      strength: oneOf(["weak", "strong", "certain"]),
      means: oneOf(["runs", "sends-as", "verified-once", "mentions"]),
      why: text(200),
      hit: text(1_000),
      miss: text(1_000),
      version: Type.Optional(regex),
    },
    closed,
  );

const role = oneOf(MAIL_ROLES);
const ids = Type.Optional(Type.Array(Type.String({ pattern: SLUG }), { minItems: 1, maxItems: 20 }));
const relations = {
  implies: ids,
  excludes: ids,
  requires: ids,
  product_of: Type.Optional(Type.String({ pattern: SLUG })),
  role: Type.Optional(Type.Union([role, Type.Array(role, { minItems: 1, maxItems: MAIL_ROLES.length })])),
};
const rulesOf = (rule: ReturnType<typeof ruleOf>) => Type.Array(rule, { minItems: 1, maxItems: 60 });

const recordOf = (rule: ReturnType<typeof ruleOf>) =>
  Type.Object(
    {
      name: text(80),
      vendor: text(80),
      website: Type.String({ pattern: "^https?://[^\\s]{3,200}$" }),
      category: Type.String({ pattern: SLUG }),
      aliases: Type.Optional(Type.Array(text(80), { minItems: 1, maxItems: 20 })),
      ...relations,
      rules: rulesOf(rule),
    },
    closed,
  );

const record = recordOf(ruleOf(text(200)));
/** Longer regexes are safe, because they run in linear time. */
const customRule = ruleOf(text(1_000));
const customRecord = recordOf(customRule);
const customAddition = Type.Object({ extends: Type.Literal(true), ...relations, rules: rulesOf(customRule) }, closed);

const categories = Type.Record(
  Type.String({ pattern: SLUG }),
  Type.Object({ label: text(40), area: oneOf(AREAS) }, closed),
);

/**
 * Validates one fingerprint.
 *
 * @param id the file's name without its extension
 * @param raw the parsed YAML
 * @returns the record, or every violation of the schema
 */
export function readRecord(id: string, raw: unknown): Fingerprint | readonly Problem[] {
  if (!new RegExp(SLUG).test(id)) return [{ pointer: id, detail: "the file name is not a kebab-case id" }];
  if (!Value.Check(record, raw)) return problems(id, record, raw);
  const value: Static<typeof record> = raw;
  // The schema builds its literal unions from lists, so TypeScript infers plain strings.
  return { id, ...value } as Fingerprint;
}

/** What a custom file adds to a known tool. */
export type Addition = Pick<Fingerprint, "id" | "implies" | "excludes" | "requires" | "product_of" | "role" | "rules">;

/**
 * Validates a custom fingerprint: a complete one, or, with `extends: true`, rules and relations for the tool of this id.
 * Its regexes may be longer; its rules are marked as custom.
 */
export function readCustomRecord(
  id: string,
  raw: unknown,
): { readonly tool: Fingerprint } | { readonly addition: Addition } | readonly Problem[] {
  if (!new RegExp(SLUG).test(id)) return [{ pointer: id, detail: "the file name is not a kebab-case id" }];
  const adds = typeof raw === "object" && raw !== null && "extends" in raw;
  const schema = adds ? customAddition : customRecord;
  if (!Value.Check(schema, raw)) return problems(id, schema, raw);
  const { extends: _, ...value } = raw as Static<typeof customAddition>;
  const marked = { id, ...value, rules: value.rules.map((rule) => ({ ...rule, custom: true })) };
  return adds ? { addition: marked as Addition } : { tool: marked as unknown as Fingerprint };
}

/** Validates `categories.yaml`, like {@link readRecord}. */
export function readCategories(raw: unknown): readonly Category[] | readonly Problem[] {
  if (!Value.Check(categories, raw)) return problems("categories", categories, raw);
  return Object.entries(raw).map(([id, category]) => ({ id, ...category }) as Category);
}

/** Whether a result of the functions above is a list of problems. */
export function isProblems(read: object | readonly Category[] | readonly Problem[]): read is readonly Problem[] {
  return Array.isArray(read) && read.length > 0 && "pointer" in read[0];
}

function problems(id: string, schema: Parameters<typeof Value.Errors>[0], raw: unknown): readonly Problem[] {
  const found = new Map<string, string>();
  for (const fault of Value.Errors(schema, raw)) {
    if (found.size >= 20) break;
    const { pointer, detail } = schemaProblem(fault);
    if (!found.has(pointer)) found.set(pointer, detail);
  }
  return [...found].map(([pointer, detail]) => ({ pointer: `${id}${pointer}`, detail }));
}
