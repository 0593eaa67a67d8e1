import { join } from "node:path";

/** A retrieval set: the relevant documents of each query, by grade (0 and below: not relevant). */
export interface Retrieval {
  readonly documents: readonly Entry[];
  readonly queries: readonly Entry[];
  readonly judged: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface Entry {
  readonly id: string;
  readonly text: string;
}

/** JSON lines and a table of judgements, as BEIR writes them. */
export async function readDbpedia(corpus: string): Promise<Retrieval> {
  const read = async (name: string): Promise<Entry[]> =>
    (await lines(join(corpus, "dbpedia", name))).map((line) => {
      const { _id, title, text }: { _id: string; title?: string; text: string } = JSON.parse(line);
      return { id: _id, text: title ? `${title}. ${text}` : text };
    });
  const table = (await lines(join(corpus, "dbpedia/test.tsv"))).slice(1).map((line) => line.split("\t"));
  return {
    documents: await read("corpus.jsonl"),
    queries: await read("queries.jsonl"),
    judged: gradesOf(table.map(([query = "", document = "", grade]) => [query, document, Number(grade)])),
  };
}

/** Cranfield's own format. Its queries are numbered by their place in the judgements, not by their own ids. */
export async function readCranfield(corpus: string): Promise<Retrieval> {
  const documents = await records(join(corpus, "cranfield/cran.all.1400"));
  const queries = await records(join(corpus, "cranfield/cran.qry"));
  const table = (await lines(join(corpus, "cranfield/cranqrel"))).map((line) => line.trim().split(/\s+/));
  return {
    documents,
    queries: queries.map(({ text }, at) => ({ id: String(at + 1), text })),
    // In Cranfield, 1 is the best grade and 4 the lowest; -1 marks the query's source document.
    judged: gradesOf(
      table.map(([query = "", document = "", grade]) => [
        query,
        document,
        Number(grade) > 0 ? Math.max(5 - Number(grade), 0) : 0,
      ]),
    ),
  };
}

async function records(path: string): Promise<Entry[]> {
  return (await Bun.file(path).text())
    .split(/^\.I /m)
    .slice(1)
    .map((record) => {
      const parts = record.split(/^\.([A-Z])\b.*$/m);
      const field = (name: string) => parts[parts.indexOf(name) + 1]?.trim() ?? "";
      return { id: String(Number(/^\d+/.exec(record)?.[0])), text: `${field("T")} ${field("W")}`.trim() };
    });
}

function gradesOf(table: readonly (readonly [string, string, number])[]): Map<string, Map<string, number>> {
  const grades = new Map<string, Map<string, number>>();
  for (const [query, document, grade] of table) {
    const of = grades.get(query) ?? new Map<string, number>();
    grades.set(query, of.set(document, grade));
  }
  return grades;
}

async function lines(path: string): Promise<string[]> {
  return (await Bun.file(path).text()).split("\n").filter((line) => line.trim() !== "");
}
