import { statSync } from "node:fs";

/**
 * Why the file of a private key is exposed, and what to do; undefined when other users cannot read it. A group may: orchestrators
 * give a mounted key to the group of the service.
 */
export function exposedKey(file: string): { readonly detail: string; readonly remedy: string } | undefined {
  // Windows has no such mode.
  if (process.platform === "win32" || (statSync(file).mode & 0o007) === 0) return undefined;
  return {
    detail: `The private key ${file} is readable by every user of this machine.`,
    remedy: `Run chmod 600 ${file}; make a new key if others may have read it.`,
  };
}
