import type { StackSearch } from "../api-types.ts";

/** A condition as the address bar holds it: `hubspot`, `category:CRM`, `script:js.acme.com`, `txt:acme-`, `cname:acme.net`. */
export type Term = string;

export const GROUPS = ["all", "any", "none"] as const;
export type Group = (typeof GROUPS)[number];

export const LEVELS = ["confirmed", "likely", "possible"] as const;
const LEAST = { confirmed: 0.8, likely: 0.5, possible: 0.2 } as const;

export const DATES = ["seen_since", "seen_until", "appeared_since", "gone_since"] as const;
export type DateName = (typeof DATES)[number];

/** A question about companies. Empty texts are not set. */
export type Question = { readonly [name in Group]: readonly Term[] } & { readonly [name in DateName]: string } & {
  readonly level: (typeof LEVELS)[number];
  readonly top: string;
};

const KINDS = ["category", "script", "txt", "cname"] as const;
export type TermKind = (typeof KINDS)[number] | "tool";
const MAX_TERMS = 20;

/** `category:CRM` → category, CRM; a text without a known kind is a tool. */
export function parseTerm(term: Term): { readonly kind: TermKind; readonly value: string } {
  const kind = KINDS.find((each) => term.startsWith(`${each}:`));
  return kind ? { kind, value: term.slice(kind.length + 1) } : { kind: "tool", value: term };
}

export function parseQuestion(query: URLSearchParams): Question {
  const terms = (name: Group) => [...new Set(query.getAll(name).map((term) => term.slice(0, 253)))].slice(0, MAX_TERMS);
  const date = (name: DateName) => /^\d{4}-\d{2}-\d{2}$/.exec(query.get(name) ?? "")?.[0] ?? "";
  return {
    all: terms("all"),
    any: terms("any"),
    none: terms("none"),
    level: LEVELS.find((level) => level === query.get("level")) ?? "likely",
    top: query.get("top")?.slice(0, 63).toLowerCase().replace(/^\./, "") ?? "",
    seen_since: date("seen_since"),
    seen_until: date("seen_until"),
    appeared_since: date("appeared_since"),
    gone_since: date("gone_since"),
  };
}

export function questionUrl(question: Question): string {
  const params = new URLSearchParams();
  for (const group of GROUPS) for (const term of question[group]) params.append(group, term);
  if (question.level !== "likely") params.set("level", question.level);
  for (const name of ["top", ...DATES] as const) if (question[name]) params.set(name, question[name]);
  const text = params.toString().replaceAll("%3A", ":");
  return text === "" ? "/query" : `/query?${text}`;
}

export const isEmpty = (question: Question): boolean =>
  GROUPS.every((group) => question[group].length === 0) && question.top === "";

/** The body of `POST /v1/domains/search`. Dates are about each tool that is asked for. */
export function searchOf(question: Question): StackSearch {
  const dates = Object.fromEntries(DATES.flatMap((name) => (question[name] ? [[name, question[name]]] : [])));
  const condition = (term: Term, dated: boolean) => {
    const { kind, value } = parseTerm(term);
    return { [kind]: value, ...(dated ? dates : {}) };
  };
  return {
    all: question.all.map((term) => condition(term, true)),
    any: question.any.map((term) => condition(term, true)),
    none: question.none.map((term) => condition(term, false)),
    ...(question.top ? { top_level: [question.top] } : {}),
    // A tool that is gone is no longer detected at any level.
    ...(question.level === "likely" ? {} : { min_confidence: LEAST[question.level] }),
  };
}

const WORDS: Readonly<Record<TermKind, string>> = {
  tool: "",
  category: "any ",
  script: "script from ",
  txt: "TXT record ",
  cname: "alias of ",
};

const byId = (id: string): string => id;

/** `any CRM`; a tool by its name. */
export function termLabel(term: Term, nameOf = byId): string {
  const { kind, value } = parseTerm(term);
  return `${WORDS[kind]}${kind === "tool" ? nameOf(value) : value}`;
}

/** Ids of the tools that a question names. */
export const toolsOf = (question: Question): readonly string[] =>
  GROUPS.flatMap((group) => question[group].map(parseTerm)).flatMap(({ kind, value }) =>
    kind === "tool" ? [value] : [],
  );

/** `HubSpot and Stripe, not Marketo`. @param nameOf the name of a tool's id */
export function describe(question: Question, nameOf = byId): string {
  const list = (terms: readonly Term[], word: string) => terms.map((term) => termLabel(term, nameOf)).join(` ${word} `);
  const parts = [
    question.all.length > 0 ? list(question.all, "and") : "",
    question.any.length > 0 ? list(question.any, "or") : "",
  ].filter(Boolean);
  const not = question.none.length > 0 ? `not ${list(question.none, "nor")}` : "";
  const top = question.top ? `in .${question.top}` : "";
  return [parts.join(", and "), not, top].filter(Boolean).join(", ") || "all companies";
}
