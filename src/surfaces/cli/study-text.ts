import type { StudyAnswer } from "../../app/app.ts";
import type { MatchedPassage, StudyHit } from "../../vocabulary/case-study.ts";
import { plain } from "./table.ts";

const BOLD = ["\u001b[1m", "\u001b[22m"] as const;
const DIM = ["\u001b[2m", "\u001b[22m"] as const;

export const NOTHING = "No case study was found; try other words, or fewer filters.";

/** A person's view of results: who, for whom, what came of it, the sentences that match, and the id by which it is shown. */
export function resultsText({ hits }: Pick<StudyAnswer, "hits">, width: number, colour: boolean): string {
  if (hits.length === 0) return NOTHING;
  return hits.map((hit, index) => hitText(hit, index + 1, width, colour)).join("\n\n");
}

function hitText({ study, score, passage }: StudyHit, rank: number, width: number, colour: boolean): string {
  const about = [
    study.company.name,
    study.client.name && `for ${study.client.name}`,
    study.industry,
    study.published_at,
  ]
    .filter(Boolean)
    .join(", ");
  // The passage may be an outcome's own sentence.
  const outcomes = study.outcomes.filter(({ text }) => text !== passage.text).slice(0, 3);
  const id = `id ${plain(study.id)}`;
  const lines = [
    `${rank}. ${plain(study.title)}  (${score.toFixed(2)})`,
    `   ${plain(about)}`,
    ...wrapped(marked(passage, colour), width - 3),
    ...outcomes.flatMap(({ text }) => wrapped(`• ${plain(text)}`, width - 3)),
    `   ${plain(study.url)}  ${colour ? DIM[0] + id + DIM[1] : id}`,
  ];
  return lines.join("\n");
}

function marked({ text, highlights }: MatchedPassage, colour: boolean): string {
  if (!colour) return plain(text);
  let at = 0;
  let out = "";
  for (const [start, end] of highlights) {
    out += `${plain(text.slice(at, start))}${BOLD[0]}${plain(text.slice(start, end))}${BOLD[1]}`;
    at = end;
  }
  return out + plain(text.slice(at));
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/ +/)) {
    if (line !== "" && Bun.stringWidth(`${line} ${word}`) > Math.max(20, width)) {
      lines.push(`   ${line}`);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, `   ${line}`];
}
