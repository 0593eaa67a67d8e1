import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { extractPage } from "../../../src/casestudies/extract/extract-child.ts";
import { createExtractor } from "../../../src/casestudies/extract/extractor.ts";
import { joinRuns, type Line, writeLines } from "../../../src/casestudies/extract/pdf.ts";
import type { FetchedPage } from "../../../src/casestudies/types.ts";
import { ProcessEnded } from "../../../src/processes/one-at-a-time.ts";
import { pdfOf } from "../../box/tidewell/pdf.ts";

const pageOf = (content: Uint8Array | string): FetchedPage => ({
  url: "https://tern.example/a.pdf",
  kind: "pdf",
  content,
  language: "en",
  last_modified: null,
});
const readBytes = (content: Uint8Array | string) => extractPage(pageOf(content));

const NOTHING = { title: null, markdown: "", published_at: null, published_from: null };

describe("a PDF", () => {
  test("has a text, a title and a date of creation", async () => {
    const pdf = pdfOf(
      "How Tern answers sooner",
      ["Agents answered the last message a week", "later. Today they need 4 minutes."],
      "2024-03-05",
    );
    expect(await readBytes(pdf)).toEqual({
      url: "https://tern.example/a.pdf",
      canonical: null,
      title: "How Tern answers sooner",
      site_name: null,
      description: null,
      language: "en",
      published_at: "2024-03-05",
      published_from: "pdf",
      markdown: "Agents answered the last message a week later. Today they need 4 minutes.",
      images: [],
      links: [],
      labels: [],
      json_ld: [],
    });
  });

  test.each([
    ["is not a PDF", "<html>"],
    ["is truncated", pdfOf("Title", ["text"], "2024-03-05").slice(0, 300)],
    ["is noise after its header", `%PDF-1.7\n${"\u0001x(".repeat(20_000)}`],
    ["is larger than 8 MiB", Buffer.concat([pdfOf("Title", ["text"], "2024-03-05"), Buffer.alloc(9 * 1_048_576, " ")])],
    [
      "has pages that hold themselves",
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[2 0 R]/Count 9>>endobj trailer<</Root 1 0 R>>",
    ],
  ])("that %s has no text", async (_, content) => {
    expect(await readBytes(content)).toMatchObject({ ...NOTHING, markdown: "" });
  });

  test("is not read for a caller that leaves at the moment in which its turn comes", async () => {
    const extractor = createExtractor(true);
    const caller = new AbortController();
    const reading = extractor.extract(pageOf("<p>Text</p>"), caller.signal);
    caller.abort(new Error("gone"));
    await expect(reading).rejects.toThrow("gone");
    const closedFor = extractor.extract(pageOf("<p>Text</p>"));
    extractor.close();
    await expect(closedFor).rejects.toThrow("stopping");
  });

  test("is read in another process, which serves many", async () => {
    const extractor = createExtractor(false);
    const pdf = pageOf(pdfOf("How Tern answers sooner", ["Agents answer in 4 minutes."], "2024-03-05"));
    const found = await Promise.all([extractor.extract(pdf), extractor.extract(pdf)]);
    expect(found.map(({ title }) => title)).toEqual(["How Tern answers sooner", "How Tern answers sooner"]);
    extractor.close();
  });

  test("that exceeds the limit of time ends its process, and the next file is read", async () => {
    const extractor = createExtractor(false, { timeoutMs: 1, memory: 512 * 1_048_576 });
    const file = pageOf(pdfOf("How Tern answers sooner", ["text"], "2024-03-05"));
    await expect(extractor.extract(file)).rejects.toThrow("The process that read it took longer than 0.001 s.");
    await expect(extractor.extract(file)).rejects.toThrow(ProcessEnded);
    extractor.close();
  });

  // pdf.js catches some failed allocations and goes on without the page; others end the process.
  test("that exceeds the limit of memory has no text, and the next file is read", async () => {
    const extractor = createExtractor(false);
    const bombed = await extractor.extract(pageOf(bomb())).catch((error: unknown) => error);
    if (!(bombed instanceof ProcessEnded)) expect(bombed).toMatchObject({ markdown: "" });
    const file = pageOf(pdfOf("How Tern answers sooner", ["text"], "2024-03-05"));
    expect((await extractor.extract(file)).title).toBe("How Tern answers sooner");
    extractor.close();
  });
});

/** A page whose content decompresses to 150 MB of drawing, for which pdf.js needs gigabytes. */
function bomb(): Uint8Array {
  const content = deflateSync(Buffer.alloc(150_000_000, "1 0 0 1 0 0 cm "), { level: 9 });
  const head = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>>endobj\n4 0 obj<</Length ${content.length}/Filter/FlateDecode>>stream\n`;
  return new Uint8Array(
    Buffer.concat([
      Buffer.from(head),
      content,
      Buffer.from("\nendstream endobj 5 0 obj<</Title(It came to its end)>>endobj trailer<</Root 1 0 R/Info 5 0 R>>"),
    ]),
  );
}

describe("lines of a PDF", () => {
  const line = (text: string, y: number, size = 10, page = 1): Line => ({ text, x: 70, y, size, page });
  const write = (...lines: Line[]) => writeLines(lines, new Set());

  test("are joined from runs at one height, with a space for each gap", () => {
    const run = (text: string, x: number, y: number, width: number) => ({ text, x, y, width, size: 10 });
    const runs = [
      run("Agents", 70, 700, 30),
      run("answer", 104, 700, 30),
      run("ed", 134, 700, 9),
      run("Next", 70, 686, 20),
    ];
    expect(joinRuns(runs, 1).map(({ text }) => text)).toEqual(["Agents answered", "Next"]);
  });

  test("become paragraphs at a gap, and headings by their size", () => {
    expect(
      write(
        line("The Chal-", 700, 16),
        line("lenge", 682, 16),
        line("One sentence that is parted by the end of a line, and conti-", 660),
        line("nues.", 648),
        line("Another begins.", 620),
      ),
    ).toBe(
      "## The Chal-lenge\n\nOne sentence that is parted by the end of a line, and continues.\n\nAnother begins.".replace(
        "Chal-lenge",
        "Challenge",
      ),
    );
  });

  test("continue across the end of a page inside a sentence, and not after one", () => {
    expect(
      write(line("It took the team", 80), line("four weeks.", 760, 10, 2), line("A second page.", 748, 10, 2)),
    ).toBe("It took the team four weeks. A second page.");
    expect(write(line("It is done.", 80), line("four weeks", 760, 10, 2))).toBe("It is done.\n\nfour weeks");
  });

  test("with bullets are list items", () => {
    expect(write(line("• first", 700), line("and more", 688), line("• second", 676))).toBe(
      "- first and more\n\n- second",
    );
  });
});
