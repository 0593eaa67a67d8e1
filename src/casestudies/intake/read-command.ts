import type { Command } from "commander";
import { type CliHost, withApp } from "../../cli/host.ts";
import { details, jsonText, plain } from "../../cli/table.ts";
import { Failure } from "../../core/errors.ts";
import { outcomeLine } from "../outcome-text.ts";
import type { ReadField, ReadStudy } from "./read-file.ts";
import { CRAWL_NETWORK, type IntakeService } from "./service.ts";

const NAME_WIDTH = 14;
const CONFIDENCE_WIDTH = 6;

/** `casefile studies read`: reads the fields of a saved page and stores nothing. */
export function addReadCommand(studies: Command, host: CliHost<{ readonly intake: IntakeService }>): Command {
  const read = studies
    .command("read")
    .description("Read the fields of a saved page (HTML, Markdown or PDF), and store nothing.")
    .argument("<file>", "page to read; - reads standard input")
    .requiredOption("--url <url>", "address where the page was published")
    .option("--company <name>", "name of the vendor; by default derived from the address")
    .option("--json", "print each field with its value, sentence and confidence")
    .addHelpText(
      "after",
      "\nExample:\n  casefile studies read page.html --url https://acme.com/customers/kestrel --json",
    );
  return read.action((path: string, flags: { url: string; company?: string; json?: boolean }) =>
    withApp(
      host,
      read.opts(),
      async ({ intake }) => {
        const { name, bytes } = await readBytes(host, path);
        const study = await intake.readSavedPage({ bytes, name, ...flags }, host.signal);
        host.out(`${flags.json ? jsonText(study) : studyText(study)}\n`);
        if (study.fallback !== null) host.err(`note: ${study.fallback}\n`);
      },
      { inMemory: true },
    ),
  );
}

/** @throws Failure `snapshot.invalid` as soon as the limit of a crawled page is exceeded */
async function readBytes(host: CliHost, path: string): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  const { name, content } = await host.openFile(path);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > CRAWL_NETWORK.pageBytes)
      throw new Failure("snapshot.invalid", `The file is larger than ${CRAWL_NETWORK.pageBytes / 1_048_576} MiB.`);
    chunks.push(chunk);
  }
  return { name, bytes: Buffer.concat(chunks) };
}

/** Each field with its confidence, its whole value and, on the next line, its sentence. */
function studyText(study: ReadStudy): string {
  const lines: string[] = [];
  const add = (name: string, { value, sentence, confidence }: ReadField<unknown>, text = String(value)) => {
    if (value === null) return;
    const certainty = confidence === null ? "" : `${Math.round(confidence * 100)}%`;
    lines.push(`${name.padEnd(NAME_WIDTH)}${certainty.padEnd(CONFIDENCE_WIDTH)}${plain(text.replace(/\s+/g, " "))}`);
    if (sentence !== null && sentence !== text)
      lines.push(`${" ".repeat(NAME_WIDTH + CONFIDENCE_WIDTH)}“${plain(sentence.replace(/\s+/g, " "))}”`);
  };
  add("client", study.client);
  for (const { value, confidence } of study.client.candidates)
    add("client?", { value, confidence, sentence: "a candidate: no name is certain" });
  add("industry", study.industry);
  add("country", study.country);
  for (const outcome of study.outcomes)
    add("outcome", outcome, outcome.value === null ? "" : (outcomeLine(outcome.value) ?? outcome.value.text));
  for (const tool of study.tools) add("tool", tool);
  for (const product of study.products) add("product", product);
  add(
    "quote",
    study.quote,
    [study.quote.value?.text, study.quote.value?.person, study.quote.value?.role].filter(Boolean).join(", "),
  );
  add("summary", study.summary);
  add("challenge", study.challenge);
  add("solution", study.solution);
  add("published_at", study.published_at);
  add("language", study.language);
  return [
    details([
      ["Title", study.title.value],
      ["Address", study.url],
      ["Company", study.company.name],
    ]),
    lines.join("\n"),
  ].join("\n\n");
}
