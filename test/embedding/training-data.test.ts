import { expect, test } from "bun:test";
import { basename, resolve } from "node:path";

const data = resolve(import.meta.dir, "../../data");
const KINDS = ["abbreviation", "description", "paraphrase", "question", "sentence", "spelling"];
/** Their two sides are forms of the same words. */
const ALIKE = ["abbreviation", "spelling"];

interface Line {
  readonly at: string;
  readonly text: string;
  readonly fields: readonly string[];
}

const files = [...new Bun.Glob("training/lexicon/*.tsv").scanSync(data)].sort();
const lines: Line[] = (
  await Promise.all(
    files.map(async (file) => {
      const rows = (await Bun.file(`${data}/${file}`).text()).split("\n").slice(0, -1);
      return rows.map((text, row) => ({ at: `${basename(file)}:${row + 1}`, text, fields: text.split("\t") }));
    }),
  )
).flat();

const kindOf = ({ fields }: Line) => (fields[2] ?? "").replace(/^lexicon:/, "");
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)?/gu) ?? [];
const where = (found: readonly Line[]) => found.map(({ at, text }) => `${at} ${text}`);

test("a line contains a phrase, a paraphrase and a kind", () => {
  const odd = lines.filter(
    ({ fields }) =>
      fields.length !== 3 ||
      fields.some((field) => field === "" || field !== field.trim() || /\s\s/.test(field)) ||
      !KINDS.some((kind) => fields[2] === `lexicon:${kind}`),
  );
  expect(where(odd)).toEqual([]);
});

test("there are at least 4,000 pairs, 800 of them with a sentence", () => {
  expect(lines.length).toBeGreaterThanOrEqual(4_000);
  expect(lines.filter((line) => kindOf(line) === "sentence").length).toBeGreaterThanOrEqual(800);
});

test("no pair occurs twice in either order", () => {
  const seen = new Set<string>();
  const again = lines.filter(({ fields }) => {
    const key = fields
      .slice(0, 2)
      .map((side) => side.toLowerCase())
      .sort()
      .join("\t");
    const known = seen.has(key);
    seen.add(key);
    return known;
  });
  expect(where(again)).toEqual([]);
});

test("the two sides share at most half of the words of the shorter one", () => {
  const close = lines.filter((line) => {
    if (ALIKE.includes(kindOf(line))) return false;
    const [a, b] = line.fields.slice(0, 2).map((side) => new Set(wordsOf(side)));
    const shared = a!.intersection(b!).size;
    return shared * 2 > Math.min(a!.size, b!.size);
  });
  expect(where(close)).toEqual([]);
});

interface Named {
  readonly name: string;
  readonly synonyms?: readonly string[];
  readonly cues?: readonly string[];
}

/** `" "` on both ends, so that whole words are found. */
const plain = (text: string) => ` ${wordsOf(text).join(" ")} `;
const said = lines.map(({ fields }) => plain(fields.slice(0, 2).join(" / ")));

const linesWith = new Map<string, Set<string>>();
for (const text of said)
  for (const word of text.trim().split(" ")) linesWith.set(word, (linesWith.get(word) ?? new Set()).add(text));

function linesAbout(words: readonly string[]): number {
  const forms = words.map(plain).flatMap((form) => [form, `${form.trimEnd()}s `]);
  const found = forms.flatMap((form) =>
    [...(linesWith.get(form.trim().split(" ")[0] ?? "") ?? [])].filter((text) => text.includes(form)),
  );
  return new Set(found).size;
}

async function readNamed(file: string): Promise<readonly Named[]> {
  const read = Bun.YAML.parse(await Bun.file(`${data}/${file}`).text()) as
    | readonly Named[]
    | { readonly metrics: readonly Named[] };
  return "metrics" in read ? read.metrics : read;
}

test("each industry is covered", async () => {
  const industries = await readNamed("industries.yaml");
  const silent = industries.filter(({ name, synonyms = [] }) => linesAbout([name, ...synonyms]) < 5);
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test("each outcome metric is covered", async () => {
  const metrics = await readNamed("outcome-metrics.yaml");
  const silent = metrics.filter(({ name, cues = [] }) => cues.length > 0 && linesAbout([name, ...cues]) < 15);
  expect(silent.map(({ name }) => name)).toEqual([]);
});
