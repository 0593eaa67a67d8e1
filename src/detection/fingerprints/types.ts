import type { SignalGroup, SignalKind } from "../signals.ts";

/** How sure one rule is by itself, before the kind of its signal is weighed. */
export const STRENGTHS = ["weak", "strong", "certain"] as const;
export type Strength = (typeof STRENGTHS)[number];

/**
 * What a hit says of the company.
 * - `runs`          the tool is at work there
 * - `sends-as`      the tool may send mail in the company's name
 * - `verified-once` somebody proved ownership of the domain to the vendor, once
 * - `mentions`      a text names the tool; never enough by itself
 */
export const MEANINGS = ["runs", "sends-as", "verified-once", "mentions"] as const;
export type Meaning = (typeof MEANINGS)[number];

/**
 * One condition on a signal's value. Every key that is given must hold. Letter case is ignored
 * except by `global` and `word`.
 */
export interface Match {
  /** Host suffixes on label boundaries: `hs-scripts.com` meets `js.hs-scripts.com`, not `evilhs-scripts.com`. */
  readonly host?: string | readonly string[];
  /** With `host`: the URL's path starts so. Without, for first-party paths: the path contains it. */
  readonly path?: string;
  /** The whole value. */
  readonly equals?: string | readonly string[];
  /** The value's start. */
  readonly prefix?: string | readonly string[];
  /** A part of the value. At least 5 characters. */
  readonly contains?: string | readonly string[];
  /** A JavaScript identifier or member chain (`window.Intercom` is written `Intercom`), at least 4 characters. */
  readonly global?: string | readonly string[];
  /** A product name between word boundaries, in its own letter case, at least 4 characters. */
  readonly word?: string | readonly string[];
  /** For `named` values: the name, whole; the other keys then look at the content. */
  readonly name?: string;
  /** Bounded repeats only, but in a user's own files; applied to the value, in texts to the neighbourhood of `contains`. */
  readonly regex?: string;
}

export interface Rule {
  /** Words with dashes, unique within its tool. */
  readonly id: string;
  readonly see: SignalKind | SignalGroup | readonly (SignalKind | SignalGroup)[];
  readonly match: Match;
  readonly strength: Strength;
  readonly means: Meaning;
  /** Why a hit gives the tool away, in one clause. */
  readonly why: string;
  /** A value that the rule meets. */
  readonly hit: string;
  /** A near value that it must not meet. */
  readonly miss: string;
  /** A bounded expression whose first group is the tool's version, applied to the value. */
  readonly version?: string;
  /** From a user's own file: its expressions may be hostile and run in linear time. */
  readonly own?: true;
}

/**
 * What a tool does with a company's mail.
 * - `mailbox` keeps it
 * - `gateway` takes it in, looks at it and hands it on
 * - `sender`  sends in the company's name
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
  /** Ids of tools that are certainly there when this one is. */
  readonly implies?: readonly string[];
  /** Ids of tools whose marks this one has too without being them: a less sure one is not told beside it. */
  readonly excludes?: readonly string[];
  /** Ids of tools without which this one is not told. */
  readonly requires?: readonly string[];
  /** Id of the tool of which this one is a part. */
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
