import type { Feature } from "./features.ts";

/**
 * What each sign counts for a name. A page's names and "nobody" (0) compete: the chance of a name is e^score over the
 * sum of all. `bias` is where every name begins.
 *
 * First guessed, then moved by the figures: the likelihood of 397 labelled pages of 24 vendors, each page weighted by one
 * over the root of its vendor's number, with a ridge that pulls towards the guess and signs kept. Weights of one half of
 * the vendors tell the names of the other half as well as its own do. `label`, `json-ld` and `logo`, which those pages
 * hardly show, are the guesses.
 */
export const WEIGHTS: Readonly<Partial<Record<Feature, number>>> & { readonly bias: number } = {
  bias: -4.09,
  label: 4,
  "title-at": 3.4,
  slug: 3.21,
  "json-ld": 3,
  "title-label": 2.92,
  "slug-part": 2.57,
  attribution: 2.5,
  logo: 2.5,
  "title-subject": 2,
  "title-piece": 1.67,
  "title-owner": 1.61,
  "only-attribution": 1.29,
  linked: 1.25,
  defines: 1.24,
  helped: 1.23,
  about: 1.19,
  "in-slug": 1.06,
  does: 1.04,
  share: 0.98,
  "role-at": 0.88,
  at: 0.8,
  "uses-vendor": 0.64,
  "opens-story": 0.63,
  "work-at": 0.62,
  owns: 0.6,
  "two-words": 0.44,
  "at-opening": 0.43,
  title: 0.27,
  description: 0.25,
  "title-after": 0.25,
  apposition: 0.15,
  team: 0.05,
  "also-called": 0.01,
  shorter: -0.06,
  "unnamed-title": -0.61,
  person: -0.74,
  tool: -0.93,
  generic: -1.1,
  common: -1.75,
  "tool-untold": -1.96,
  place: -2.5,
};
