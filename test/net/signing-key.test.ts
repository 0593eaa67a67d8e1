import { expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { userAgent } from "../../src/net/client.ts";
import { exposedKey } from "../../src/net/signing-key.ts";
import { inDirectory } from "../store/examples.ts";

test.skipIf(process.platform === "win32").each([
  [0o600, false],
  // As Kubernetes mounts it, for the group of the pod.
  [0o440, false],
  [0o644, true],
  [0o602, true],
])("a private key with mode %o: exposed %p", async (mode, exposed) => {
  await inDirectory(async (folder) => {
    const file = join(folder, "signing.pem");
    await Bun.write(file, "");
    await chmod(file, mode);
    expect(exposedKey(file)?.remedy.includes(`chmod 600 ${file}`) ?? false).toBe(exposed);
  });
});

test.each([
  [null, null, "Casefile/1.2.0"],
  [null, "scans@acme.example", "Casefile/1.2.0 (+scans@acme.example)"],
  ["https://casefile.example", null, "Casefile/1.2.0 (+https://casefile.example)"],
  [
    "https://casefile.example",
    "https://acme.example/scans",
    "Casefile/1.2.0 (+https://casefile.example; +https://acme.example/scans)",
  ],
])("the User-Agent with the page %p and the contact %p is %p", (page, contact, expected) => {
  expect(userAgent("1.2.0", page, contact)).toBe(expected);
});
