import { describe, expect, test } from "bun:test";
import { readTar, TarError, type TarFile, writeTar } from "../../src/backup/tar.ts";

const WHEN = new Date("2026-05-04T12:00:00.000Z");
const file = (name: string, text: string): TarFile => ({ name, size: text.length, content: [Buffer.from(text)] });

async function bytesOf(files: readonly TarFile[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of writeTar(files, WHEN)) parts.push(part);
  return Buffer.concat(parts);
}

/** Name and text of each file, read in chunks that do not match the block size. */
async function read(bytes: Uint8Array, chunk = 333): Promise<string[]> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const files: string[] = [];
  for await (const { name, size, content } of readTar(chunks())) {
    let text = "";
    for await (const part of content) text += Buffer.from(part).toString();
    files.push(`${name} ${size} ${text}`);
  }
  return files;
}

const errorOf = async (bytes: Uint8Array): Promise<string> => {
  const outcome = await read(bytes).catch((error: unknown) => error);
  if (outcome instanceof TarError) return outcome.message;
  throw new Error(`no TarError but ${outcome}`);
};

/** Changes the first header and corrects its checksum. */
function altered(bytes: Buffer, change: (header: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy.subarray(0, 512));
  copy.fill(" ", 148, 156);
  const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return copy;
}

describe("a tar archive", () => {
  const FILES = [
    file("manifest.json", "{}"),
    file("empty", ""),
    file("block", "x".repeat(512)),
    file("b.bin", "y".repeat(1_300)),
  ];

  test.each([1, 511, 512, 513, 100_000])("round-trips in chunks of %d bytes", async (chunk) => {
    const expected = [
      `manifest.json 2 {}`,
      "empty 0 ",
      `block 512 ${"x".repeat(512)}`,
      `b.bin 1300 ${"y".repeat(1_300)}`,
    ];
    expect(await read(await bytesOf(FILES), chunk)).toEqual(expected);
  });

  test("can be read by other programs", async () => {
    const files = await new Bun.Archive(await bytesOf(FILES)).files();
    expect([...files.keys()]).toEqual(["manifest.json", "empty", "block", "b.bin"]);
    expect(await files.get("manifest.json")?.text()).toBe("{}");
    expect(files.get("b.bin")?.size).toBe(1_300);
    const listed = Bun.spawn(["tar", "-tvf", "-"], {
      stdin: new Blob([new Uint8Array(await bytesOf(FILES))]),
      stdout: "pipe",
    });
    expect((await new Response(listed.stdout).text()).split("\n")[0]).toMatch(
      /^-rw------- .* 2 2026-05-04 .* manifest\.json$/,
    );
  });

  test("holds files of more than eight gigabytes", async () => {
    const size = 3 * 2 ** 33;
    const head = await writeTar([{ name: "large", size, content: [] }], WHEN).next();
    if (!head.value) throw new Error("no header");
    async function* source(header: Uint8Array) {
      yield header;
    }
    const first = await readTar(source(head.value)).next();
    expect(first.value?.size).toBe(size);
  });

  test("unread content of a file is skipped", async () => {
    const bytes = await bytesOf(FILES);
    async function* whole() {
      yield bytes;
    }
    const names: string[] = [];
    for await (const { name } of readTar(whole())) names.push(name);
    expect(names.length).toBe(4);
  });

  test("content that is shorter than its declared size throws", async () => {
    await expect(bytesOf([{ name: "a", size: 5, content: [Buffer.from("1234")] }])).rejects.toThrow(RangeError);
  });

  test.each(["../up", "/etc/passwd", "a/b", "", ".hidden", "a\\b", "x".repeat(100)])(
    "a name such as %p is refused",
    async (name) => {
      await expect(bytesOf([file(name, "")])).rejects.toThrow(RangeError);
    },
  );
});

describe("a foreign tar archive", () => {
  const named = (name: string) => (header: Buffer) => header.fill(0, 0, 100).write(name, 0, "latin1");

  test.each([
    ["a path upwards", named("../../etc/passwd"), "a file whose name is a path"],
    ["an absolute path", named("/etc/passwd"), "a file whose name is a path"],
    ["a folder in its name", named("a/b"), "a file whose name is a path"],
    ["a prefix", (header: Buffer) => void header.write("../up", 345), "a file whose name is a path"],
    ["a symbolic link", (header: Buffer) => void header.write("2", 156), "not a regular file"],
    ["a hard link", (header: Buffer) => void header.write("1", 156), "not a regular file"],
    ["a link's target", (header: Buffer) => void header.write("/etc/passwd", 157), "not a regular file"],
    ["a folder", (header: Buffer) => void header.write("5", 156), "not a regular file"],
    ["a device", (header: Buffer) => void header.write("3", 156), "not a regular file"],
    ["an extended header", (header: Buffer) => void header.write("x", 156), "not a regular file"],
    ["a long name of GNU", (header: Buffer) => void header.write("L", 156), "not a regular file"],
    ["a size below zero", (header: Buffer) => header.fill(0xff, 124, 136), "an invalid size"],
    ["a size of no digits", (header: Buffer) => void header.write("12x45678901\0", 124), "an invalid size"],
    [
      "a size of 2^63",
      (header: Buffer) => header.fill(0, 124, 136).fill(0x80, 124, 125).fill(0x80, 128, 129),
      "an invalid size",
    ],
    ["another form", (header: Buffer) => header.fill(0, 257, 263), "unknown format"],
  ])("with %s is refused", async (_, change, words) => {
    expect(await errorOf(altered(await bytesOf([file("name", "text")]), change))).toContain(words);
  });

  test("with a wrong header checksum is refused", async () => {
    const bytes = await bytesOf([file("name", "text")]);
    bytes[3] = 0x41;
    expect(await errorOf(bytes)).toContain("header is damaged");
  });

  test("that is truncated anywhere is refused", async () => {
    const bytes = await bytesOf([file("one", "x".repeat(600)), file("two", "y")]);
    for (let at = 0; at < bytes.length; at += 64) await errorOf(bytes.subarray(0, at));
  });

  test.each([
    ["words", Buffer.from("and more")],
    ["a third file", Buffer.alloc(1_024, "z")],
    ["zeros without end", Buffer.alloc(1_048_576)],
  ])("with %s after its end is refused", async (_, more) => {
    const bytes = await bytesOf([file("name", "text")]);
    expect(await errorOf(Buffer.concat([bytes, more]))).toContain("end-of-archive");
  });
});
