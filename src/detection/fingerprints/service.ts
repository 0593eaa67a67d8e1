import { parseDomain } from "../../core/domain.ts";
import { Failure } from "../../core/errors.ts";
import { decodeCursor, encodeCursor } from "../../db/cursor.ts";
import type { Store } from "../../store.ts";
import type { Evidence, FalsePositive, UnmatchedCount, UnmatchedKind } from "../types.ts";
import { signalOf } from "../unmatched-signals.ts";
import type { Catalogue } from "./catalogue.ts";
import { kindsOf, toArray } from "./conditions.ts";
import type { CustomFingerprints } from "./custom.ts";
import type { FalsePositivePage } from "./repository.ts";
import type { Fingerprint, Meaning, Strength } from "./types.ts";
import type { ImportSummary as SetSummary } from "./wappalyzer/import-set.ts";

export type FingerprintCheck = Omit<CustomFingerprints, "tools" | "categories">;

/** A tool with all that tells it, and where it was told last. */
export interface ToolExplanation {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly vendor: string;
  readonly website: string;
  readonly category: string;
  readonly roles: readonly string[];
  /** Names of tools. */
  readonly product_of: string | null;
  readonly implies: readonly string[];
  readonly excludes: readonly string[];
  readonly requires: readonly string[];
  readonly rules: readonly {
    readonly id: string;
    /** Kinds of signals. */
    readonly see: readonly string[];
    readonly match: Readonly<Record<string, unknown>>;
    readonly strength: Strength;
    readonly means: Meaning;
    readonly why: string;
    /** From a file of the user's own. */
    readonly own: boolean;
  }[];
  /** Domains whose scans ever saw it. */
  readonly domains: number;
  /** The newest scans that tell it, the latest first. */
  readonly latest: readonly {
    readonly domain: string;
    readonly scanned_at: string;
    readonly confidence: number;
    readonly evidence: readonly Evidence[];
  }[];
}

/** A tool in the list of those that can be told. */
export interface ToolEntry {
  readonly id: string;
  readonly name: string;
  /** Label. */
  readonly category: string;
  /** How many. */
  readonly rules: number;
  /** Some of them from a file of the user's own. */
  readonly own: boolean;
}

export interface ToolPage {
  readonly fingerprints: readonly ToolEntry[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface FingerprintService {
  /**
   * Reads a folder of own fingerprints over the built-in ones and runs each rule's proof; faults are told, not thrown.
   *
   * @throws Failure `fingerprints.invalid` when there is no such folder
   */
  checkFingerprints(folder: string): Promise<FingerprintCheck>;
  /**
   * Reads a set in the format of Wappalyzer and, with `output`, writes it as own fingerprints.
   *
   * @throws Failure `fingerprints.invalid`
   */
  importFingerprints(folder: string, output?: string): Promise<SetSummary>;
  /** By name; with `q` those whose name, alias or id holds it. @throws Failure `cursor.invalid` */
  findTools(filter: { q?: string }, page?: { readonly limit?: number; readonly cursor?: string }): Promise<ToolPage>;
  /** @param tool id, name or alias. @throws Failure `tool.not_found` */
  explainTool(tool: string): Promise<ToolExplanation>;
  /** What scans saw and no rule of today knows, most companies first. */
  unmatchedSignals(filter: {
    readonly kind?: UnmatchedKind;
    readonly limit: number;
  }): Promise<readonly UnmatchedCount[]>;
  /**
   * Takes the operator's word that a tool which is told of a domain is not there: what told it tells it there no more.
   *
   * @throws Failure `domain.invalid`, `tool.not_found`, `feedback.not_found` when the newest scan does not tell it
   */
  reportFalsePositive(report: {
    readonly domain: string;
    readonly tool: string;
    readonly note?: string;
  }): Promise<FalsePositive>;
  falsePositives(page: { readonly limit?: number; readonly cursor?: string }): Promise<FalsePositivePage>;
  /** @throws Failure `domain.invalid`, `feedback.not_found` */
  withdrawFalsePositive(domain: string, tool: string): Promise<FalsePositive>;
}

export interface FingerprintServiceParts {
  readonly catalogue: Catalogue;
  readonly store: Pick<Store, "scans" | "discovery" | "feedback">;
}

const LIST = "fingerprints";
const PAGE = 20;
const LATEST = 5;
/** Read beyond what is wanted, since a rule may know some of it by now. */
const READ_BEYOND = 10;
/** Any reserved name may have been recorded. */
const RECORDED = ["example", "test", "internal", "local", "corp", "home", "lan"];

export function createFingerprintService({ catalogue, store }: FingerprintServiceParts): FingerprintService {
  const nameOf = (id: string) => catalogue.tools.get(id)?.name ?? id;
  const domainOf = (input: string) => parseDomain(input, RECORDED).name;
  const find = (wanted: string): Fingerprint | undefined => {
    const folded = wanted.trim().toLowerCase();
    const tools = [...catalogue.tools.values()];
    return (
      catalogue.tools.get(folded) ??
      tools.find(({ name }) => name.toLowerCase() === folded) ??
      tools.find(({ aliases = [] }) => aliases.some((alias) => alias.toLowerCase() === folded))
    );
  };
  const get = (wanted: string): Fingerprint => {
    const tool = find(wanted);
    if (tool) return tool;
    const folded = wanted.trim().toLowerCase();
    const near =
      folded === "" ? [] : [...catalogue.tools.values()].filter(({ name }) => name.toLowerCase().includes(folded));
    const names = near.slice(0, 5).map(({ name }) => name);
    const hint = names.length === 0 ? "give its name or its id." : `did you mean ${names.join(", ")}?`;
    throw new Failure("tool.not_found", `No tool has this name; ${hint}`);
  };

  return {
    async checkFingerprints(folder) {
      const [{ addCustom }, { builtInRecords }] = await Promise.all([import("./custom.ts"), import("./packed.ts")]);
      const { tools: _, categories: __, ...check } = addCustom(builtInRecords(), [folder], { prove: true });
      return check;
    },

    async importFingerprints(folder, output) {
      const [{ importSet }, { readSet, writeSet }, { builtInRecords }] = await Promise.all([
        import("./wappalyzer/import-set.ts"),
        import("./wappalyzer/import-set.ts"),
        import("./packed.ts"),
      ]);
      const { summary, files } = importSet(readSet(folder), builtInRecords());
      if (output !== undefined) writeSet(output, files);
      return summary;
    },

    async findTools({ q = "" }, { limit = PAGE, cursor } = {}) {
      const folded = q.trim().toLowerCase();
      const found = [...catalogue.tools.values()]
        .filter(({ id, name, aliases = [] }) =>
          [id, name, ...aliases].some((each) => each.toLowerCase().includes(folded)),
        )
        .sort((one, other) => one.name.localeCompare(other.name, "en") || (one.id < other.id ? -1 : 1));
      const [after] = cursor === undefined ? [] : decodeCursor(LIST, ["string"], cursor);
      // One that left the catalogue since begins the list anew.
      const from = found.findIndex(({ id }) => id === after) + 1;
      const shown = found.slice(from, from + limit);
      const last = shown.at(-1);
      return {
        fingerprints: shown.map(({ id, name, category, rules }) => ({
          ...{ id, name, category: catalogue.categories.get(category)?.label ?? category },
          ...{ rules: rules.length, own: rules.some(({ own }) => own ?? false) },
        })),
        total: found.length,
        next_cursor: last && from + limit < found.length ? encodeCursor(LIST, [last.id]) : null,
      };
    },

    async explainTool(wanted) {
      const tool = get(wanted);
      const { domains, total } = await store.scans.domainsWith(tool.id, LATEST * 2);
      const scans = await Promise.all(domains.map((domain) => store.scans.latest(domain)));
      const latest = scans.flatMap((scan) => {
        const told = scan?.report.detections.find(({ id }) => id === tool.id);
        if (!scan || !told) return [];
        const { domain, scanned_at } = scan;
        return [{ domain, scanned_at, confidence: told.confidence, evidence: told.evidence }];
      });
      return {
        id: tool.id,
        name: tool.name,
        aliases: tool.aliases ?? [],
        vendor: tool.vendor,
        website: tool.website,
        category: catalogue.categories.get(tool.category)?.label ?? tool.category,
        roles: toArray(tool.role),
        product_of: tool.product_of === undefined ? null : nameOf(tool.product_of),
        implies: (tool.implies ?? []).map(nameOf),
        excludes: (tool.excludes ?? []).map(nameOf),
        requires: (tool.requires ?? []).map(nameOf),
        rules: tool.rules.map((rule) => ({
          ...{ id: rule.id, see: kindsOf(rule), match: { ...rule.match } },
          ...{ strength: rule.strength, means: rule.means, why: rule.why, own: rule.own ?? false },
        })),
        domains: total,
        latest: latest.slice(0, LATEST),
      };
    },

    async unmatchedSignals({ limit, ...filter }) {
      const counted = await store.discovery.counts({ ...filter, limit: limit * READ_BEYOND });
      return counted.filter((unknown) => catalogue.match(signalOf(unknown)).length === 0).slice(0, limit);
    },

    async reportFalsePositive({ domain, tool: wanted, note }) {
      const name = domainOf(domain);
      const tool = get(wanted);
      const scan = await store.scans.latest(name);
      const told = scan?.report.detections.find(({ id }) => id === tool.id);
      if (!told) {
        throw new Failure(
          "feedback.not_found",
          `The newest scan of ${name} does not tell ${tool.name}; look the domain up first.`,
        );
      }
      const rules = [...new Set(told.evidence.map(({ rule }) => rule))];
      return store.feedback.save({
        domain: name,
        tool_id: tool.id,
        tool: tool.name,
        rules,
        note: note?.trim() || null,
      });
    },

    falsePositives: (page) => store.feedback.list(page),

    async withdrawFalsePositive(domain, wanted) {
      const name = domainOf(domain);
      // A tool may have left the catalogue since.
      const taken = await store.feedback.delete(name, find(wanted)?.id ?? wanted);
      if (!taken) throw new Failure("feedback.not_found", `No report says that ${wanted} is told wrongly of ${name}.`);
      return taken;
    },
  };
}
