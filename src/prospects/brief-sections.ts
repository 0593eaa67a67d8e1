import type { Statement, StatementSource } from "../casestudies/structure/language-model/statements.ts";

/** What a statement of a brief rests on. */
export interface BriefSource extends StatementSource {
  readonly kind: "scan" | "history" | "case_study" | "request";
  /** Address of the page, if there is one. */
  readonly url: string | null;
  /** JSON pointer into the case study, or the place at which a signal was seen. */
  readonly location: string | null;
  readonly case_study_id: string | null;
}

export const BRIEF_SECTIONS = ["summary", "proofs", "rivals", "changes", "stack"] as const;
export type BriefSectionId = (typeof BRIEF_SECTIONS)[number];

export interface BriefGroup {
  /** That of the case study, else empty. */
  readonly title: string;
  /** Address of the case study. */
  readonly url: string | null;
  readonly statements: readonly Statement[];
}

export interface BriefSection {
  readonly id: BriefSectionId;
  readonly title: string;
  readonly groups: readonly BriefGroup[];
}
