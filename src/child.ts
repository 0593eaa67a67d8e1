import { EXTRACT_TASK } from "./casestudies/extract/extractor.ts";
import { SCAN_TASK } from "./detection/isolation/messages.ts";
import { INGEST_TASK } from "./ingest/messages.ts";
import { type ChildTask, runChild } from "./processes/run-child.ts";

/** What a process runs that the service starts for itself. The code of a task is loaded by its process only. */
const TASKS: Readonly<Record<string, () => Promise<ChildTask>>> = {
  [EXTRACT_TASK]: async () => (await import("./casestudies/extract/extract-child.ts")).extractTask,
  [INGEST_TASK]: async () => (await import("./ingest/ingest-child.ts")).ingestTask,
  [SCAN_TASK]: async () => (await import("./detection/isolation/scan-child.ts")).scanTask,
};

/** @throws Error for an unknown task */
export async function runChildTask(name: string | undefined): Promise<void> {
  const task = TASKS[name ?? ""];
  if (!task) throw new Error("There is no such task; only Casefile itself starts one.");
  await runChild(task);
}

// From source. The executable has one entry point, which calls the function.
if (import.meta.main) runChildTask(process.argv[3]);
