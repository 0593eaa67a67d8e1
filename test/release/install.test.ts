import { afterAll, expect, test } from "bun:test";
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installScript } from "../../scripts/release/install-script.ts";

/** A release on a local server, signed as minisign does without a hash: Ed25519 over the file. */
const KEY_ID = randomBytes(8);
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const PUBLIC_KEY = Buffer.concat([
  Buffer.from("Ed"),
  KEY_ID,
  publicKey.export({ type: "spki", format: "der" }).subarray(-32),
]).toString("base64");

const PROGRAM = '#!/bin/sh\n[ "$1" = --version ] && echo 0.2.0\n';
const FILE = `casefile-0.2.0-${process.platform === "darwin" ? "darwin" : "linux"}-${process.arch}`;

function signature(content: string, key: KeyObject = privateKey): string {
  const signed = sign(null, Buffer.from(content), key);
  const comment = "casefile 0.2.0";
  const both = sign(null, Buffer.concat([signed, Buffer.from(comment)]), key);
  const line = Buffer.concat([Buffer.from("Ed"), KEY_ID, signed]).toString("base64");
  return `untrusted comment: signature\n${line}\ntrusted comment: ${comment}\n${both.toString("base64")}\n`;
}

const sumsFor = (content: string) => `${createHash("sha256").update(content).digest("hex")}  ${FILE}\n`;
const release = (changes: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  [FILE]: PROGRAM,
  SHA256SUMS: sumsFor(PROGRAM),
  "SHA256SUMS.minisig": signature(sumsFor(PROGRAM)),
  ...changes,
});

let served = release();
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const content = served[new URL(request.url).pathname.replace("/v0.2.0/", "")];
    return content === undefined ? new Response("", { status: 404 }) : new Response(content);
  },
});
afterAll(() => server.stop(true));

const template = await Bun.file(join(import.meta.dir, "../../deploy/install.sh")).text();
const script = installScript(template, { baseUrl: server.url.origin, publicKey: PUBLIC_KEY, version: "0.2.0" });

/** Runs the script with its own home folder. `without` programs are not found. */
async function install(args: readonly string[] = [], { without = [] as readonly string[] } = {}) {
  const home = await mkdtemp(join(tmpdir(), "casefile-install-"));
  const bin = join(home, "bin");
  await mkdir(bin);
  for (const name of PROGRAMS.filter((one) => !without.includes(one))) {
    const found = Bun.which(name);
    if (found) await symlink(found, join(bin, name));
  }
  const run = async (more: readonly string[]) => {
    const child = Bun.spawn([Bun.which("sh") ?? "/bin/sh", "-s", "--", ...more], {
      stdin: Buffer.from(script),
      stdout: "pipe",
      stderr: "pipe",
      env: { HOME: home, PATH: bin },
    });
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { out, err, code, installed: await readdir(join(home, ".local/bin")).catch(() => []) };
  };
  return { ...(await run(args)), again: run, close: () => rm(home, { recursive: true }) };
}
const PROGRAMS =
  "sh uname curl wget sha256sum shasum openssl minisign mktemp rm mv cp cut awk sed tr tail dd wc grep mkdir chmod cat".split(
    " ",
  );

test("installs the executable, and removes it again", async () => {
  served = release();
  const { code, err, out, installed, again, close } = await install();
  expect([code, err, installed]).toEqual([0, "", ["casefile"]]);
  expect(out).toContain("Installed casefile 0.2.0 in ");
  const removed = await again(["--uninstall"]);
  expect([removed.code, removed.installed]).toEqual([0, []]);
  await close();
});

test("checks the signature with OpenSSL where minisign is missing", async () => {
  served = release();
  const { code, installed, close } = await install([], { without: ["minisign"] });
  expect([code, installed]).toEqual([0, ["casefile"]]);
  await close();
});

const other = generateKeyPairSync("ed25519").privateKey;
test.each([
  ["an executable that was changed", { [FILE]: `${PROGRAM}evil` }, "the sum of"],
  ["sums that were changed", { [FILE]: "evil", SHA256SUMS: sumsFor("evil") }, "the signature of SHA256SUMS is not by"],
  [
    "a signature of another key",
    { "SHA256SUMS.minisig": signature(sumsFor(PROGRAM), other) },
    "the signature of SHA256SUMS",
  ],
  ["a signature that is none", { "SHA256SUMS.minisig": "x\n" }, "the signature of SHA256SUMS"],
  [
    "sums without this platform",
    { SHA256SUMS: "00  other\n", "SHA256SUMS.minisig": signature("00  other\n") },
    `has no ${FILE}`,
  ],
])("installs nothing from %s", async (_name, changes, message) => {
  served = release(changes);
  for (const without of [[], ["minisign"]]) {
    const { code, err, installed, close } = await install([], { without });
    expect([code, installed]).toEqual([1, []]);
    expect(err).toContain(message);
    await close();
  }
});

test.each([
  [[], { without: ["minisign", "openssl"] }, "install minisign or OpenSSL"],
  [[], { without: ["curl", "wget"] }, "neither curl nor wget"],
  [["--version", "0.9.0"], {}, "is there a release 0.9.0?"],
  [["--version", "../x"], {}, "is not a version"],
  [["--uninstall"], {}, "there is no"],
])("refuses %j with %j", async (args, options, message) => {
  served = release();
  const { code, err, close } = await install(args, options);
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  await close();
});

test("an executable that is a directory is not replaced", async () => {
  served = release();
  const { again, close } = await install(["--uninstall"]);
  const folder = await mkdtemp(join(tmpdir(), "casefile-target-"));
  await mkdir(join(folder, "casefile"));
  const { code, err } = await again(["--dir", folder]);
  expect([code, err]).toEqual([1, expect.stringContaining("is a directory")]);
  expect(await readdir(folder)).toEqual(["casefile"]);
  await rm(folder, { recursive: true });
  await close();
});

test("an unsigned release is not installed", async () => {
  served = release();
  delete served["SHA256SUMS.minisig"];
  const { code, err, close } = await install();
  expect([code, err]).toEqual([1, expect.stringContaining("has no signature")]);
  await close();
});
