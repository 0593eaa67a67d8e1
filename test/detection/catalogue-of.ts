import { type Catalogue, loadCheckedCatalogue } from "../../src/detection/fingerprints/catalogue.ts";
import type { Category, Fingerprint } from "../../src/detection/fingerprints/types.ts";
import { ruleOf, toolOf } from "./fingerprints/record-of.ts";

const CATEGORIES: readonly Category[] = [
  { id: "analytics", label: "Analytics", area: "analytics and tracking" },
  { id: "cloud", label: "Cloud", area: "cloud and infrastructure" },
  { id: "email", label: "Email", area: "email and identity" },
];

export const catalogueOf = (...tools: Fingerprint[]): Catalogue =>
  loadCheckedCatalogue({ categories: CATEGORIES, tools });

/** A tool whose scripts, hosts and mail exchanges are under `ID.test`. */
export const hosted = (id: string, rest: Partial<Fingerprint> = {}): Fingerprint =>
  toolOf([ruleOf({ host: `${id}.test` }, { see: ["web", "dns.mx", "dns.cname"] })], { id, name: id, ...rest });
