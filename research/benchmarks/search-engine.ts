import type { Passage } from "./search-material.ts";

/** A search engine under measurement, in a separate process. */
export interface SearchEngine {
  readonly version: string;
  /**
   * Takes what is given, batch by batch. Between batches it asks `mayGoOn`, and stops when that says no.
   *
   * @returns seconds of taking in and, where it is apart, of building the index afterwards
   */
  ingest(
    source: Source,
  ): Promise<{ readonly ingestSeconds: number; readonly buildSeconds: number | null; readonly embedsItself: boolean }>;
  /** Ids of at most ten case studies, best first. The time of this is what is measured: query text in, records out. */
  search(question: Question): Promise<readonly string[]>;
  /** Numbers of the nearest passages, best first. */
  nearest(vector: Float32Array, limit: number): Promise<readonly number[]>;
  /** Its processes except this one. */
  readonly otherProcesses?: readonly number[];
  close(): Promise<void>;
}

export interface Question {
  readonly text: string;
  readonly filter: { readonly company?: string; readonly industry?: string };
}

export interface Source {
  readonly studies: number;
  /** The records as a file to import. */
  records(): AsyncIterable<Uint8Array>;
  /** The passages of these studies with their vectors. */
  passages(size: number): AsyncGenerator<readonly NumberedPassage[]>;
  /** Throws `TooMuch` when a limit is or will be exceeded. Receives the number of imported passages. */
  check(passages: number): void;
}

export interface NumberedPassage extends Passage {
  readonly number: number;
  readonly vector: Float32Array;
}

export interface EngineParts {
  /** A separate folder for its data. */
  readonly dir: string;
  readonly dimensions: number;
  readonly embed: (query: string) => Promise<Float32Array>;
}

/** A memory or time limit that an engine would exceed. */
export class TooMuch extends Error {}

export const RESULTS = 10;
/** Passages asked of each side, as many as the product asks for ten case studies. */
export const CANDIDATES = 100;
