import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Which table is the index. One small file, replaced as a whole, so that a new table takes over at one moment. */
export interface Pointer {
  readonly table: string;
  /** Of the model whose vectors the table holds. */
  readonly model: string;
  readonly dimensions: number;
  /** The table before, which readers may still hold. */
  readonly previous: string | null;
  /** ISO 8601 UTC. */
  readonly since: string;
  /** Rows that the vector index was trained on; 0 without one. */
  readonly trained: number;
}

const FILE = "current.json";

export const pointerPath = (dir: string) => join(dir, FILE);

/** Answers undefined when there is none, or none that can be read: the index is then to be made anew. */
export async function findPointer(dir: string): Promise<Pointer | undefined> {
  let text: string;
  try {
    text = await readFile(pointerPath(dir), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  return parsePointer(text);
}

function parsePointer(text: string): Pointer | undefined {
  try {
    const { table, model, dimensions, previous, since, trained }: Partial<Record<keyof Pointer, unknown>> =
      JSON.parse(text);
    if (typeof table !== "string" || typeof model !== "string" || typeof since !== "string") return undefined;
    if (!Number.isSafeInteger(dimensions) || !Number.isSafeInteger(trained)) return undefined;
    return {
      table,
      model,
      dimensions: Number(dimensions),
      previous: typeof previous === "string" ? previous : null,
      since,
      trained: Number(trained),
    };
  } catch {
    return undefined;
  }
}

/**
 * Writes the pointer to the disk before it takes its name.
 *
 * @param how `replace` takes the place of another; `first` answers false when another process was quicker
 */
export async function writePointer(dir: string, pointer: Pointer, how: "first" | "replace"): Promise<boolean> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const part = `${pointerPath(dir)}.${process.pid}.${crypto.randomUUID()}`;
  try {
    const file = await open(part, "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify(pointer));
      await file.sync();
    } finally {
      await file.close();
    }
    if (how === "replace") await rename(part, pointerPath(dir));
    else await link(part, pointerPath(dir));
    return true;
  } catch (error) {
    if (how === "first" && error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}
