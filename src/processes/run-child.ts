import { limitMemory, yieldToParent } from "./memory-limit.ts";
import type { TaskAnswer } from "./one-at-a-time.ts";

/** The code of a task: takes the messages of the parent, and sends its own. */
export type ChildTask = (send: (message: unknown) => void) => (message: unknown) => void;

/** Runs a task for the parent until the parent ends or disconnects. */
export async function runChild(load: () => Promise<ChildTask>): Promise<void> {
  limitMemory();
  yieldToParent();
  const disconnected = new Promise<void>((resolve) => process.once("disconnect", resolve));
  const loaded = load();
  const send = (message: unknown) => void process.send?.(message);
  // Messages arrive while the task is loaded.
  const ready = loaded.then((task) => task(send));
  process.on("message", (message) => ready.then((take) => take(message)));
  await disconnected;
  process.exit(0);
}

/** The peak is in kibibytes, on macOS in bytes. */
const RESOURCE_UNIT = process.platform === "darwin" ? 1 : 1_024;

/** A task that answers each message with the value of `work`, or with the message of its error. */
export const answering =
  (work: (input: never) => Promise<unknown>): ChildTask =>
  (send) =>
  async (input) => {
    const answer = (outcome: { value: unknown } | { error: string }) =>
      send({ ...outcome, peak: process.resourceUsage().maxRSS * RESOURCE_UNIT } satisfies TaskAnswer);
    try {
      answer({ value: await work(input as never) });
    } catch (error) {
      answer({ error: error instanceof Error ? error.message : String(error) });
    }
  };
