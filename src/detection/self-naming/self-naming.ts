import type { RuleHit } from "../fingerprints/rule-index.ts";
import type { Fingerprint } from "../fingerprints/types.ts";
import type { Signal, SignalKind } from "../signals.ts";
import { bannerHits } from "./banner-hits.ts";
import { bidderHits, callHits, codeHits, keyHits } from "./code-hits.ts";
import { commentHits } from "./comment-hits.ts";
import { declaredHits, metaHits } from "./declared-hits.ts";
import { extensionHits, moduleHits } from "./extension-hits.ts";
import { EXTENSION_KINDS } from "./extensions.ts";
import { directoryHits, packageHits } from "./file-hits.ts";
import { faceHits, fontFileHits } from "./font-hits.ts";
import { markHits, wordHits } from "./mark-hits.ts";
import { type Mechanism, NOTHING } from "./mechanism.ts";
import { createNameIndex, type NameIndex } from "./names.ts";
import { PACKAGE_KINDS } from "./packages.ts";
import { createToolNaming, hasName } from "./tool-naming.ts";
import { createVendorDomainMatcher } from "./vendor-domains.ts";
import { createVerificationNameMatcher } from "./verifications.ts";
import { WORD_KINDS } from "./word-marks.ts";

/*
 * Map of this folder. A mechanism (`*-hits.ts`) reads one kind of signal, finds the names in it and returns hits: it takes its
 * rule from `naming-rules.ts`, the tool of a name from `tool-naming.ts`, and what belongs to the site itself from `own-site.ts`.
 * It finds names by structure (`extensions.ts`, `packages.ts`, `settings.ts`, `marks.ts`, `keys.ts`), by tables of marks
 * (`*-marks.ts`, `font-faces.ts`, `bidders.ts`, `shopify-apps.ts`) and of names (`extension-names.ts`, `library-files.ts`, which
 * `library-names.ts` searches), or by the catalogue's own names (`names.ts`, which `name-scan.ts` searches a text for).
 * `verifications.ts` and `vendor-domains.ts` serve `byOwner`; `evidence.ts` reads `listed-names.ts`, `platforms.ts` and
 * `private-families.ts` to decide which of the named tools a report keeps.
 */

/** Matches signals without rules of the catalogue. */
export interface SelfNaming {
  /**
   * Tools that name themselves, by the structure of what a page shows: extension directories of platforms, packages of
   * content delivery networks, generators, comments, settings, classes. One mechanism over the names of the catalogue in
   * place of a rule for each of thousands of tools; an extension that is not in the catalogue becomes a tool in a
   * category of extensions.
   */
  readonly byName: (signal: Signal) => readonly RuleHit[];
  /** For signals that no rule matches: verifications with a tool's name, and hosts of a tool's own domain. */
  readonly byOwner: (signal: Signal) => RuleHit[];
}

/** By kind of signal what may name tools there, in the order of their evidence. */
const byKind: ReadonlyMap<SignalKind, readonly Mechanism[]> = mechanismsByKind([
  [[...EXTENSION_KINDS], extensionHits],
  [[...PACKAGE_KINDS], packageHits],
  [["html.path"], directoryHits],
  [["html.meta"], metaHits],
  [["html.markup", "html.inline"], commentHits],
  [["html.inline", "html.data"], codeHits],
  [["html.inline", "html.data"], keyHits],
  [["html.inline", "html.data"], bidderHits],
  [["html.inline"], callHits],
  [["html.inline", "html.data"], moduleHits],
  [["html.inline", "html.style"], bannerHits],
  [["consent.service"], declaredHits],
  [["html.names"], markHits],
  [[...WORD_KINDS], wordHits],
  [["html.style"], faceHits],
  [["html.link", "html.path"], fontFileHits],
]);

function mechanismsByKind(all: readonly (readonly [kinds: readonly SignalKind[], mechanism: Mechanism])[]) {
  const kinds = new Set(all.flatMap(([each]) => each));
  return new Map([...kinds].map((kind) => [kind, all.flatMap(([each, run]) => (each.includes(kind) ? run : []))]));
}

/**
 * Indexes the names of these tools on first use: a signal without a mechanism costs nothing.
 *
 * @param tools of the catalogue, built-in and custom
 */
export function createSelfNaming(tools: readonly Fingerprint[]): SelfNaming {
  let index: NameIndex | undefined;
  const names = () => (index ??= createNameIndex(tools));
  const toolNamed = createToolNaming(names);
  const byVerification = createVerificationNameMatcher(names);
  const byDomain = createVendorDomainMatcher(tools);

  return {
    byName(signal) {
      const mechanisms = byKind.get(signal.kind);
      if (mechanisms === undefined) return NOTHING;
      const index = names();
      let all = NOTHING;
      for (const mechanism of mechanisms) {
        const hits = mechanism(signal, index, toolNamed);
        const named = hits.every(hasName) ? hits : hits.filter(hasName);
        if (named.length > 0) all = all.length > 0 ? [...all, ...named] : named;
      }
      return all;
    },
    byOwner: (signal) => [...byVerification(signal), ...byDomain(signal)],
  };
}
