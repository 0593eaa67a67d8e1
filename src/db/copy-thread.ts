import { Database } from "bun:sqlite";
import { errorCode } from "../core/errors.ts";
import type { CopyRequest, CopyResult } from "./copy-in-thread.ts";
import { copyInto } from "./migrate.ts";

/** Worker that copies one database: SQLite blocks its thread meanwhile, for seconds with a large one. */

declare const self: Worker;

self.onmessage = async ({ data: { from, to } }: MessageEvent<CopyRequest>) => {
  let result: CopyResult = { message: null };
  try {
    const database = new Database(from, { readwrite: true, create: false, strict: true });
    try {
      database.run("pragma busy_timeout = 5000");
      await copyInto(database, to);
    } finally {
      database.close();
    }
  } catch (error) {
    result = { message: error instanceof Error ? error.message : String(error), code: errorCode(error) };
  }
  self.postMessage(result);
};
