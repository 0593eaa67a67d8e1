import { siteOf } from "../../core/domain.ts";
import { Failure } from "../../core/errors.ts";
import { quoted, slugOf } from "../../core/text.ts";
import { decodeText } from "../../net/exchange.ts";
import { ProcessEnded } from "../../processes/one-at-a-time.ts";
import { looksLikePdf } from "../crawl/fetcher.ts";
import { extractMarkdown } from "../extract/markdown-file.ts";
import { parseHttpUrl } from "../fields.ts";
import type { Outcome, PageText, Provenance, Quote, StructuredStudy, Vendor } from "../types.ts";
import type { IntakeContext } from "./context.ts";
import { countWords, MIN_WORDS } from "./structure-page.ts";

/** A saved page of a case study. */
export interface SavedPage {
  /** HTML, Markdown or PDF; recognised by its content, then by its name. */
  readonly bytes: Uint8Array;
  /** File name; empty when unknown. */
  readonly name: string;
  /** Address where the page was published. */
  readonly url: string;
  /** Name of the company that published it; by default derived from the address. */
  readonly company?: string | undefined;
}

/** A field as it was read; all null where the page does not say. */
export interface ReadField<Value> {
  readonly value: Value | null;
  /** The page's sentence that states it; null when no single sentence does. */
  readonly sentence: string | null;
  /** 0–1. */
  readonly confidence: number | null;
}

/** The fields of a case study, as `casefile studies read --json` prints them. */
export interface ReadStudy {
  readonly url: string;
  readonly company: { readonly name: string; readonly slug: string };
  readonly title: ReadField<string>;
  /** `candidates` are the likeliest names where the client is not certain. */
  readonly client: ReadField<string> & {
    readonly domain: string | null;
    readonly candidates: readonly { readonly value: string; readonly confidence: number }[];
  };
  /** Name in the taxonomy; `slug` identifies it. */
  readonly industry: ReadField<string> & { readonly slug: string | null };
  /** ISO 3166-1 alpha-2. */
  readonly country: ReadField<string>;
  readonly summary: ReadField<string>;
  readonly challenge: ReadField<string>;
  readonly solution: ReadField<string>;
  readonly outcomes: readonly ReadField<Outcome>[];
  readonly products: readonly ReadField<string>[];
  readonly tools: readonly ReadField<string>[];
  readonly quote: ReadField<Quote>;
  readonly published_at: ReadField<string>;
  readonly language: ReadField<string>;
  /** Why another engine than the configured one was used; null otherwise. */
  readonly fallback: string | null;
}

/**
 * Reads the fields of a saved page. Saves nothing and requests nothing, except from a configured language model.
 *
 * @throws Failure `submission.invalid` for an address that is none, or a page without a readable case study
 */
export async function readSavedPage(
  { extractor, engine, parseContext }: Pick<IntakeContext, "extractor" | "engine" | "parseContext">,
  page: SavedPage,
  signal?: AbortSignal,
): Promise<ReadStudy> {
  const url = parseHttpUrl(page.url);
  if (url === null)
    throw invalid(
      "/url",
      `${quoted(page.url)} is not the http or https address of a page, such as https://acme.com/customers/kestrel.`,
    );
  const text = await extractFile(extractor, page, url, signal);
  if (countWords(text.markdown) < MIN_WORDS) throw invalid("/content", "The page contains no readable case study.");
  const vendor = vendorOf(url, page.company);
  const study = await engine.structure(text, vendor, signal);
  return viewOf(study, { url: text.canonical ?? url, vendor, industryName: parseContext.industries.nameBySlug });
}

const invalid = (pointer: string, detail: string) =>
  new Failure("submission.invalid", detail, { problems: [{ pointer, detail }] });

/** Pages that are read at once for callers of the API: the process that reads them also reads those of crawls. */
const MAX_TRIALS = 2;
const TRIAL_MS = 30_000;

/**
 * Reads pages for callers of the API as `readSavedPage` does, a few at a time and in bounded time.
 *
 * @returns a function that throws Failure `submission.invalid`, `service.overloaded`, and the reason of its signal
 */
export function createPageTrials(context: Parameters<typeof readSavedPage>[0], timeoutMs = TRIAL_MS) {
  let reading = 0;
  const overloaded = (cause?: unknown) =>
    new Failure("service.overloaded", "Too many pages are being read; try again in a few seconds.", {
      retryAfterSeconds: 5,
      cause,
    });
  return async (page: SavedPage, signal: AbortSignal): Promise<ReadStudy> => {
    if (reading >= MAX_TRIALS) throw overloaded();
    const deadline = AbortSignal.timeout(timeoutMs);
    reading += 1;
    try {
      return await readSavedPage(context, page, AbortSignal.any([signal, deadline]));
    } catch (error) {
      throw deadline.aborted && !signal.aborted ? overloaded(error) : error;
    } finally {
      reading -= 1;
    }
  };
}

async function extractFile(
  extractor: IntakeContext["extractor"],
  { bytes, name }: SavedPage,
  url: string,
  signal?: AbortSignal,
): Promise<PageText> {
  const isPdf = looksLikePdf(bytes);
  const text = isPdf ? "" : decodeText(bytes, undefined);
  if (!isPdf && isNoPage(text)) throw invalid("/content", "The file is not HTML, Markdown or PDF.");
  const { matter, rest } = splitMatter(text);
  if (!isPdf && !isHtml(rest, name)) return extractMarkdown(text, url);
  const kind = isPdf ? "pdf" : "html";
  try {
    const page = await extractor.extract(
      { url, language: null, last_modified: null, kind, content: isPdf ? bytes : rest },
      signal,
    );
    return matter === "" ? page : withMatter(page, extractMarkdown(matter, url));
  } catch (error) {
    if (!(error instanceof ProcessEnded)) throw error;
    throw invalid("/content", `The page cannot be read: ${error.message}`);
  }
}

/** Bytes that are no text, or data: "\\u0000" is in no page, and a whole JSON document is none. */
function isNoPage(text: string): boolean {
  const start = text.slice(0, 65_536);
  if (start.includes("\u0000") || (start.match(/\uFFFD/g)?.length ?? 0) > start.length / 20) return true;
  if (!/^\s*[[{]/.test(start)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The YAML front matter with which generators of sites start a page, of HTML too. */
function splitMatter(text: string): { readonly matter: string; readonly rest: string } {
  const matter =
    /^\uFEFF?---[ \t]*\r?\n[\s\S]{0,16384}?\r?\n---[ \t]*(?:\r?\n|$)/.exec(text.slice(0, 20_000))?.[0] ?? "";
  return { matter, rest: text.slice(matter.length) };
}

/** What the page's HTML leaves open, from its front matter. */
const withMatter = (page: PageText, matter: PageText): PageText => ({
  ...page,
  title: matter.title ?? page.title,
  description: page.description ?? matter.description,
  language: page.language ?? matter.language,
  published_at: page.published_at ?? matter.published_at,
  published_from: page.published_at === null ? matter.published_from : page.published_from,
  labels: [...page.labels, ...matter.labels],
});

/** A whole page, or a fragment that starts with an element and has no Markdown heading. */
function isHtml(text: string, name: string): boolean {
  if (/\.x?html?$/i.test(name)) return true;
  if (/\.(?:md|mdx|markdown)$/i.test(name)) return false;
  const start = text
    .slice(0, 65_536)
    .replace(/<!--[\s\S]{0,5000}?-->/g, "")
    .trimStart();
  if (/<(?:!doctype\s+html|html|head|body)[\s>]/i.test(start.slice(0, 8_192))) return true;
  return /^<[a-z]/i.test(start) && !/^#{1,6}\s/m.test(start);
}

const CODE_HOSTS: ReadonlySet<string> = new Set(["github.com", "gitlab.com", "codeberg.org", "bitbucket.org"]);
/** Foundations whose projects have a host name each. */
const FOUNDATIONS: ReadonlySet<string> = new Set(["apache.org", "eclipse.org"]);

/**
 * The company or project that publishes at an address: `https://www.acme.co.uk/x` → `Acme`, `https://beam.apache.org/x` →
 * `Apache Beam`, `https://github.com/acme/x` → `Acme`.
 */
export function vendorOf(url: string, company?: string): Vendor {
  const { hostname, pathname } = new URL(url);
  const domain = siteOf(hostname);
  const owner = CODE_HOSTS.has(domain) ? pathname.split("/", 2)[1] : undefined;
  const project = FOUNDATIONS.has(domain)
    ? hostname
        .replace(/^www\./, "")
        .split(".")
        .slice(0, -2)
        .at(-1)
    : undefined;
  const label = owner || domain.split(".")[0] || domain;
  const name = company?.trim() || [label, project].flatMap((part) => (part ? [capitalised(part)] : [])).join(" ");
  return { name, slug: slugOf(name), domain };
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function viewOf(
  { fields, provenance, fallback }: StructuredStudy,
  {
    url,
    vendor,
    industryName,
  }: { readonly url: string; readonly vendor: Vendor; readonly industryName: ReadonlyMap<string, string> },
): ReadStudy {
  const sources = new Map<string, Provenance>(provenance.map((source) => [source.pointer, source]));
  const field = <Value>(value: Value | null, pointer: string): ReadField<Value> => {
    const source = value === null ? undefined : sources.get(pointer);
    return { value, sentence: source?.sentence ?? null, confidence: source?.confidence ?? null };
  };
  const list = <Value>(values: readonly Value[], pointer: string) =>
    values.map((value, index) => field(value, `${pointer}/${index}`));
  const { client, industry } = fields;
  const candidates = provenance.flatMap(({ pointer, sentence, confidence }) =>
    pointer.startsWith("/client/candidates/") && sentence !== null ? [{ value: sentence, confidence }] : [],
  );
  return {
    url,
    company: { name: vendor.name, slug: vendor.slug },
    title: field(fields.title, "/title"),
    client: { ...field(client.name, "/client/name"), domain: client.domain, candidates },
    industry: {
      ...field(industry === null ? null : (industryName.get(industry) ?? industry), "/industry"),
      slug: industry,
    },
    country: field(fields.country, "/country"),
    summary: field(fields.summary, "/summary"),
    challenge: field(fields.challenge, "/challenge"),
    solution: field(fields.solution, "/solution"),
    outcomes: list(fields.outcomes, "/outcomes"),
    products: list(fields.products, "/products"),
    tools: list(fields.tools, "/tools"),
    quote: field(fields.quote, "/quote"),
    published_at: field(fields.published_at, "/published_at"),
    language: field(fields.language, "/language"),
    fallback,
  };
}
