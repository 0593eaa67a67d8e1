import { link, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../core/errors.ts";
import { syncFolder } from "../core/files.ts";

/**
 * The operator token until it is used, in a file that only this user can read: a first start may be killed before anyone
 * has read its output.
 */
const SHAPE = /^cf_operator_[0-9A-Za-z]{40}$/;

/** Undefined when there is none, or something else is in the file. */
export async function findUnusedToken(path: string): Promise<string | undefined> {
  try {
    const text = (await readFile(path, "utf8")).trim();
    return SHAPE.test(text) ? text : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Stores a token, unless another start has stored one already. Returns the stored one. */
export async function keepUnusedToken(path: string, token: string): Promise<string> {
  const part = `${path}.${crypto.randomUUID()}`;
  const file = await open(part, "wx", 0o600);
  try {
    await file.writeFile(`${token}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(part, path);
    await syncFolder(dirname(path));
    return token;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    const other = await findUnusedToken(path);
    if (other !== undefined) return other;
    await rename(part, path);
    await syncFolder(dirname(path));
    return token;
  } finally {
    await rm(part, { force: true });
  }
}
