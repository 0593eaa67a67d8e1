import type { RuleHit } from "./fingerprints/rule-index.ts";
import type { Fingerprint } from "./fingerprints/types.ts";

/** Collects the versions that evidence shows, and decides which of them is that of the tool. */
export interface ToolVersions {
  /** @param chance of the evidence, 0–1 */
  add(source: string, hit: RuleHit, chance: number): void;
  /** By tool id; tools without a version of their own are not in it. */
  chosen(): ReadonlyMap<string, string>;
}

interface Candidate {
  readonly source: string;
  readonly chance: number;
  /** Pieces of evidence that show it. */
  readonly count: number;
  /** Whether it is the query of an address, with which a site makes browsers load a file again: `?ver=5.8.3`. */
  readonly isQuery: boolean;
}

interface Versions {
  readonly tool: Fingerprint;
  readonly candidates: Map<string, Candidate>;
}

const WORDPRESS = "wordpress";
/** What extensions bring along, and append their own version to. */
const BROUGHT: ReadonlySet<string> = new Set(["developer-tools", "fonts", "javascript-library", "web-framework"]);
/** Versions of one tool: a page may load ten thousand of its files. */
const MAX_CANDIDATES = 12;
/** Tools of as many vendors do not have the same version by chance. */
const SHARED_BY = 3;
/** Characters after an excerpt in which the query of its address is. */
const AFTER = 300;
/** A day, a second, or a hash: `20180522`, `1591705597`, `132249e245926ae3e188`. */
const NO_VERSION = /^(?:\d{6,}|[0-9a-f]{10,})$/;

/**
 * The version in the query of an address is often not that of the tool: WordPress appends its own where an extension gives none,
 * a theme and a plug-in append theirs to the libraries that they bring, and others append the time or the hash of a build.
 */
export function createToolVersions(): ToolVersions {
  const all = new Map<string, Versions>();
  return {
    add(source, { tool, version: written, excerpt }, chance) {
      const version = written?.replace(/[._+-]+$/, "") ?? "";
      if (version === "" || NO_VERSION.test(version)) return;
      const entry = all.get(tool.id) ?? { tool, candidates: new Map() };
      all.set(tool.id, entry);
      const before = entry.candidates.get(version);
      if (!before && entry.candidates.size >= MAX_CANDIDATES) return;
      const isQuery = excerpt.text.slice(excerpt.from, excerpt.to + AFTER).includes(`=${version}`);
      entry.candidates.set(version, {
        source: before && before.source < source ? before.source : source,
        chance: Math.max(chance, before?.chance ?? 0),
        count: (before?.count ?? 0) + 1,
        isQuery: isQuery || before?.isQuery === true,
      });
    },

    chosen() {
      const ofWordPress = surest(all.get(WORDPRESS)?.candidates, () => true);
      const products = choose((category) => !BROUGHT.has(category), new Set([ofWordPress]));
      const taken = new Set([ofWordPress, ...products.chosen.values(), ...products.shared]);
      const code = choose((category) => BROUGHT.has(category), taken);
      return new Map([
        ...products.chosen,
        ...code.chosen,
        ...(ofWordPress === undefined ? [] : [[WORDPRESS, ofWordPress] as const]),
      ]);
    },
  };

  /**
   * @param taken versions that are another tool's, where they are in a query
   * @returns the versions by tool id, and those that are nobody's, because tools of several vendors have them in a query
   */
  function choose(isChosen: (category: string) => boolean, taken: ReadonlySet<string | undefined>) {
    const isOwn = (version: string, { isQuery }: Candidate) => !isQuery || !taken.has(version);
    const found = [...all.values()].flatMap(({ tool, candidates }) => {
      const version = tool.id !== WORDPRESS && isChosen(tool.category) ? surest(candidates, isOwn) : undefined;
      return version === undefined ? [] : [{ tool, version, isQuery: candidates.get(version)?.isQuery === true }];
    });
    const makers = new Map<string, Set<string>>();
    for (const { tool, version, isQuery } of found)
      if (isQuery) makers.set(version, (makers.get(version) ?? new Set()).add(makerOf(tool)));
    const shared = new Set([...makers].flatMap(([version, { size }]) => (size >= SHARED_BY ? [version] : [])));
    return {
      shared,
      chosen: new Map(found.flatMap(({ tool, version }) => (shared.has(version) ? [] : [[tool.id, version] as const]))),
    };
  }
}

/** An extension that the catalogue does not have has no vendor: `Elementor Pro` is of the maker of Elementor. */
const makerOf = ({ vendor }: Fingerprint) => vendor.split(" ", 1)[0]?.toLowerCase() ?? "";

/**
 * The version with the best evidence, then the one that is shown most often: an extension's own files are more than those of a
 * library that it brings. Of several the first of the first source, so that the order in which sources end does not matter.
 */
function surest(
  candidates: ReadonlyMap<string, Candidate> | undefined,
  isOwn: (version: string, candidate: Candidate) => boolean,
): string | undefined {
  const own = [...(candidates ?? [])].filter(([version, candidate]) => isOwn(version, candidate));
  const [first] = own.sort(
    ([, a], [, b]) =>
      b.chance - a.chance || b.count - a.count || (a.source < b.source ? -1 : a.source > b.source ? 1 : 0),
  );
  return first?.[0];
}
