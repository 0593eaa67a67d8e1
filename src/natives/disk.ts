import { open, statfs } from "node:fs/promises";

/** What unpacking asks of a disk. */
export interface Disk {
  /** Bytes that this user may still write in the file system of an existing folder. */
  freeBytes(folder: string): Promise<number>;
  /** Writes a new file that its owner alone may read, and waits until the disk has it. @throws Error with a system's code */
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
}

export const DISK: Disk = {
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },

  async write(path, content) {
    const file = await open(path, "wx", 0o600);
    try {
      for await (const part of content) await file.writeFile(part);
      // The stamp must never be there without what it stands for.
      await file.sync();
    } finally {
      await file.close();
    }
  },
};
