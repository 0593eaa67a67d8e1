import type { NewRecording } from "../detection/repository.ts";
import type { Recognised } from "./formats/recognise.ts";
import type { Counts } from "./outcomes.ts";
import type { FilePart } from "./read-file.ts";

/** Name of the task that `ingest-child.ts` runs. */
export const INGEST_TASK = "ingest";

export interface IngestSettings {
  /** Folders of custom fingerprints. */
  readonly folders: readonly string[];
  readonly minConfidence: number;
  /** Digest of everything that decides which tools are detected. */
  readonly rules: string;
}

export interface ReadRequest {
  readonly part: FilePart;
  /** ISO 8601 UTC, for records without a date. */
  readonly capturedAt: string;
  /** A process ended while it read from here: report the position of each record before it is read. */
  readonly careful: boolean;
}

/** What a process has read up to a position. */
export interface Batch {
  readonly position: number;
  readonly counts: Counts;
  readonly recordings: readonly NewRecording[];
  /** The part was read to its end. */
  readonly done: boolean;
}

export type ToChild =
  /** First of all messages. */
  | { readonly type: "open"; readonly settings: IngestSettings }
  | { readonly type: "inspect"; readonly path: string }
  | { readonly type: "read"; readonly request: ReadRequest }
  /** The last batch was stored: only then the next one is read. */
  | { readonly type: "stored" };

export type FromChild =
  | { readonly type: "inspected"; readonly recognised: Recognised | undefined }
  | { readonly type: "at"; readonly position: number }
  | { readonly type: "alive" }
  | { readonly type: "batch"; readonly batch: Batch }
  /** Reading failed for a reason that is not the content: the file is gone, or a bug. */
  | { readonly type: "failed"; readonly message: string };
