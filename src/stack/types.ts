import type { Page } from "../db/cursor.ts";
import type { HistoryChange, ToolHistory } from "./fold.ts";
import type { Sort } from "./repository.ts";

/** One thing that a company has: exactly one of the first five fields. Dates are ISO 8601, both ends included. */
export interface StackCondition {
  /** Id, name or alias. */
  readonly tool?: string | undefined;
  /** Label. */
  readonly category?: string | undefined;
  /** Host of a script; its subdomains match too. */
  readonly script?: string | undefined;
  /** Start of a verification record: `vendor-verification=`. */
  readonly txt?: string | undefined;
  /** Host that a host of the company is an alias of; its subdomains match too. */
  readonly cname?: string | undefined;
  /** 0–1; by default 0.5. */
  readonly min_confidence?: number | undefined;
  /** Seen at some time from `seen_since` to `seen_until`. */
  readonly seen_since?: string | undefined;
  readonly seen_until?: string | undefined;
  readonly appeared_since?: string | undefined;
  readonly appeared_until?: string | undefined;
  readonly gone_since?: string | undefined;
  readonly gone_until?: string | undefined;
}

/** A Boolean question about companies. A text in a list is the name of a tool. */
export interface StackQuestion {
  readonly all?: readonly (string | StackCondition)[] | undefined;
  readonly any?: readonly (string | StackCondition)[] | undefined;
  readonly none?: readonly (string | StackCondition)[] | undefined;
  /** The default of the conditions. */
  readonly min_confidence?: number | undefined;
  /** `com`, `de`. */
  readonly top_level?: readonly string[] | undefined;
  /** Start of the domain. */
  readonly prefix?: string | undefined;
  /** About the newest scan. */
  readonly scanned_since?: string | undefined;
  readonly scanned_until?: string | undefined;
}

export interface CompanyPageOptions {
  readonly sort?: Sort | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** A tool at a company. Dates are `YYYY-MM-DD`. */
export interface MatchedTool {
  readonly tool_id: string;
  readonly tool: string;
  readonly category: string;
  readonly state: "in_use" | "gone";
  /** When it was last detected. */
  readonly confidence: number;
  readonly first_seen: string;
  readonly last_seen: string;
  /** An earlier scan was able to see the tool and did not: it is in use since `first_seen`. Otherwise it may be older. */
  readonly appeared: boolean;
  /** The first scan without it; of a tool in use, when it was gone before. Only in answers about the past of the tool. */
  readonly gone_since: string | null;
}

/** A raw signal that the question asks for. */
export interface MatchedSignal {
  readonly kind: "script" | "txt" | "cname";
  readonly value: string;
}

export interface StackCompany {
  readonly domain: string;
  readonly scanned_at: string;
  readonly first_scanned_at: string;
  /** Tools in the newest result, of at least the default confidence: tools in use that it missed are not counted. */
  readonly tools_detected: number;
  /** The tools that the question asks for: those in use, and those that are gone if it asks when tools appeared or went. */
  readonly matched: readonly MatchedTool[];
  readonly signals: readonly MatchedSignal[];
}

/** Present while scans wait to be indexed: the answer lacks them. */
interface Freshness {
  readonly index?: { readonly pending: number };
}

export interface StackCompanyPage extends Page, Freshness {
  readonly domains: readonly StackCompany[];
}

export interface StackTool {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** Companies that use it, of those that this installation scanned. */
  readonly companies: number;
  /** `YYYY-MM-DD`; null without companies. */
  readonly first_seen: string | null;
  readonly last_seen: string | null;
}

export interface StackToolPage extends Page, Freshness {
  readonly tools: readonly StackTool[];
}

export interface StackToolDetail extends StackTool, Freshness {
  readonly vendor: string | null;
  readonly website: string | null;
  readonly aliases: readonly string[];
}

export interface CompanyHistory {
  readonly domain: string;
  readonly first_scanned_at: string;
  readonly last_scanned_at: string;
  /** Number of scans and recordings that it is made from. */
  readonly observations: number;
  readonly tools: readonly ToolHistory[];
  /** Oldest first; between the dates that were asked for. */
  readonly changes: readonly HistoryChange[];
}
