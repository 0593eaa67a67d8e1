import { readMarkdown, splitSentences } from "../casestudies/text/markdown.ts";
import type { CaseStudy } from "../casestudies/types.ts";

/** A sentence of a case study, as it is stored, without its mark-up. */
export interface StudySentence {
  /** JSON pointer into the case study, or `/body` for the text of its page. */
  readonly field: string;
  readonly text: string;
}

const MAX_SENTENCES = 1_000;
/** A longer one is no prose. */
const MAX_SENTENCE = 600;
const MAX_BODY = 200_000;

/** The stored sentences of a case study: those of its fields first, then those of the page's text. */
export function sentencesOf(study: CaseStudy, body: string | null): StudySentence[] {
  const fields: (readonly [string, string | null])[] = [
    ["/summary", study.summary],
    ["/challenge", study.challenge],
    ["/solution", study.solution],
    ...study.outcomes.flatMap(({ text, sentence }, at) => [
      [`/outcomes/${at}/sentence`, sentence] as const,
      [`/outcomes/${at}/text`, text] as const,
    ]),
    ["/quote/text", study.quote?.text ?? null],
    ["/title", study.title],
  ];
  const sentences: StudySentence[] = [];
  const add = (field: string, text: string) => {
    for (const sentence of splitSentences(text)) {
      if (sentences.length >= MAX_SENTENCES) return;
      if (sentence.length <= MAX_SENTENCE) sentences.push({ field, text: sentence });
    }
  };
  for (const [field, text] of fields) if (text !== null) add(field, text);
  for (const { text } of readMarkdown((body ?? "").slice(0, MAX_BODY))) add("/body", text);
  return sentences;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Finds a name as a whole word, with its case unless it is in no danger of being another word. */
export const nameIn = (name: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, "u");

/**
 * Finds a sentence that says that the client left a tool: "migrated from TOOL", "replaced TOOL with", "instead of TOOL",
 * "TOOL was replaced by". Up to four words may come between.
 */
export function leavingOf(name: string): RegExp {
  const tool = `(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`;
  const words = "(?:\\s+[\\p{L}\\p{N}’'/-]{1,20}){0,4}?\\s+";
  return new RegExp(
    [
      `\\b(?:migrat|mov|switch|transition|chang|convert|port|shift)\\p{L}*${words}(?:away\\s+)?(?:from|off(?:\\s+of)?)(?:\\s+(?!to\\b)[\\p{L}\\p{N}’'/-]{1,20}){0,4}?\\s+${tool}`,
      `\\b(?:replac(?:ed|es|ing|e)|retir(?:ed|ing)|abandon(?:ed|ing)|ditch(?:ed|ing)|outgrew|outgrown|got\\s+rid\\s+of|phas(?:ed|ing)\\s+out|moved\\s+on\\s+from|instead\\s+of|rather\\s+than|away\\s+from|(?:left|leaving)\\s+behind)(?:\\s+(?!with\\b|by\\b)[\\p{L}\\p{N}’'/-]{1,20}){0,4}?\\s+${tool}`,
      `${tool}\\s+(?:was|were|has\\s+been|is)\\s+(?:replaced|retired|phased\\s+out|abandoned)`,
    ].join("|"),
    "iu",
  );
}
