import { Failure } from "../../core/errors.ts";
import { plural } from "../../core/text.ts";
import { decodeCursor, encodeCursor } from "../../db/cursor.ts";
import { parseRecordedDomain } from "../captures/read-capture.ts";
import type { ScanRepository, StoredScan } from "../repository.ts";
import { selfNamedSlug } from "../self-naming/tool-naming.ts";
import type { Detection, Evidence, FalsePositive, UnmatchedCount, UnmatchedKind } from "../types.ts";
import { signalOf } from "../unmatched-signals.ts";
import type { Catalogue } from "./catalogue.ts";
import { kindsOf, toArray } from "./conditions.ts";
import type { CustomFingerprints } from "./custom.ts";
import { type InstalledFingerprints, type InstalledRepository, readFolder } from "./installed.ts";
import { matchedPart, type Range } from "./matched-part.ts";
import type { DiscoveryRepository, FalsePositivePage, FeedbackRepository } from "./repository.ts";
import type { Fingerprint, Meaning, Strength } from "./types.ts";
import type { ImportSummary } from "./wappalyzer/import-set.ts";

export type FingerprintCheck = Omit<CustomFingerprints, "tools" | "categories">;

interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

/** A tool with its rules, and the newest scans that detected it. */
export interface ToolExplanation {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly vendor: string;
  readonly website: string;
  readonly category: string;
  readonly roles: readonly string[];
  /** The names of related tools. */
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
    /** From a custom fingerprint. */
    readonly own: boolean;
  }[];
  /** Number of domains where it was ever detected. */
  readonly domains: number;
  /** The newest scans that detected it, newest first. */
  readonly latest: readonly {
    readonly domain: string;
    readonly scanned_at: string;
    readonly confidence: number;
    readonly evidence: readonly Evidence[];
  }[];
}

export interface EvidenceReason {
  /** One clause. */
  readonly why: string;
  /** Null when the value does not contain it as it is. */
  readonly matched: Range | null;
}

/** A tool in a list. */
export interface ToolEntry {
  readonly id: string;
  readonly name: string;
  /** Label. */
  readonly category: string;
  /** Number of rules. */
  readonly rules: number;
  /** Whether some of them are from a custom fingerprint. */
  readonly own: boolean;
}

export interface ToolPage {
  readonly fingerprints: readonly ToolEntry[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface FingerprintService {
  /**
   * Validates a folder of custom fingerprints together with the built-in ones and tests their examples. Faults are
   * returned as `problems`.
   *
   * @throws Failure `fingerprints.invalid` when the folder cannot be read
   */
  check(folder: string): Promise<FingerprintCheck>;
  /**
   * Stores a folder of custom fingerprints in the database, in place of those installed before; every node uses them.
   *
   * @throws Failure `catalogue.invalid` with the faults that `check` finds, `fingerprints.invalid`
   */
  install(folder: string): Promise<InstalledFingerprints>;
  /** Removes them again. @throws Failure `fingerprints.invalid` when none are installed */
  uninstall(): Promise<InstalledFingerprints>;
  /**
   * Converts a set in the Wappalyzer format and, with `output`, writes it as custom fingerprints.
   *
   * @throws Failure `fingerprints.invalid`
   */
  importWappalyzer(folder: string, output?: string): Promise<ImportSummary>;
  /** By name; with `q` those whose name, alias or id contains it. @throws Failure `cursor.invalid` */
  list(filter: { readonly q?: string | undefined }, page?: PageOptions): Promise<ToolPage>;
  /** @param tool id, name or alias. @throws Failure `tool.not_found` */
  explain(tool: string): Promise<ToolExplanation>;
  /** Why evidence counts, and the part of its value that the rule matched. Undefined when the rule is not in the catalogue. */
  reasonOf(evidence: Pick<Evidence, "rule" | "value">): EvidenceReason | undefined;
  /** Unmatched signals of scans that the present rules do not match either, most companies first. */
  unmatchedSignals(filter: {
    readonly kind?: UnmatchedKind | undefined;
    readonly limit: number;
  }): Promise<readonly UnmatchedCount[]>;
  /**
   * Reports that a detected tool is not used by a company. The rules that matched are suppressed for its domain.
   *
   * @throws Failure `domain.invalid`, `tool.not_found`, `feedback.not_found` when the newest scan did not detect it
   */
  reportFalsePositive(report: {
    readonly domain: string;
    readonly tool: string;
    readonly note?: string | undefined;
  }): Promise<FalsePositive>;
  /** Newest first. @throws Failure `cursor.invalid` */
  falsePositives(page: PageOptions): Promise<FalsePositivePage>;
  /** @throws Failure `domain.invalid`, `feedback.not_found` */
  withdrawFalsePositive(domain: string, tool: string): Promise<FalsePositive>;
}

export interface FingerprintOptions {
  readonly catalogue: Catalogue;
  /** Folders of custom fingerprints that this machine has, besides what is installed in the database. */
  readonly ownFolders?: readonly string[];
  readonly scans: ScanRepository;
  readonly discovery: DiscoveryRepository;
  readonly feedback: FeedbackRepository;
  readonly installedFingerprints: InstalledRepository;
}

const LIST = "fingerprints";
const PAGE_SIZE = 20;
const LATEST_SCANS = 5;
/** Entries read per entry wanted, because the present rules may match some of them. */
const READ_FACTOR = 10;

const keyOf = (wanted: string): string => wanted.trim().toLowerCase();

/** What a scan detected at any confidence. */
const detectedIn = ({ report }: StoredScan): readonly Detection[] => [...report.detections, ...(report.possible ?? [])];

const NAMES_ITSELF = "the tool names itself; the catalogue has no rule for it";

/** The mechanisms that detected a tool outside the catalogue, from its evidence. */
function rulesFrom(detections: readonly Detection[]): Fingerprint["rules"] {
  const rules = new Map<string, Fingerprint["rules"][number]>();
  for (const { means, evidence } of detections)
    for (const { rule, signal, strength } of evidence) {
      if (signal === "implied") continue;
      const id = rule.slice(rule.indexOf("/") + 1);
      const key = `${id} ${signal}`;
      if (!rules.has(key))
        rules.set(key, { id, see: signal, match: {}, strength, means, why: NAMES_ITSELF, hit: "", miss: "" });
    }
  return [...rules.values()];
}

export function createFingerprintService(options: FingerprintOptions): FingerprintService {
  const { catalogue, ownFolders = [], scans, discovery, feedback, installedFingerprints: installed } = options;
  const tools = [...catalogue.tools.values()];
  const nameOf = (id: string) => catalogue.tools.get(id)?.name ?? id;
  const labelOf = (category: string) => catalogue.categories.get(category)?.label ?? category;

  const find = (wanted: string): Fingerprint | undefined => {
    const key = keyOf(wanted);
    return (
      catalogue.tools.get(key) ??
      tools.find(({ name }) => name.toLowerCase() === key) ??
      tools.find(({ aliases = [] }) => aliases.some((alias) => alias.toLowerCase() === key))
    );
  };
  /** The newest scans that detected a tool, and the number of domains where it was ever detected. */
  const detectionsOf = async (toolId: string) => {
    const { domains, total } = await scans.domainsWith(toolId, LATEST_SCANS * 2);
    const newest = await Promise.all(domains.map((domain) => scans.latest(domain)));
    const latest = newest.flatMap((scan) => {
      const detection = scan && detectedIn(scan).find(({ id }) => id === toolId);
      return scan && detection ? [{ scan, detection }] : [];
    });
    return { total, latest };
  };

  /** A tool outside the catalogue that scans detected because it names itself, by its id or name. */
  const findSelfNamed = async (wanted: string): Promise<Fingerprint | undefined> => {
    const id = keyOf(wanted);
    const [found] = id === "" ? [] : await scans.sightedIds({ id, slug: selfNamedSlug(id) });
    if (found === undefined) return undefined;
    const { latest } = await detectionsOf(found);
    const { tool: name = found, vendor = "", website = "", category = "" } = latest[0]?.detection ?? {};
    return { id: found, name, vendor, website, category, rules: rulesFrom(latest.map(({ detection }) => detection)) };
  };

  /** @throws Failure `tool.not_found` */
  const get = async (wanted: string): Promise<Fingerprint> => {
    const tool = find(wanted) ?? (await findSelfNamed(wanted));
    if (tool) return tool;
    const key = keyOf(wanted);
    const similar = key === "" ? [] : tools.filter(({ name }) => name.toLowerCase().includes(key)).slice(0, 5);
    const names = similar.map(({ name }) => name).join(", ");
    const hint = names === "" ? "list the tools to find its id or name." : `did you mean ${names}?`;
    throw new Failure("tool.not_found", `Unknown tool "${wanted}"; ${hint}`);
  };

  const checkAll = async (folders: readonly string[]): Promise<FingerprintCheck> => {
    const [{ addCustom }, { builtInRecords }] = await Promise.all([import("./custom.ts"), import("./packed.ts")]);
    const { tools: _, categories: __, ...checked } = addCustom(builtInRecords(), folders, { testExamples: true });
    return checked;
  };

  return {
    check: (folder) => checkAll([folder]),

    async install(folder) {
      const files = await readFolder(folder);
      // Every start opens them together with these folders, and would fail where the two do not agree.
      const { problems } = await checkAll([folder, ...ownFolders]);
      if (problems.length > 0)
        throw new Failure(
          "catalogue.invalid",
          `${plural(problems.length, "fault")} in ${folder}; nothing was installed.`,
          {
            problems,
          },
        );
      return await installed.replace(files);
    },

    async uninstall() {
      const found = await installed.find();
      if (!found) throw new Failure("fingerprints.invalid", "No custom fingerprints are installed in the database.");
      await installed.replace([]);
      return found;
    },

    async importWappalyzer(folder, output) {
      const [{ importSet, readSet, writeSet }, { builtInRecords }] = await Promise.all([
        import("./wappalyzer/import-set.ts"),
        import("./packed.ts"),
      ]);
      const { summary, files } = importSet(readSet(folder), builtInRecords());
      if (output !== undefined) writeSet(output, files);
      return summary;
    },

    reasonOf({ rule: id, value }) {
      const [tool = "", ...rest] = id.split("/");
      const rule = catalogue.tools.get(tool)?.rules.find((each) => each.id === rest.join("/"));
      return rule && { why: rule.why, matched: matchedPart(rule, value) ?? null };
    },

    async list({ q = "" }, { limit = PAGE_SIZE, cursor } = {}) {
      const key = q.trim().toLowerCase();
      const found = tools
        .filter(({ id, name, aliases = [] }) => [id, name, ...aliases].some((each) => each.toLowerCase().includes(key)))
        .sort((one, other) => one.name.localeCompare(other.name, "en") || (one.id < other.id ? -1 : 1));
      const [after] = cursor === undefined ? [] : decodeCursor(LIST, ["string"], cursor);
      // If the tool of the cursor is no longer in the catalogue, the list starts again.
      const start = found.findIndex(({ id }) => id === after) + 1;
      const page = found.slice(start, start + limit);
      const last = page.at(-1);
      return {
        fingerprints: page.map(({ id, name, category, rules }) => ({
          id,
          name,
          category: labelOf(category),
          rules: rules.length,
          own: rules.some(({ custom }) => custom ?? false),
        })),
        total: found.length,
        next_cursor: last && start + limit < found.length ? encodeCursor(LIST, [last.id]) : null,
      };
    },

    async explain(wanted) {
      const tool = await get(wanted);
      const { total, latest } = await detectionsOf(tool.id);
      return {
        id: tool.id,
        name: tool.name,
        aliases: tool.aliases ?? [],
        vendor: tool.vendor,
        website: tool.website,
        category: labelOf(tool.category),
        roles: toArray(tool.role),
        product_of: tool.product_of === undefined ? null : nameOf(tool.product_of),
        implies: (tool.implies ?? []).map(nameOf),
        excludes: (tool.excludes ?? []).map(nameOf),
        requires: (tool.requires ?? []).map(nameOf),
        rules: tool.rules.map((rule) => ({
          id: rule.id,
          see: kindsOf(rule),
          match: { ...rule.match },
          strength: rule.strength,
          means: rule.means,
          why: rule.why,
          own: rule.custom ?? false,
        })),
        domains: total,
        latest: latest.slice(0, LATEST_SCANS).map(({ scan, detection: { confidence, evidence } }) => ({
          domain: scan.domain,
          scanned_at: scan.scanned_at,
          confidence,
          evidence,
        })),
      };
    },

    async unmatchedSignals({ kind, limit }) {
      const counts = await discovery.counts({ kind, limit: limit * READ_FACTOR });
      return counts.filter((entry) => catalogue.match(signalOf(entry)).length === 0).slice(0, limit);
    },

    async reportFalsePositive({ domain: input, tool: wanted, note }) {
      const domain = parseRecordedDomain(input).name;
      const scan = await scans.latest(domain);
      const found = scan ? detectedIn(scan) : [];
      const known = find(wanted);
      const key = keyOf(wanted);
      const detection = found.find(({ id, tool }) =>
        known ? id === known.id : id === key || tool.toLowerCase() === key,
      );
      if (!detection)
        throw new Failure(
          "feedback.not_found",
          `The newest scan of ${domain} did not detect ${(await get(wanted)).name}; rescan the domain first.`,
        );
      const { id: tool_id, tool } = detection;
      const rules = [...new Set(detection.evidence.map(({ rule }) => rule))];
      return feedback.save({ domain, tool_id, tool, rules, note: note?.trim() || null });
    },

    falsePositives: (page) => feedback.list(page),

    async withdrawFalsePositive(input, wanted) {
      const domain = parseRecordedDomain(input).name;
      // The tool may be outside the catalogue, or no longer in it.
      const key = keyOf(wanted);
      const reports = await feedback.ofDomain(domain);
      const named = reports.find(({ tool_id, tool }) => tool_id === key || tool.toLowerCase() === key);
      const deleted = await feedback.delete(domain, find(wanted)?.id ?? named?.tool_id ?? wanted);
      if (!deleted)
        throw new Failure("feedback.not_found", `No false positive of ${wanted} is reported for ${domain}.`);
      return deleted;
    },
  };
}
