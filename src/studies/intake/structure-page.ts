import type { NewCaseStudy } from "../../vocabulary/case-study.ts";
import type { FetchedPage, PageText } from "../../vocabulary/page.ts";
import type { Provenance, StructuredStudy, Vendor } from "../../vocabulary/structured-study.ts";
import { isProblems, readStudy } from "../record.ts";
import type { IntakeParts } from "./parts.ts";

export interface StructuredPage {
  readonly study: NewCaseStudy;
  /** The record that the study was read from. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly provenance: readonly Provenance[];
  /** Why another engine answered than the one that was asked for; null when it did not. */
  readonly fallback: string | null;
}

/** Fewer words than this are a menu or an error message, not a story. */
const LEAST_WORDS = 40;

/** Page in, case study out; nothing is kept. */
export async function structurePage(
  { extract, engine, tools }: Pick<IntakeParts, "extract" | "engine" | "tools">,
  page: FetchedPage,
  vendor: Vendor,
  signal?: AbortSignal,
): Promise<StructuredPage | { readonly refused: string }> {
  const text = await extract(page);
  if (wordsIn(text.markdown) < LEAST_WORDS) return { refused: "The page holds no story that can be read." };
  const structured = await engine.structure(text, vendor, signal);
  const raw = rawOf(text, vendor, structured);
  const study = readStudy(raw, { ...tools, origin: "submitted" });
  if (isProblems(study)) return { refused: study.map(({ detail }) => detail).join(" ") };
  return { study, raw, provenance: structured.provenance, fallback: structured.fallback };
}

const rawOf = (text: PageText, vendor: Vendor, { fields }: StructuredStudy) => ({
  ...fields,
  url: text.canonical ?? text.url,
  company: vendor,
  body: text.markdown,
});

/** Languages without spaces count each character. */
const wordsIn = (text: string): number =>
  text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu)?.length ?? 0;
