import { once } from "node:events";
import { type BigIntStats, createReadStream, createWriteStream, fstatSync } from "node:fs";
import { access, appendFile, constants, stat, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { Failure } from "../core/errors.ts";
import { type CliHost, inputName } from "./host.ts";

/** Files and streams of this process, as commands use them. */
export type ProcessHost = Omit<CliHost, "version" | "open" | "connect" | "hasApiKey">;

/**
 * @param signal aborted when the process is interrupted
 * @param maxTextBytes size limit of files that are read as a whole
 */
export function createProcessHost(signal: AbortSignal, maxTextBytes: number): ProcessHost {
  /** @throws Failure `snapshot.invalid` as soon as the limit is exceeded */
  const textOf = async (path: string, chunks: AsyncIterable<Uint8Array>): Promise<string> => {
    const read: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of chunks) {
        size += chunk.byteLength;
        if (size > maxTextBytes) throw unreadable(path, `it is larger than ${maxTextBytes / 1_048_576} MiB`);
        read.push(chunk);
      }
    } catch (error) {
      throw error instanceof Failure ? error : unreadable(path, "read error");
    }
    return Buffer.concat(read).toString("utf8");
  };
  return {
    async readFile(path) {
      if (path === "-") return { name: "", text: await textOf(path, Bun.stdin.stream()), modified: new Date() };
      const found = await fileAt(path);
      const text = await textOf(path, await openStream(path));
      // A pipe made by the shell, `<(dig acme.com)`, has no meaningful name or time.
      return found.isFile()
        ? { name: basename(path), text, modified: found.mtime }
        : { name: "", text, modified: new Date() };
    },
    async openFile(path) {
      if (path === "-") return { name: "", content: Bun.stdin.stream() };
      await fileAt(path);
      return { name: basename(path), content: await openStream(path) };
    },
    async findFile(path) {
      const found = await stat(path).catch(() => undefined);
      if (found && !found.isFile()) throw unreadable(path, "it is not a regular file");
      return found && (await openStream(path));
    },
    async isSameFile(input, output) {
      const [from, to] = await Promise.all([
        input === "-" ? statOf(0) : stat(input, { bigint: true }).catch(() => undefined),
        stat(output, { bigint: true }).catch(() => undefined),
      ]);
      // Terminals and pipes are read and written at the same time.
      return from?.isFile() === true && to !== undefined && from.dev === to.dev && from.ino === to.ino;
    },
    async assertWritable(path) {
      const place = (await stat(path).catch(() => undefined)) === undefined ? dirname(path) : path;
      await access(place, constants.W_OK).catch(unwritable(path));
    },
    writeFile: (path, text) => writeFile(path, text).catch(unwritable(path)),
    appendFile: (path, text) => appendFile(path, text).catch(unwritable(path)),
    async write(path, content) {
      if (path === undefined || path === "-") {
        for await (const part of content) if (!process.stdout.write(part)) await once(process.stdout, "drain");
      } else await pipeline(content, createWriteStream(path)).catch(unwritable(path));
    },
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    interactive: process.stderr.isTTY === true,
    colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
    // A terminal of unknown width reports 0.
    columns: process.stdout.columns || 160,
    signal,
  };
}

/** Undefined for a descriptor that is closed. */
function statOf(descriptor: number): BigIntStats | undefined {
  try {
    return fstatSync(descriptor, { bigint: true });
  } catch {
    return undefined;
  }
}

/** @throws Failure `snapshot.invalid` */
async function fileAt(path: string) {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw unreadable(path, "no such file");
  if (found.isDirectory()) throw unreadable(path, "it is a directory");
  return found;
}

/** @throws Failure `snapshot.invalid` now, where the stream would fail on its first read */
async function openStream(path: string): Promise<AsyncIterable<Uint8Array>> {
  await access(path, constants.R_OK).catch(() => {
    throw unreadable(path, "permission denied");
  });
  return createReadStream(path);
}

const unreadable = (path: string, reason: string) =>
  new Failure("snapshot.invalid", `Cannot read ${inputName(path)}: ${reason}.`);

const unwritable = (path: string) => () => {
  throw new Failure("config.invalid", `Cannot write ${path}; choose another file with --output.`);
};
