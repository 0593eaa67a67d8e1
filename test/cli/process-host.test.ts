import { expect, test } from "bun:test";
import { link, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createProcessHost } from "../../src/cli/process-host.ts";
import { inDirectory } from "../store/examples.ts";

test("whether a file can be written is known without writing it", async () => {
  const host = createProcessHost(new AbortController().signal, 1_000);
  await inDirectory(async (folder) => {
    await host.assertWritable(join(folder, "new.json"));
    expect(await Bun.file(join(folder, "new.json")).exists()).toBe(false);
    await expect(host.assertWritable(join(folder, "missing", "x.json"))).rejects.toMatchObject({
      code: "config.invalid",
    });
  });
});

test("one file is recognised by every spelling and link", async () => {
  const host = createProcessHost(new AbortController().signal, 1_000);
  await inDirectory(async (folder) => {
    const [list, other] = [join(folder, "list.csv"), join(folder, "other.csv")];
    await Promise.all([Bun.write(list, "acme.test\n"), Bun.write(other, "acme.test\n")]);
    await symlink(list, join(folder, "symbolic"));
    await link(list, join(folder, "hard"));
    for (const same of ["list.csv", `./../${folder.split("/").at(-1)}/list.csv`, "symbolic", "hard"])
      expect([same, await host.isSameFile(list, `${folder}/${same}`)]).toEqual([same, true]);
    for (const different of ["other.csv", "missing.csv"])
      expect(await host.isSameFile(list, join(folder, different))).toBe(false);
    expect(await host.isSameFile(list, "/dev/stdout")).toBe(false);
  });
});

test("a file over the limit is named", async () => {
  const host = createProcessHost(new AbortController().signal, 1_048_576);
  await inDirectory(async (folder) => {
    const path = join(folder, "large.html");
    await Bun.write(path, "x".repeat(1_048_577));
    const message = `Cannot read ${path}: it is larger than 1 MiB.`;
    await expect(host.readFile(path)).rejects.toMatchObject({ code: "snapshot.invalid", message });
  });
});
