/** One attack on a running Casefile, bounded in time, whose violated invariants are counted. */
export interface CampaignPart {
  readonly name: string;
  /** One sentence for the list of parts. */
  readonly about: string;
  readonly run: (options: CampaignOptions) => Promise<CampaignResult>;
}

export interface CampaignOptions {
  /** The short form, of at most a minute or so, that `.ci/run` runs. */
  readonly short: boolean;
  /** Seed of everything random; printed, so that a failure can be repeated. */
  readonly seed: number;
  readonly onProgress: (line: string) => void;
}

export interface CampaignResult {
  /** What was measured, by name: counts, milliseconds (`_ms`), mebibytes (`_mib`). */
  readonly figures: Readonly<Record<string, number>>;
  /** Violated invariants, one sentence each; empty when there are none. */
  readonly faults: readonly string[];
  /** Why the part did not run here, such as a missing browser; null when it ran. */
  readonly skipped: string | null;
}

/** Runs a part. An error that it throws, as of a service that does not start, is its fault, and the other parts still run. */
export async function runPart(part: CampaignPart, options: CampaignOptions): Promise<CampaignResult> {
  try {
    return await part.run(options);
  } catch (error) {
    console.error(error);
    return { figures: {}, faults: [`it did not finish: ${String(error)}`], skipped: null };
  }
}
