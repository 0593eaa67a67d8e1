import type { SignalGroup, SignalKind } from "../signals.ts";

/** The confidence in one rule by itself, before the kind of its signal is weighed. */
export const STRENGTHS = ["weak", "strong", "certain"] as const;
export type Strength = (typeof STRENGTHS)[number];

/**
 * What a match means for the company.
 * - `runs`          the tool is in use
 * - `sends-as`      the tool may send email for the domain
 * - `verified-once` someone once proved ownership of the domain to the vendor
 * - `declares`      the site's consent platform lists it; never enough by itself
 * - `mentions`      a text names the tool; never enough by itself
 */
export const MEANINGS = ["runs", "sends-as", "verified-once", "declares", "mentions"] as const;
export type Meaning = (typeof MEANINGS)[number];

/**
 * One condition on a signal's value. Every given key must match. Case is ignored except by `global` and `word`.
 */
export interface Match {
  /** Host suffixes on label boundaries: `hs-scripts.com` matches `js.hs-scripts.com`, not `evilhs-scripts.com`. */
  readonly host?: string | readonly string[];
  /** With `host`, a prefix of the URL's path; otherwise a part of a first-party path. */
  readonly path?: string;
  /** The whole value. */
  readonly equals?: string | readonly string[];
  /** A prefix of the value. */
  readonly prefix?: string | readonly string[];
  /** A part of the value. At least 5 characters. */
  readonly contains?: string | readonly string[];
  /** A JavaScript identifier or member chain (`window.Intercom` is written `Intercom`), at least 4 characters. */
  readonly global?: string | readonly string[];
  /**
   * A product name between word boundaries, case-sensitive, at least 4 characters. In `html.names`, which no other kind
   * joins in a rule, a whole class, id or attribute; one that ends with `-` or `_` is the beginning of such a name.
   */
  readonly word?: string | readonly string[];
  /** For `named` values: the whole name; the other keys then match the content. */
  readonly name?: string;
  /** Without unbounded repeats in built-in files. Applied to the value; in a text, to the context of `contains`. */
  readonly regex?: string;
}

export interface Rule {
  /** In kebab-case, unique within the tool. */
  readonly id: string;
  readonly see: SignalKind | SignalGroup | readonly (SignalKind | SignalGroup)[];
  readonly match: Match;
  readonly strength: Strength;
  readonly means: Meaning;
  /** Why a match indicates the tool, in one clause. */
  readonly why: string;
  /** A value that the rule matches. */
  readonly hit: string;
  /** A similar value that it must not match. */
  readonly miss: string;
  /** A regex whose first group is the tool's version, applied to the value. */
  readonly version?: string;
  /** From a custom file, which is untrusted: its regexes run in linear time. */
  readonly custom?: true;
}

/**
 * What a tool does with a company's email.
 * - `mailbox` stores it
 * - `gateway` receives, filters and forwards it
 * - `sender`  sends it for the domain
 */
export const MAIL_ROLES = ["mailbox", "gateway", "sender"] as const;
export type MailRole = (typeof MAIL_ROLES)[number];

/** One tool of the catalogue: a file under `data/fingerprints`, whose name is its id. */
export interface Fingerprint {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly website: string;
  /** Id of a category in `data/categories.yaml`. */
  readonly category: string;
  /** Former and other names. */
  readonly aliases?: readonly string[];
  /** Ids of tools that are certainly in use when this one is. */
  readonly implies?: readonly string[];
  /** Ids of tools with similar signals: those of lower confidence are not reported together with this one. */
  readonly excludes?: readonly string[];
  /** Ids of tools without which this one is not reported. */
  readonly requires?: readonly string[];
  /** Id of the tool that this one is a part of. */
  readonly product_of?: string;
  readonly role?: MailRole | readonly MailRole[];
  readonly rules: readonly Rule[];
}

export interface Category {
  readonly id: string;
  /** As results show it: a short noun phrase in title case. */
  readonly label: string;
  /** One of the nine areas of the specification's section 1. */
  readonly area: Area;
}

export const AREAS = [
  "email and identity",
  "CRM and sales",
  "analytics and tracking",
  "cloud and infrastructure",
  "collaboration",
  "developer tools",
  "marketing",
  "payments and billing",
  "HR and recruiting",
] as const;

export type Area = (typeof AREAS)[number];

/** The labels of categories by area, in the order of the specification. */
export const categoriesByArea = (categories: readonly Category[]) =>
  AREAS.map((area) => ({
    area,
    categories: categories.filter((category) => category.area === area).map(({ label }) => label),
  }));
