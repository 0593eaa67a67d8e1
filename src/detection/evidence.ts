import type { Catalogue } from "./fingerprints/catalogue.ts";
import type { RuleHit } from "./fingerprints/rule-index.ts";
import type { Fingerprint, Meaning, Rule, Strength } from "./fingerprints/types.ts";
import { type Family, SIGNALS, type Signal, type SignalKind } from "./signals.ts";
import type { Detection, Evidence } from "./types.ts";
import { CEILING, IMPLIED, LOWEST_THRESHOLD, MEANINGS, RELIABILITY, STRENGTH, THRESHOLD } from "./weights.ts";

const TOKEN = /[A-Za-z0-9_~+-]{16,}/g;
/** Also as a query has it, `ada%40acme.com`; `library@3.2.1` in a path is no address. */
const MAIL = /[A-Za-z0-9._%+-]{1,64}(?:@|%40)(?=(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,63}(?![A-Za-z0-9]))/gi;
/** The user part of a URL, which is a key or a password whatever it looks like. */
const USER = /(:\/\/)[^\s/?#@]{1,512}@/g;
/** The wordy start of a value without a separator: `vendor-site-verification_`. */
const NAME = /^(?:(?:[a-z]{2,20}|[A-Z]{2,20}|[A-Z][a-z]{1,19})[_-]){0,6}/;
/** Starts that vendors give to their keys. */
const KEY = /^(?:[prs]k_(?:live|test)|whsec|xox[abp]|gh[opsu])[_-]/;
const SHOWN = 6;

/**
 * Cuts what could identify a person or serve as a secret: verification tokens, keys, the user part of addresses.
 * What is left recognises the record; nobody can use it.
 */
export function redact(kind: SignalKind, value: string): string {
  const bare = /@|%40/.test(value) ? value.replace(USER, "$1…@").replace(MAIL, "…@") : value;
  if (kind === "dns.txt") return cutToken(bare);
  return bare.replace(TOKEN, (token) => (looksRandom(token) ? `${token.slice(0, SHOWN)}…` : token));
}

/** `vendor-verification=abcdef0123` → `vendor-verification=abcdef…` */
function cutToken(text: string): string {
  const split = /[=:]\s{0,3}(?=[^=:]{0,400}$)/.exec(text.replace(/=+$/, ""));
  const start = split ? split.index + split[0].length : 0;
  const end = start + SHOWN;
  if (text.length <= end) return text;
  if (!split) {
    const cut = (token: string) => `${token.slice(0, (NAME.exec(token)?.[0].length ?? 0) + SHOWN)}…`;
    return text.replace(TOKEN, (token) => (looksRandom(token) ? cut(token) : token)).slice(0, 120);
  }
  return `${text.slice(0, end)}…`;
}

/** Words have vowels and no digits in between; host labels and file names pass, keys do not. */
function looksRandom(token: string): boolean {
  const digits = token.replace(/\D/g, "").length;
  const upper = /[a-z\d][A-Z]|[A-Z]{2}[a-z]/.test(token);
  return (
    KEY.test(token) || digits >= 4 || (digits >= 1 && upper) || (upper && !/[-_]/.test(token) && token.length >= 24)
  );
}

interface RelateOptions {
  /** Tools below it are not told. */
  readonly limit: number;
  /** `TOOL-ID/RULE-ID`, `TOOL-ID/implies` among them, of what must not tell its tool here. */
  readonly suppressed: ReadonlySet<string>;
  /** Tools that are not told yet. */
  readonly held?: ReadonlySet<string>;
}

/** In place of a rule's id in the evidence of an implied tool. */
const IMPLIES = "implies";

/**
 * What the told tools say of each other: one that a surer one excludes goes, one that lacks what it requires goes, and
 * what is implied comes.
 *
 * @param told by tool id; changed
 */
function relate(told: Map<string, Detection>, catalogue: Catalogue, options: RelateOptions): void {
  for (const id of options.held ?? []) told.delete(id);
  dropExcluded(told, catalogue);
  dropUnmet(told, catalogue);
  tellImplied(told, catalogue, options);
  // A tool may be implied that another one excludes.
  dropExcluded(told, catalogue);
}

/** Tools that another may exclude. While a scan runs they are held back: what was told must not go. */
export const excludable = ({ tools }: Catalogue): ReadonlySet<string> =>
  new Set([...tools.values()].flatMap(({ excludes = [] }) => excludes));

/** The surest tools speak first, and one that was dropped says nothing. */
function dropExcluded(told: Map<string, Detection>, catalogue: Catalogue): void {
  for (const { id, confidence } of [...told.values()].sort((a, b) => b.confidence - a.confidence)) {
    if (!told.has(id)) continue;
    for (const excluded of catalogue.tools.get(id)?.excludes ?? []) {
      if ((told.get(excluded)?.confidence ?? 1) < confidence) told.delete(excluded);
    }
  }
}

function dropUnmet(told: Map<string, Detection>, catalogue: Catalogue): void {
  // What is implied counts as there.
  const isThere = (id: string) =>
    told.has(id) || [...told.keys()].some((other) => catalogue.tools.get(other)?.implies?.includes(id));
  for (let before = -1; before !== told.size; ) {
    before = told.size;
    for (const id of [...told.keys()]) {
      if (!(catalogue.tools.get(id)?.requires ?? []).every(isThere)) told.delete(id);
    }
  }
}

/** Walks from each told tool to what it implies, and from there on; a tool is never surer than the one implying it. */
function tellImplied(
  told: Map<string, Detection>,
  catalogue: Catalogue,
  { limit, suppressed, held }: RelateOptions,
): void {
  const queue = [...told.values()].sort((a, b) => b.confidence - a.confidence);
  for (let parent = queue.shift(); parent; parent = queue.shift()) {
    for (const id of catalogue.tools.get(parent.id)?.implies ?? []) {
      const tool = catalogue.tools.get(id);
      const confidence = round(parent.confidence * IMPLIED);
      const own = told.get(id);
      if (
        !tool ||
        held?.has(id) ||
        suppressed.has(`${parent.id}/${IMPLIES}`) ||
        confidence < limit ||
        (own && own.confidence >= confidence)
      )
        continue;
      const implied: Evidence = {
        source: "catalogue",
        signal: "implied",
        value: parent.tool,
        location: parent.evidence[0]?.location ?? "",
        rule: `${parent.id}/${IMPLIES}`,
        strength: parent.evidence[0]?.strength ?? "weak",
      };
      const detection: Detection = own
        ? { ...own, confidence, evidence: [...own.evidence, implied] }
        : { ...openApiDetail(tool, catalogue), version: null, confidence, means: parent.means, evidence: [implied] };
      told.set(id, detection);
      queue.push(detection);
    }
  }
}

function openApiDetail(tool: Fingerprint, catalogue: Catalogue) {
  return {
    id: tool.id,
    tool: tool.name,
    category: catalogue.categories.get(tool.category)?.label ?? tool.category,
    vendor: tool.vendor,
    website: tool.website,
  };
}

const round = (chance: number): number => Math.round(chance * 100) / 100;

/** Gathers what the signals prove, and tells at any time which tools are detected so far. */
interface EvidenceStore {
  /** @returns whether the list of detections may have changed */
  add(source: string, signal: Signal): boolean;
  /**
   * Sorted by category label, then name.
   *
   * @param held tools that are not told yet
   */
  detections(held?: ReadonlySet<string>): Detection[];
}

interface EvidenceOptions {
  /** `TOOL-ID/RULE-ID` of what must not tell its tool here. */
  readonly suppressed?: ReadonlySet<string>;
  /** Told of each signal whether a rule knew it, suppressed or not. */
  readonly onSignal?: (signal: Signal, isKnown: boolean) => void;
}

interface Claim {
  readonly rule: Rule;
  readonly evidence: Evidence;
  readonly family: Family;
  readonly means: Meaning;
  readonly chance: number;
  readonly version: string | null;
}

/** The best proofs of a tool that are told. All count: a cap on claims would make the result hang on their order. */
const MAX_EVIDENCE = 24;

/**
 * @param threshold 0.46–1; tools below it are not told
 */
export function createEvidenceStore(
  catalogue: Catalogue,
  threshold: number = THRESHOLD,
  { suppressed = new Set(), onSignal }: EvidenceOptions = {},
): EvidenceStore {
  const claims = new Map<Fingerprint, Claim[]>();
  const limit = Math.max(threshold, LOWEST_THRESHOLD);

  return {
    add(source, signal) {
      let changed = false;
      const hits = catalogue.match(signal);
      onSignal?.(signal, hits.length > 0);
      for (const hit of hits) {
        if (suppressed.size > 0 && suppressed.has(`${hit.tool.id}/${hit.rule.id}`)) continue;
        const own = claims.get(hit.tool) ?? [];
        // One rule on one kind is one claim: the same tag on a second page proves nothing new, and ten thousand tags
        // cost no memory.
        const at = own.findIndex(({ rule, evidence }) => rule === hit.rule && evidence.signal === signal.kind);
        const known = own[at];
        if (known && (known.version !== null || hit.version === null)) continue;
        own[known ? at : own.length] = claimOf(source, signal, hit);
        claims.set(hit.tool, own);
        changed = true;
      }
      return changed;
    },

    detections(held) {
      const told = new Map<string, Detection>();
      for (const [tool, own] of claims) {
        const detection = judge(tool, own, catalogue);
        if (detection.confidence >= limit) told.set(tool.id, detection);
      }
      relate(told, catalogue, { limit, suppressed, ...(held ? { held } : {}) });
      return [...told.values()].sort(
        (a, b) => compare(a.category, b.category) || compare(a.tool, b.tool) || compare(a.id, b.id),
      );
    },
  };
}

function claimOf(source: string, signal: Signal, hit: RuleHit): Claim {
  const { rule } = hit;
  return {
    rule,
    evidence: {
      source,
      signal: signal.kind,
      value: redact(signal.kind, hit.excerpt),
      location: redact("html.anchor", signal.location),
      rule: `${hit.tool.id}/${rule.id}`,
      strength: rule.strength,
    },
    family: SIGNALS[signal.kind].family,
    means: rule.means,
    chance: chanceOf(rule.strength, signal.kind),
    version: hit.version,
  };
}

/**
 * One proof a family: its best claim. Families are taken as independent, so the chance that all of them are wrong is
 * the product of the chances that each is: 1 − ∏(1 − p). The best meaning present sets the ceiling.
 */
function confidenceOf(claims: readonly Pick<Claim, "family" | "chance" | "means">[]): number {
  const best = new Map<Family, number>();
  for (const { family, chance } of claims) best.set(family, Math.max(best.get(family) ?? 0, chance));
  const doubt = [...best.values()].reduce((product, chance) => product * (1 - chance), 1);
  const ceiling = Math.max(0, ...claims.map(({ means }) => CEILING[means]));
  return round(Math.min(1 - doubt, ceiling));
}

/** What a rule of this strength proves when it is met on this kind. */
const chanceOf = (strength: Strength, kind: SignalKind): number => STRENGTH[strength] * (RELIABILITY[kind] ?? 1);

function judge(tool: Fingerprint, claims: readonly Claim[], catalogue: Catalogue): Detection {
  const means = MEANINGS.find((meaning) => claims.some((claim) => claim.means === meaning)) ?? "mentions";
  return {
    ...openApiDetail(tool, catalogue),
    version: claims.find((claim) => claim.version)?.version ?? null,
    confidence: confidenceOf(claims),
    means,
    evidence: claims
      .toSorted((a, b) => b.chance - a.chance)
      .slice(0, MAX_EVIDENCE)
      .map((claim) => claim.evidence),
  };
}

/** By code unit, so that the order is the same on every machine. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Detections that were stored, without what rules tell that were suppressed since, as the next scan will tell them: a
 * tool without another proof goes, and so does what it alone implied.
 *
 * @param suppressed `TOOL-ID/RULE-ID`
 * @param threshold tools below it go
 */
export function withoutRules<Told extends Detection>(
  detections: readonly Told[],
  suppressed: ReadonlySet<string>,
  catalogue: Catalogue,
  threshold: number,
): readonly Told[] {
  const gone = new Set(suppressed);
  let left = detections;
  for (let before = -1; gone.size !== before; ) {
    before = gone.size;
    left = left.flatMap((detection) => {
      const evidence = detection.evidence.filter(({ rule }) => !gone.has(rule));
      if (evidence.length === detection.evidence.length) return [detection];
      const confidence = Math.min(detection.confidence, confidenceIn(detection, evidence, catalogue));
      if (confidence >= Math.max(threshold, LOWEST_THRESHOLD)) return [{ ...detection, evidence, confidence }];
      gone.add(`${detection.id}/${IMPLIES}`);
      return [];
    });
  }
  return left;
}

/** What stands as implied was judged before and holds as long as it stands. */
function confidenceIn(detection: Detection, evidence: readonly Evidence[], catalogue: Catalogue): number {
  if (evidence.some(({ signal }) => signal === "implied")) return detection.confidence;
  const rules = new Map(catalogue.tools.get(detection.id)?.rules.map((rule) => [`${detection.id}/${rule.id}`, rule]));
  return confidenceOf(
    evidence.flatMap(({ signal, strength, rule }) =>
      signal === "implied"
        ? []
        : [
            {
              family: SIGNALS[signal].family,
              chance: chanceOf(strength, signal),
              means: rules.get(rule)?.means ?? detection.means,
            },
          ],
    ),
  );
}
