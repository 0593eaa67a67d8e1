import { afterAll } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inDirectory } from "./examples.ts";

/**
 * For the tests of a file that start from the same state: `prepare` fills a directory once, and each test gets a copy,
 * which is removed afterwards. Call at the top of the file.
 */
export function copiesOf(prepare: (directory: string) => Promise<void>) {
  let prepared: Promise<string> | undefined;
  const once = async () => {
    const directory = await mkdtemp(join(tmpdir(), "casefile-test-"));
    await prepare(directory);
    return directory;
  };
  afterAll(async () => {
    if (prepared) await rm(await prepared, { recursive: true, force: true });
  });
  return <T>(use: (directory: string) => Promise<T>): Promise<T> =>
    inDirectory(async (directory) => {
      prepared ??= once();
      await cp(await prepared, directory, { recursive: true });
      return await use(directory);
    });
}
