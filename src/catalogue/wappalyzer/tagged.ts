/** One pattern as the format writes it: `expression\;version:\1\;confidence:50`. */
export interface Tagged {
  /** Empty when the thing need only be there. */
  readonly source: string;
  /** Number of the group that is the version. */
  readonly versionGroup: number | undefined;
  /** Whether a version is told in a way that we have not. */
  readonly hasOtherVersion: boolean;
  /** 0 to 100. */
  readonly confidence: number;
}

export const MAX_SOURCE = 1_000;

/** Reads a pattern with its tags; undefined for what is no text or too long. */
export function readTagged(raw: unknown): Tagged | undefined {
  if (typeof raw !== "string" || raw.length > MAX_SOURCE + 200) return undefined;
  const [source = "", ...tags] = raw.split("\\;");
  if (source.length > MAX_SOURCE) return undefined;
  const tag = (name: string) => tags.find((one) => one.startsWith(`${name}:`))?.slice(name.length + 1);
  const version = tag("version");
  const group = /^\\(\d)$/.exec(version ?? "")?.[1];
  const confidence = Number(tag("confidence") ?? 100);
  return {
    source: source.replace(/\\(.)/gs, (pair, sign: string) => (NEEDLESS.includes(sign) ? sign : pair)),
    versionGroup: group === undefined ? undefined : Number(group),
    hasOtherVersion: version !== undefined && group === undefined,
    confidence: Number.isFinite(confidence) ? Math.min(100, Math.max(0, confidence)) : 100,
  };
}

/** JavaScript takes any sign behind a backslash, RE2 only those that mean something. */
const NEEDLESS = "_ \"'`#%&,:;<=>@~!";

/** A text, a list of texts, or neither: some keys take both. */
export function textsIn(raw: unknown, most = 100): readonly unknown[] {
  return Array.isArray(raw) ? raw.slice(0, most) : raw === undefined || raw === null ? [] : [raw];
}

/** The entries of an object; none for anything else. */
export function entriesIn(raw: unknown, most = 200): readonly (readonly [string, unknown])[] {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw) ? Object.entries(raw).slice(0, most) : [];
}
