import type { Data, Field, FixedSizeList, Float32, Schema, Table } from "apache-arrow";
import type { Arrow } from "./native.ts";

/** One passage as the index keeps it. */
export interface IndexedPassage {
  /** The passage's id in the database, below 2^53. */
  readonly passage: number;
  /** The case study's id. */
  readonly study: string;
  /** Slug. */
  readonly company: string;
  /** What a filter gives, compared as it stands. */
  readonly industry: string | null;
  /** Folded. */
  readonly client: string | null;
  readonly country: string | null;
  /** ISO date. */
  readonly published_at: string | null;
  readonly title: string;
  readonly heading: string | null;
  readonly text: string;
  /** Unit length; the zero vector is near nothing. */
  readonly vector: Float32Array;
}

const FACETS = ["company", "industry", "client", "country", "published_at"] as const;

export function schemaOf(arrow: Arrow, dimensions: number): Schema {
  const text = (name: string, nullable: boolean) => new arrow.Field(name, new arrow.Utf8(), nullable);
  return new arrow.Schema([
    new arrow.Field("passage", new arrow.Int64(), false),
    text("study", false),
    ...FACETS.map((name) => text(name, name !== "company")),
    text("words", false),
    new arrow.Field("vector", vectorType(arrow, dimensions), true),
  ]);
}

/** @throws RangeError when a vector has other dimensions, a number that is none, or another length than one or zero */
export function tableOf(arrow: Arrow, schema: Schema, rows: readonly IndexedPassage[], dimensions: number): Table {
  const column = (field: Field): unknown[] => {
    if (field.name === "passage") return rows.map(({ passage }) => BigInt(passage));
    if (field.name === "study") return rows.map(({ study }) => study);
    if (field.name === "words") return rows.map(wordsOf);
    const facet = FACETS.find((name) => name === field.name);
    return facet ? rows.map((row) => row[facet]) : [];
  };
  const children = schema.fields.flatMap<Data>((field) =>
    field.name === "vector"
      ? [vectorsOf(arrow, rows, dimensions)]
      : arrow.vectorFromArray(column(field), field.type).data,
  );
  const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length: rows.length, nullCount: 0, children });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
}

/** The names stand beside the text so that a question that tells one from the text and one from the title finds both. */
const wordsOf = ({ title, company, client, heading, text }: IndexedPassage) =>
  [title, company, client, heading, text].filter((part) => part !== null).join("\n");

function vectorsOf(arrow: Arrow, rows: readonly IndexedPassage[], dimensions: number) {
  const values = new Float32Array(rows.length * dimensions);
  const present = new Uint8Array(Math.ceil(rows.length / 8));
  let absent = 0;
  rows.forEach(({ vector, passage }, at) => {
    const length = lengthOf(vector, dimensions);
    if (length === 0) absent++;
    else if (Math.abs(length - 1) < 0.01) present[at >> 3] = (present[at >> 3] ?? 0) | (1 << (at & 7));
    else throw new RangeError(`the vector of passage ${passage} is ${length} long and not 1`);
    values.set(vector, at * dimensions);
  });
  return arrow.makeData({
    type: vectorType(arrow, dimensions),
    length: rows.length,
    nullCount: absent,
    nullBitmap: present,
    child: arrow.makeData({ type: new arrow.Float32(), length: values.length, nullCount: 0, data: values }),
  });
}

/** @throws RangeError when the vector has other dimensions */
export function lengthOf(vector: Float32Array, dimensions: number): number {
  if (vector.length !== dimensions)
    throw new RangeError(`a vector has ${vector.length} dimensions and not ${dimensions}`);
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}

function vectorType(arrow: Arrow, dimensions: number): FixedSizeList<Float32> {
  return new arrow.FixedSizeList(dimensions, new arrow.Field("item", new arrow.Float32(), true));
}
