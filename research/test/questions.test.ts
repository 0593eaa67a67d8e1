import { expect, test } from "bun:test";
import { basename, resolve } from "node:path";

const data = resolve(import.meta.dir, "../../data");
const KINDS = ["plain", "reworded", "need", "role"];

interface Row {
  readonly at: string;
  readonly text: string;
  readonly vendor: string;
  readonly id: string;
  readonly question: string;
  readonly kind: string;
}

async function readRows(file: string): Promise<readonly Row[]> {
  const texts = (await Bun.file(`${data}/${file}`).text()).split("\n").slice(0, -1);
  return texts.map((text, row) => {
    const [id = "", question = "", kind = "", ...rest] = text.split("\t");
    const vendor = basename(file, ".tsv");
    return { at: `${vendor}:${row + 1}`, text, vendor, id, question, kind: [kind, ...rest].join("\t") };
  });
}

const files = [...new Bun.Glob("training/questions/*.tsv").scanSync(data)].sort();
const rows = (await Promise.all(files.map(readRows))).flat();
const records = [...new Bun.Glob("*/*.yaml").scanSync(`${data}/starter`)].sort();

const idOf = (file: string) => file.replace("/", "--").replace(/\.yaml$/, "");
const ofRecord = Map.groupBy(rows, ({ id }) => id);
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)?/gu) ?? [];
const plain = (text: string) => ` ${wordsOf(text).join(" ")} `;
const where = (found: readonly Row[]) => found.map(({ at, text }) => `${at} ${text}`);

test("a line holds a record, a question and a kind", () => {
  const odd = rows.filter(
    ({ question, kind }) =>
      !KINDS.includes(kind) || question === "" || question !== question.trim() || /\s\s/.test(question),
  );
  expect(where(odd)).toEqual([]);
});

test("every question belongs to a record of the vendor that the file is named after", () => {
  const known = new Set(records.map(idOf));
  const lost = rows.filter(({ id, vendor }) => !known.has(id) || !id.startsWith(`${vendor}--`));
  expect(where(lost)).toEqual([]);
});

test("every record has four to six questions", () => {
  const counts = records.map(idOf).map((id) => `${id}: ${ofRecord.get(id)?.length ?? 0}`);
  expect(counts.filter((line) => !/: [456]$/.test(line))).toEqual([]);
});

test("at least half of a record's questions paraphrase it or state only the need", () => {
  const close = [...ofRecord].filter(
    ([, own]) => own.filter(({ kind }) => kind === "reworded" || kind === "need").length * 2 < own.length,
  );
  expect(close.map(([id]) => id)).toEqual([]);
});

test("no question is repeated", () => {
  const alike = Map.groupBy(rows, ({ question }) => plain(question));
  expect([...alike.values()].filter((same) => same.length > 1).flatMap(where)).toEqual([]);
});

test("a question has three to fourteen words", () => {
  const long = rows.filter(({ question }) => {
    const words = question.split(" ").length;
    return words < 3 || words > 14;
  });
  expect(where(long)).toEqual([]);
});

test("at most one question of a record names its client", async () => {
  const naming = await Promise.all(
    records.map(async (file) => {
      const record = Bun.YAML.parse(await Bun.file(`${data}/starter/${file}`).text()) as {
        readonly client?: { readonly name?: string | null } | null;
      };
      const name = record.client?.name;
      if (typeof name !== "string") return [];
      return (ofRecord.get(idOf(file)) ?? []).filter(({ question }) => plain(question).includes(plain(name)));
    }),
  );
  expect(naming.filter((found) => found.length > 1).flatMap(where)).toEqual([]);
});
