import type { Industry } from "../../vocabulary/case-study.ts";

/** One form for all ways to write a name: case, accents, width and spaces do not count. */
export const folded = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/\s+/g, " ").trim();

/** What industries are compared and grouped by: where the taxonomy files it, else the source's word. */
export const industryKey = ({ raw, slug }: Industry): string => slug ?? folded(raw);
