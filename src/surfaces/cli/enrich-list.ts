import { CasefileProblem } from "../../../client/src/index.ts";
import { Failure } from "../../vocabulary/failure.ts";
import type { CliHost } from "./host.ts";
import { createLine } from "./progress.ts";
import { jsonText, plain } from "./table.ts";

/** A longer line is no domain, however it was pasted. */
const MOST_CHARACTERS = 2_048;
/** Of a line of the output, with evidence and sources. */
const MOST_WRITTEN = 16_000_000;

export interface ListWork {
  /** Appended to; what is in it already is not asked for again. Standard output when there is none. */
  readonly output: string | undefined;
  readonly atOnce: number;
  /** The answer for one domain. */
  readonly ask: (domain: string) => Promise<object>;
}

/**
 * Reads domains from standard input, one a line, and writes one line of JSON for each: the answer with the domain as it
 * was given (`input`), or `code` and `detail` of what is refused for good.
 *
 * @throws the refusal after which no further domain can go well; or, at the end, one that counts those that failed and
 * are not in the output
 */
export async function enrichList(host: CliHost, { output, atOnce, ask }: ListWork): Promise<void> {
  const known = output === undefined ? new Set<string>() : await writtenIn(host, output);
  const write = async (line: object) => {
    const text = `${jsonText(line)}\n`;
    if (output === undefined) host.out(text);
    else await host.appendFile(output, text);
  };
  const inputs = (await host.openFile("-")).content;
  const domains = domainsOf(inputs, known);
  const progress = createLine(host);
  const count = { done: 0, failed: 0 };
  let last: Refusal | undefined;
  let stopped = false;

  const work = async () => {
    for await (const domain of domains) {
      if (stopped || host.signal.aborted) return;
      try {
        await write({ input: domain, ...(await ask(domain)) });
      } catch (error) {
        if (!isRefusal(error) || isForAll(error)) throw error;
        if (isForGood(error)) await write({ input: domain, domain: null, code: error.code, detail: adviceOf(error) });
        else {
          count.failed += 1;
          last = error;
          progress.end();
          host.err(`${plain(domain)}: ${plain(adviceOf(error))}\n`);
        }
      }
      count.done += 1;
      progress.show(`${count.done} done${count.failed > 0 ? `, ${count.failed} failed` : ""} …`);
    }
  };
  try {
    await Promise.all(
      Array.from({ length: atOnce }, () =>
        work().catch((error) => {
          stopped = true;
          throw error;
        }),
      ),
    );
  } finally {
    progress.end();
  }
  if (host.signal.aborted && output !== undefined) host.err("Interrupted; the same command goes on where it was.\n");
  host.signal.throwIfAborted();
  if (last)
    throw counted(
      last,
      `${count.failed} of ${count.done} domains failed and are not in the output; run it again for them.`,
    );
}

type Refusal = Failure | CasefileProblem;

const isRefusal = (error: unknown): error is Refusal => error instanceof Failure || error instanceof CasefileProblem;
const adviceOf = (error: Refusal) => (error instanceof Failure ? error.advice : error.detail);
/** Another time it would be refused again. */
const isForGood = ({ code }: Refusal) => ["domain.invalid", "domain.reserved", "domain.not_found"].includes(code);
/** Whatever is asked next would be refused too. */
const isForAll = ({ code }: Refusal) =>
  ["key.invalid", "quota.exceeded", "server.unreachable", "store.unusable", "request.invalid"].includes(code);

const counted = (error: Refusal, text: string): Refusal =>
  error instanceof Failure ? new Failure(error.code, text) : new CasefileProblem(error.status, error.code, text);

/** Each domain once, without those that are known. Empty lines and comments are none. */
async function* domainsOf(content: AsyncIterable<Uint8Array>, known: Set<string>): AsyncGenerator<string> {
  for await (const line of linesOf(content, MOST_CHARACTERS)) {
    const domain = line.replace(/^\ufeff/, "").trim();
    if (domain === "" || domain.startsWith("#") || known.has(domain)) continue;
    known.add(domain);
    yield domain;
  }
}

/** Lines without their ends; what of a line is beyond the bound is left out, so that the domain in it is refused. */
async function* linesOf(content: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(0, most + 1);
    for (const line of lines) yield line.slice(0, most + 1);
  }
  if (rest !== "") yield rest;
}

/** What a former run wrote; the line that it may have left half is ended. */
async function writtenIn(host: CliHost, output: string): Promise<Set<string>> {
  const known = new Set<string>();
  const content = await host.findFile(output);
  if (!content) return known;
  let whole = true;
  const watched = (async function* () {
    for await (const chunk of content) {
      whole = chunk.at(-1) === LINE_END;
      yield chunk;
    }
  })();
  for await (const line of linesOf(watched, MOST_WRITTEN)) {
    const input = inputOf(line);
    if (input !== undefined) known.add(input);
  }
  if (!whole) await host.appendFile(output, "\n");
  return known;
}

const LINE_END = 10;

/** Undefined for a line that a run left half, or that is none of ours: its domain is asked for again. */
function inputOf(line: string): string | undefined {
  try {
    const input: unknown = Reflect.get(Object(JSON.parse(line)), "input");
    return typeof input === "string" ? input : undefined;
  } catch {
    return undefined;
  }
}
