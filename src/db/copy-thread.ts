import { Database } from "bun:sqlite";
import type { CopyAnswer, CopyOrder } from "./copy-in-thread.ts";
import { copyInto } from "./migrate.ts";

/** Copies one database and ends: SQLite copies in one piece, which takes seconds for a large one. */

declare const self: Worker;

self.onmessage = async ({ data: { from, to } }: MessageEvent<CopyOrder>) => {
  let answer: CopyAnswer = { message: null };
  try {
    const database = new Database(from, { readwrite: true, create: false, strict: true });
    try {
      database.run("pragma busy_timeout = 5000");
      await copyInto(database, to);
    } finally {
      database.close();
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    answer = { message: error instanceof Error ? error.message : String(error), code };
  }
  self.postMessage(answer);
};
