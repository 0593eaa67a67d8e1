import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkDirectory } from "../../../src/health/doctor.ts";
import { inDirectory } from "../../store/examples.ts";

test("a file in place of the data directory is reported and not changed", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "file");
    await writeFile(path, "precious");
    const [first] = await Array.fromAsync(checkDirectory(path));
    expect(first).toEqual({
      id: "data-directory",
      title: "Data directory",
      status: "failed",
      detail: `${path} is a file, not a folder.`,
      remedy: "Choose another directory with --data-dir.",
    });
    expect(await Bun.file(path).text()).toBe("precious");
  });
});
