import type { Catalogue } from "./fingerprints/catalogue.ts";
import type { RuleHit } from "./fingerprints/rule-index.ts";
import type { Fingerprint, Meaning, Rule } from "./fingerprints/types.ts";
import { LEAST } from "./levels.ts";
import { isOtherAccount } from "./other-account.ts";
import { redact, redactExcerpt } from "./redaction.ts";
import { isListedName } from "./self-naming/listed-names.ts";
import { EXTENDED_PLATFORMS, OF_DIRECTORY, platformOf } from "./self-naming/platforms.ts";
import { privateFamilies } from "./self-naming/private-families.ts";
import { type Family, SIGNALS, type Signal, type SignalKind } from "./signals.ts";
import type { Detection, Evidence } from "./types.ts";
import { createToolVersions } from "./versions.ts";
import {
  CEILING,
  DEFAULT_MIN_CONFIDENCE,
  IMPLIED,
  LOWEST_MIN_CONFIDENCE,
  MEANINGS,
  OTHER_ACCOUNT,
  OTHER_PLATFORM,
  OWN_EXTENSION,
  RELIABILITY,
  STRENGTH,
  SWITCHED_OFF,
} from "./weights.ts";

interface RelationOptions {
  /** Minimum confidence. */
  readonly minConfidence: number;
  /** `TOOL-ID/RULE-ID` or `TOOL-ID/implies`: suppressed for this company. */
  readonly suppressed: ReadonlySet<string>;
  /** Tools to leave out for now. */
  readonly withheld: ReadonlySet<string>;
}

/** In place of a rule's id in the evidence of an implied tool. */
const IMPLIES = "implies";

/**
 * Applies the relations between detected tools: removes those that a tool of higher confidence excludes and those that
 * lack a required tool, then adds implied ones.
 *
 * @param detected by tool id; modified
 */
function applyRelations(detected: Map<string, Detection>, catalogue: Catalogue, options: RelationOptions): void {
  for (const id of options.withheld) detected.delete(id);
  removeExcluded(detected, catalogue);
  removeUnmet(detected, catalogue);
  addImplied(detected, catalogue, options);
  // An implied tool may be excluded by another one.
  removeExcluded(detected, catalogue);
}

/** Tools that another tool may exclude. They are withheld while a scan runs, because a reported tool must not disappear. */
export function excludableTools(catalogue: Catalogue): ReadonlySet<string> {
  const known = excludable.get(catalogue);
  if (known) return known;
  const tools = new Set([...catalogue.tools.values()].flatMap(({ excludes = [] }) => excludes));
  excludable.set(catalogue, tools);
  return tools;
}
/** Each scan asks. */
const excludable = new WeakMap<Catalogue, ReadonlySet<string>>();

/** In order of confidence; a tool that was removed excludes nothing. */
function removeExcluded(detected: Map<string, Detection>, catalogue: Catalogue): void {
  for (const { id, confidence } of byConfidence(detected)) {
    if (!detected.has(id)) continue;
    for (const excluded of catalogue.tools.get(id)?.excludes ?? []) {
      if ((detected.get(excluded)?.confidence ?? 1) < confidence) detected.delete(excluded);
    }
  }
}

function removeUnmet(detected: Map<string, Detection>, catalogue: Catalogue): void {
  // Implied tools count as detected.
  const isDetected = (id: string) =>
    detected.has(id) || [...detected.keys()].some((other) => catalogue.tools.get(other)?.implies?.includes(id));
  for (let before = -1; before !== detected.size; ) {
    before = detected.size;
    for (const id of [...detected.keys()]) {
      if (!(catalogue.tools.get(id)?.requires ?? []).every(isDetected)) detected.delete(id);
    }
  }
}

/** Follows `implies` transitively; an implied tool never has a higher confidence than the tool that implies it. */
function addImplied(
  detected: Map<string, Detection>,
  catalogue: Catalogue,
  { minConfidence, suppressed, withheld }: RelationOptions,
): void {
  const queue = byConfidence(detected);
  for (let parent = queue.shift(); parent; parent = queue.shift()) {
    const rule = `${parent.id}/${IMPLIES}`;
    const confidence = round(parent.confidence * IMPLIED);
    if (suppressed.has(rule) || confidence < minConfidence) continue;
    for (const id of catalogue.tools.get(parent.id)?.implies ?? []) {
      const tool = catalogue.tools.get(id);
      const known = detected.get(id);
      if (!tool || withheld.has(id) || (known && known.confidence >= confidence)) continue;
      const implied: Evidence = {
        source: "catalogue",
        signal: "implied",
        value: parent.tool,
        location: parent.evidence[0]?.location ?? "",
        rule,
        strength: parent.evidence[0]?.strength ?? "weak",
      };
      const detection: Detection = known
        ? { ...known, confidence, evidence: [...known.evidence, implied] }
        : { ...describeTool(tool, catalogue), version: null, confidence, means: parent.means, evidence: [implied] };
      detected.set(id, detection);
      queue.push(detection);
    }
  }
}

const byConfidence = (detected: ReadonlyMap<string, Detection>): Detection[] =>
  [...detected.values()].sort((a, b) => b.confidence - a.confidence || compare(a.id, b.id));

function describeTool(tool: Fingerprint, catalogue: Catalogue) {
  return {
    id: tool.id,
    tool: tool.name,
    category: catalogue.categories.get(tool.category)?.label ?? tool.category,
    vendor: tool.vendor,
    website: tool.website,
  };
}

const round = (chance: number): number => Math.round(chance * 100) / 100;

/** Collects evidence from signals and computes the detections so far at any time. */
interface EvidenceStore {
  /** @returns whether the detections may have changed */
  add(source: string, signal: Signal): boolean;
  /**
   * Sorted by category label, then name.
   *
   * @param withheld tools to leave out for now
   */
  detections(withheld?: ReadonlySet<string>): Detection[];
  /** What is possible but below the minimum confidence, in the same order. */
  possible(withheld?: ReadonlySet<string>): Detection[];
}

interface EvidenceOptions {
  /** `TOOL-ID/RULE-ID` of rules that must not match for this company. */
  readonly suppressed?: ReadonlySet<string>;
  /** Receives each signal, and whether a rule matched it, suppressed or not. */
  readonly onSignal?: (signal: Signal, isMatched: boolean) => void;
}

interface Claim {
  readonly rule: Rule;
  readonly evidence: Evidence;
  readonly family: Family;
  readonly means: Meaning;
  readonly chance: number;
  readonly hasVersion: boolean;
  readonly isSetUp: boolean;
}

/** What decides the confidence. */
type JudgedClaim = Pick<Claim, "family" | "chance" | "means" | "evidence">;

/** Evidence per tool in a report, best first. Every claim counts: a limit on claims would depend on their order. */
const MAX_EVIDENCE = 24;
/**
 * Tools in a report that are neither in the catalogue nor in a table of names, of one category and by evidence of one
 * strength: pages choose these names, and the largest sites load about a hundred. Made-up plug-ins leave room for modules and
 * packages, and made-up names in settings for files that are loaded.
 */
const MAX_UNLISTED = 150;

/** @param minConfidence 0.46–1 */
export function createEvidenceStore(
  catalogue: Catalogue,
  minConfidence: number = DEFAULT_MIN_CONFIDENCE,
  { suppressed = new Set(), onSignal }: EvidenceOptions = {},
): EvidenceStore {
  /** By id. A tool outside the catalogue has the spelling that was found first. */
  const claimed = new Map<string, { readonly tool: Fingerprint; readonly claims: Claim[] }>();
  const off = new Set<string>();
  const minimum = Math.max(minConfidence, LOWEST_MIN_CONFIDENCE);
  const versions = createToolVersions();
  const unlisted = new Map<string, number>();
  /** Whether there is room for one more tool like this one, which is taken. */
  const isAdmitted = ({ tool, rule }: RuleHit): boolean => {
    const key = `${tool.category} ${rule.strength}`;
    const count = (unlisted.get(key) ?? 0) + 1;
    unlisted.set(key, count);
    return count <= MAX_UNLISTED;
  };
  // The signals of a page have the same.
  let lastLocation: string | undefined;
  let location = "";

  /** Of all tools with a claim, until the next one: a report asks three times. */
  let known: readonly Detection[] | undefined;

  const detectionsOfClaims = (): readonly Detection[] => {
    const versionOf = versions.chosen();
    const detections = [...claimed.values()].map(({ tool, claims }) =>
      detectionOf(
        tool,
        off.has(tool.id) && !claims.some(({ isSetUp }) => isSetUp) ? claims.map(ofSwitchedOff) : claims,
        catalogue,
        versionOf.get(tool.id) ?? null,
      ),
    );
    const tools = [...claimed.values()].map(({ tool }) => tool);
    return withoutPrivateExtensions(withoutOtherPlatforms(detections, tools), catalogue);
  };

  const detectedAt = (least: number, withheld: ReadonlySet<string>): Map<string, Detection> => {
    known ??= detectionsOfClaims();
    const detected = new Map<string, Detection>();
    for (const detection of known) if (detection.confidence >= least) detected.set(detection.id, detection);
    applyRelations(detected, catalogue, { minConfidence: least, suppressed, withheld });
    return detected;
  };

  return {
    add(source, signal) {
      let changed = false;
      const hits = catalogue.match(signal);
      onSignal?.(
        signal,
        hits.some(({ isOff }) => !isOff),
      );
      if (hits.length > 0) known = undefined;
      for (const hit of hits) {
        if (hit.isOff) {
          changed ||= claimed.has(hit.tool.id) && !off.has(hit.tool.id);
          off.add(hit.tool.id);
          continue;
        }
        if (suppressed.size > 0 && suppressed.has(`${hit.tool.id}/${hit.rule.id}`)) continue;
        const { id } = hit.tool;
        const isNew = !claimed.has(id) && !catalogue.tools.has(id) && !isListedName(hit.tool.name);
        if (isNew && !isAdmitted(hit)) continue;
        if (hit.version !== null) versions.add(source, hit, chanceOf(signal, hit.rule));
        const entry = claimed.get(id) ?? { tool: hit.tool, claims: [] };
        const { claims } = entry;
        // One rule on one kind is one claim: the same tag on a second page proves nothing new, and ten thousand tags
        // cost no memory.
        const at = claims.findIndex(({ rule, evidence }) => rule === hit.rule && evidence.signal === signal.kind);
        const before = claims[at];
        if (signal.location !== lastLocation) {
          lastLocation = signal.location;
          location = redact("html.anchor", lastLocation);
        }
        if (before && !isBetter(source, signal, location, hit, before)) continue;
        claims[before ? at : claims.length] = claimOf(source, signal, location, hit);
        claimed.set(id, entry);
        changed = true;
      }
      return changed;
    },

    detections: (withheld = new Set()) => inOrder([...detectedAt(minimum, withheld).values()]),

    possible(withheld = new Set()) {
      const reported = detectedAt(minimum, withheld);
      const below = [...detectedAt(LEAST.possible, withheld).values()].filter(({ id }) => !reported.has(id));
      // A tool with strong evidence is only possible when a tool that it requires is: its confidence must say so.
      const most = round(minimum - 0.01);
      return inOrder(below.map((one) => (one.confidence > most ? { ...one, confidence: most } : one)));
    },
  };
}

/** Kinds of signals that code makes which a page holds and need not run. */
const OF_CODE: ReadonlySet<SignalKind> = new Set<SignalKind>([
  "html.inline",
  "html.inline-host",
  "html.inline-url",
  "html.data",
]);

/** The loader of a tool that the page's settings switch off is a hint. Its weak strength says so in stored evidence. */
const ofSwitchedOff = <T extends JudgedClaim>(claim: T): T =>
  claim.evidence.signal !== "implied" && OF_CODE.has(claim.evidence.signal)
    ? {
        ...claim,
        chance: Math.min(claim.chance, SWITCHED_OFF),
        family: "page-code",
        evidence: { ...claim.evidence, strength: "weak" },
      }
    : claim;

/** The system that a tool extends or is a theme of. */
const extendedBy = ({ category, implies = [] }: Fingerprint): string | undefined =>
  platformOf(category) ?? EXTENDED_PLATFORMS.find((platform) => implies.includes(platform));
/** Kinds of signals that the mark-up of a page makes, which another system may have copied. */
const OF_MARKUP: ReadonlySet<SignalKind> = new Set<SignalKind>([
  "html.names",
  "html.style",
  "html.markup",
  "html.custom",
]);

/** Classes and selectors, which copied text and leftovers have too. */
const OF_CLASSES: ReadonlySet<SignalKind> = new Set<SignalKind>(["html.names", "html.style"]);

const isAllOf = (kinds: ReadonlySet<SignalKind>, { evidence }: Detection) =>
  evidence.every(({ signal }) => signal !== "implied" && kinds.has(signal));

/**
 * What a page has of an extension is a hint, as long as nothing else of its system is there: mark-up on a page that another system
 * made, which came with a copied text or with the edition for that system, and classes on any page. So are the classes of a second
 * system.
 *
 * @param tools of the detections, in the same order
 */
function withoutOtherPlatforms(all: readonly Detection[], tools: readonly Fingerprint[]): readonly Detection[] {
  const systems = all.filter(({ id }) => EXTENDED_PLATFORMS.includes(id));
  const sure = systems.filter((one) => !isAllOf(OF_CLASSES, one));
  const isOther = sure.some(({ confidence }) => confidence >= LEAST.confirmed);
  const found = new Set((isOther ? sure : systems).map(({ id }) => id));
  const platforms = tools.map(extendedBy);
  // An extension with files or settings shows its system too.
  const shown = new Set(platforms.filter((_, at) => !isAllOf(OF_MARKUP, all[at]!)));
  return all.map((one, at) => {
    const platform = EXTENDED_PLATFORMS.includes(one.id) ? one.id : platforms[at];
    if (platform === undefined || one.confidence <= OTHER_PLATFORM || found.has(platform)) return one;
    const isHint = isOther ? isAllOf(OF_MARKUP, one) : !shown.has(platform) && isAllOf(OF_CLASSES, one);
    return isHint ? { ...one, confidence: OTHER_PLATFORM } : one;
  });
}

/** Extensions that a company wrote for its own sites are no tools that another one could use: a hint. */
function withoutPrivateExtensions(all: readonly Detection[], catalogue: Catalogue): readonly Detection[] {
  const unlisted = all.flatMap(({ id }) => (catalogue.tools.has(id) ? [] : [id]));
  const own = privateFamilies(unlisted, catalogue);
  return own.size === 0
    ? all
    : all.map((one) => (own.has(one.id) ? { ...one, confidence: Math.min(one.confidence, OWN_EXTENSION) } : one));
}

/** By category label, then name. */
export const inOrder = <T extends Pick<Detection, "id" | "tool" | "category">>(detections: readonly T[]): T[] =>
  detections.toSorted((a, b) => compare(a.category, b.category) || compare(a.tool, b.tool) || compare(a.id, b.id));

/**
 * Whether a further match of a rule on a kind of signal replaces the first one. Data sources finish in any order, so it must
 * not matter which of them came first; within one document the first match stays.
 */
function isBetter(source: string, signal: Signal, location: string, hit: RuleHit, before: Claim): boolean {
  const { rule, version, excerpt } = hit;
  // Evidence that shows a version is worth more to a reader.
  if ((version !== null) !== before.hasVersion) return version !== null;
  const chance = chanceOf(signal, rule);
  if (chance !== before.chance) return chance > before.chance;
  const { evidence } = before;
  if (source !== evidence.source) return source < evidence.source;
  if (location !== evidence.location) return location < evidence.location;
  return !isInDocument(signal.kind) && redactExcerpt(signal.kind, excerpt) < evidence.value;
}

/** Signals of a document come in its order; those of a DNS answer in any. */
const isInDocument = (kind: SignalKind): boolean => kind.startsWith("html.") || kind.startsWith("js.");

/** By the probability that they are right, then in an order that does not depend on which data source finished first. */
const byChance = (a: Claim, b: Claim): number =>
  b.chance - a.chance ||
  compare(a.evidence.source, b.evidence.source) ||
  compare(a.evidence.signal, b.evidence.signal) ||
  compare(a.evidence.value, b.evidence.value) ||
  compare(a.evidence.rule, b.evidence.rule);

function claimOf(source: string, signal: Signal, location: string, hit: RuleHit): Claim {
  const { tool, rule, excerpt, version, isSetUp = false } = hit;
  return {
    rule,
    evidence: {
      source,
      signal: signal.kind,
      value: redactExcerpt(signal.kind, excerpt),
      location,
      rule: `${tool.id}/${rule.id}`,
      strength: rule.strength,
    },
    family: SIGNALS[signal.kind].family,
    means: rule.means,
    chance: chanceOf(signal, rule),
    hasVersion: version !== null,
    isSetUp,
  };
}

/** Places that a theme or a library brings for tools that a site may not have: a hint alone, and nothing next to other evidence. */
const OF_OTHERS = /\/(?:directory|styled)$/;

const OF_NAMED_CODE = /\/(?:setting|identifier)$/;
const PART = /[A-Za-z0-9]+[_-][A-Za-z0-9_-]{4,60}/g;

/**
 * Whether a class or an id and the page's code name the same part of the site, in which the tool is not the first word:
 * `close_fusion_player` and `fusion_player` are one piece of evidence.
 */
function isSamePart({ rule, value }: Pick<Evidence, "rule" | "value">, code: string): boolean {
  if (!rule.endsWith("/mark")) return false;
  const tool = (rule.split("/", 1)[0] ?? "").replace(/[^a-z0-9]/g, "");
  return (code.match(PART) ?? []).some(
    (part) =>
      value.includes(part) &&
      part
        .toLowerCase()
        .replace(/[^a-z0-9]/g, "")
        .indexOf(tool) > 0,
  );
}

/**
 * The best claim of each family counts. Families are taken as independent, so the probability that all of them are wrong
 * is the product of their error probabilities: 1 − ∏(1 − p). The best meaning sets the ceiling.
 *
 * A weak rule counts once, in the family where it counts most: what it is unsure of stays so, however many kinds of signal
 * it matches. So does the directory of an extension, which one tag shows in several kinds.
 */
function confidenceOf(claims: readonly JudgedClaim[]): number {
  const once = new Map<string, (typeof claims)[number]>();
  let alone = 0;
  for (const claim of claims) {
    const { rule } = claim.evidence;
    if (OF_OTHERS.test(rule)) alone = Math.max(alone, claim.chance);
    else if (countsOnce(claim.evidence) && claim.chance > (once.get(rule)?.chance ?? 0)) once.set(rule, claim);
  }
  const named = [...once.values()];
  const codes = named.filter(({ evidence }) => OF_NAMED_CODE.test(evidence.rule));
  const best = new Map<Family, number>();
  for (const { family, chance } of [
    ...claims.filter(({ evidence }) => !countsOnce(evidence)),
    ...named.filter(({ evidence: mark }) => !codes.some(({ evidence }) => isSamePart(mark, evidence.value))),
  ])
    best.set(family, Math.max(best.get(family) ?? 0, chance));
  const doubt = [...best.values()].reduce((product, chance) => product * (1 - chance), 1);
  const ceiling = Math.max(0, ...claims.map(({ means }) => CEILING[means]));
  return round(Math.min(Math.max(1 - doubt, alone), ceiling));
}

/** The address of a file in an extension's directory is seen in the tag, in its path and in the mark-up: one piece of evidence. */
const countsOnce = ({ rule, strength }: Evidence) => strength === "weak" || OF_DIRECTORY.test(rule);

/** The probability that a match of a rule on a signal is right. */
function chanceOf(signal: Signal, rule: Pick<Rule, "match" | "strength">): number {
  const chance = STRENGTH[rule.strength] * (RELIABILITY[signal.kind] ?? 1);
  return signal.kind === "html.anchor" && isOtherAccount(signal, rule) ? Math.min(chance, OTHER_ACCOUNT) : chance;
}

function detectionOf(
  tool: Fingerprint,
  unordered: readonly Claim[],
  catalogue: Catalogue,
  version: string | null,
): Detection {
  const claims = unordered.toSorted(byChance);
  const means = MEANINGS.find((meaning) => claims.some((claim) => claim.means === meaning)) ?? "mentions";
  return {
    ...describeTool(tool, catalogue),
    version,
    confidence: confidenceOf(claims),
    means,
    evidence: claims.slice(0, MAX_EVIDENCE).map((claim) => claim.evidence),
  };
}

/** By code unit, so that the order is the same on every machine. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Stored detections without the evidence of rules that were suppressed later, as the next scan will report them: a tool
 * without other evidence is removed, and so are tools that only it implied.
 *
 * @param suppressed `TOOL-ID/RULE-ID`
 */
export function withoutRules<T extends Detection>(
  detections: readonly T[],
  suppressed: ReadonlySet<string>,
  catalogue: Catalogue,
): readonly T[] {
  const removedRules = new Set(suppressed);
  let remaining = detections;
  for (let before = -1; removedRules.size !== before; ) {
    before = removedRules.size;
    remaining = remaining.flatMap((detection) => {
      const evidence = detection.evidence.filter(({ rule }) => !removedRules.has(rule));
      if (evidence.length === detection.evidence.length) return [detection];
      const confidence = Math.min(detection.confidence, confidenceFrom(evidence, detection, catalogue));
      if (confidence >= LEAST.possible) return [{ ...detection, evidence, confidence }];
      removedRules.add(`${detection.id}/${IMPLIES}`);
      return [];
    });
  }
  return remaining;
}

/** Confidence from stored evidence. An implied tool keeps its confidence as long as the evidence is left. */
function confidenceFrom(evidence: readonly Evidence[], detection: Detection, catalogue: Catalogue): number {
  const rules = catalogue.tools.get(detection.id)?.rules ?? [];
  const claims: JudgedClaim[] = [];
  for (const each of evidence) {
    const { signal: kind, strength, value, location } = each;
    if (kind === "implied") return detection.confidence;
    const rule = rules.find(({ id }) => `${detection.id}/${id}` === each.rule);
    const isOff = strength === "weak" && rule !== undefined && rule.strength !== "weak";
    const judged = { match: rule?.match ?? {}, strength: isOff ? rule.strength : strength };
    const chance = chanceOf({ kind, value, location }, judged);
    const claim = { family: SIGNALS[kind].family, chance, means: rule?.means ?? detection.means, evidence: each };
    claims.push(isOff ? ofSwitchedOff(claim) : claim);
  }
  return confidenceOf(claims);
}
