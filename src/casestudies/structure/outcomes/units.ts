import { wordSet } from "../word-lists.ts";

/** The kind of a figure's unit. */
export type Dimension = "percent" | "multiple" | "money" | "duration" | "bytes" | "rate" | "points" | "count";

export interface UnitWord {
  readonly dimension: Dimension;
  /** Canonical spelling, as in `data/outcome-metrics.yaml`. */
  readonly unit: string;
  /** In seconds or bytes, to compare figures with different units. */
  readonly size: number;
}

const duration = (unit: string, size: number): UnitWord => ({ dimension: "duration", unit, size });
const bytes = (unit: string, size: number): UnitWord => ({ dimension: "bytes", unit, size });
const money = (unit: string): UnitWord => ({ dimension: "money", unit, size: 1 });

const rows: readonly (readonly [string, UnitWord])[] = [
  ["% percent pct", { dimension: "percent", unit: "%", size: 1 }],
  ["pp", { dimension: "percent", unit: "%", size: 1 }],
  ["points pts", { dimension: "points", unit: "points", size: 1 }],
  ["x × times fold", { dimension: "multiple", unit: "x", size: 1 }],
  ["ns nanosecond nanoseconds", duration("nanoseconds", 1e-9)],
  ["us µs μs microsecond microseconds", duration("microseconds", 1e-6)],
  ["ms msec millis millisecond milliseconds", duration("milliseconds", 1e-3)],
  ["sec secs second seconds", duration("seconds", 1)],
  ["min mins minute minutes", duration("minutes", 60)],
  ["hr hrs hour hours", duration("hours", 3_600)],
  ["day days", duration("days", 86_400)],
  ["week weeks wk wks", duration("weeks", 604_800)],
  ["month months", duration("months", 2_629_800)],
  ["quarter quarters", duration("quarters", 7_889_400)],
  ["year years yr yrs", duration("years", 31_557_600)],
  ["kb kib kilobyte kilobytes", bytes("KB", 1e3)],
  ["mb mib megabyte megabytes", bytes("MB", 1e6)],
  ["gb gib gigabyte gigabytes gig gigs", bytes("GB", 1e9)],
  ["tb tib terabyte terabytes", bytes("TB", 1e12)],
  ["pb pib petabyte petabytes", bytes("PB", 1e15)],
  ["eb exabyte exabytes", bytes("EB", 1e18)],
  ["mbps mbit", { dimension: "rate", unit: "Mbps", size: 1e6 }],
  ["gbps gbit", { dimension: "rate", unit: "Gbps", size: 1e9 }],
  ["tbps", { dimension: "rate", unit: "Tbps", size: 1e12 }],
  ["rps qps tps ops", { dimension: "count", unit: "count", size: 1 }],
  ["kwh", { dimension: "count", unit: "kWh", size: 1 }],
  ["tonne tonnes", { dimension: "count", unit: "tonnes", size: 1 }],
  ["usd dollar dollars", money("USD")],
  ["eur euro euros", money("EUR")],
  ["gbp pounds", money("GBP")],
  ["jpy yen", money("JPY")],
  ["inr rupees", money("INR")],
  ["cny rmb yuan", money("CNY")],
  ["chf francs", money("CHF")],
  ["cad", money("CAD")],
  ["aud", money("AUD")],
];

/** Units by their spellings in lower case. */
export const UNIT_WORDS: ReadonlyMap<string, UnitWord> = new Map(
  rows.flatMap(([words, unit]) => words.split(" ").map((word) => [word, unit] as const)),
);

/** Letters that are units only directly after the digits: `30s`, `5m`, `2h`. */
export const GLUED_UNITS: ReadonlyMap<string, UnitWord> = new Map([
  ["s", duration("seconds", 1)],
  ["m", duration("minutes", 60)],
  ["h", duration("hours", 3_600)],
  ["d", duration("days", 86_400)],
  ["w", duration("weeks", 604_800)],
  ["Gi", bytes("GB", 1e9)],
]);

/** Currency codes that may precede an amount: "RMB 30 million". */
export const MONEY_CODES = wordSet("usd eur gbp jpy inr cny rmb chf cad aud");

/** Currency signs before an amount. */
export const MONEY_SIGNS: ReadonlyMap<string, UnitWord> = new Map([
  ["$", money("USD")],
  ["€", money("EUR")],
  ["£", money("GBP")],
  ["¥", money("JPY")],
  ["₹", money("INR")],
]);
