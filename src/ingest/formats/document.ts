import { Failure } from "../../core/errors.ts";
import { field, parseJson } from "../../core/json.ts";
import { readCapture, UNIDENTIFIED_DOMAIN } from "../../detection/captures/read-capture.ts";
import { isHar } from "../../detection/captures/web.ts";
import { type Outcome, refused, skipped } from "../outcomes.ts";
import type { FormatContext } from "./company.ts";
import { lighthouseIn, readLighthouse } from "./lighthouse.ts";

/** Pages of one HAR file. */
const MAX_PAGES = 200;

/**
 * Reads a file that is one record: a HAR file, a Lighthouse or PageSpeed report, a page, an HTTP response, a zone, or what
 * else `enrich --from` reads.
 *
 * @param name of the file, which may be that of its zone or host
 * @param url the address of the page or zone, if the file does not state it
 */
export function readDocument(text: string, name: string, context: FormatContext, url?: string): Outcome[] {
  const start = text
    .slice(0, 2_000)
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (start.startsWith("{") || start.startsWith("[")) {
    const document = parseJson(text.replace(/^\uFEFF/, ""));
    if (document === undefined) return [refused(/[\]}]\s*$/.test(text.slice(-100)) ? "corrupt" : "cut")];
    const report = lighthouseIn(document);
    if (report) return [readLighthouse(report, context)];
    if (isHar(document)) return harPages(document).map((har) => captured(JSON.stringify(har), name, context));
  }
  return [captured(text, name, context, url)];
}

function captured(text: string, name: string, { capturedAt }: FormatContext, url?: string): Outcome {
  try {
    const snapshot = readCapture(text, { name, capturedAt, url });
    return snapshot.domain === UNIDENTIFIED_DOMAIN ? skipped("no_address") : { kind: "recording", snapshot };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.code === "snapshot.invalid" ? refused("unrecognised") : skipped("no_company");
  }
}

interface Har {
  readonly log: { readonly entries: readonly unknown[] };
}

/** One HAR for each page, because a browser may have visited several companies. */
function harPages(har: Har): Har[] {
  const byPage = Map.groupBy(har.log.entries.slice(0, 50_000), (entry) => String(field(entry, "pageref") ?? ""));
  return [...byPage.values()].slice(0, MAX_PAGES).map((entries) => ({ log: { entries } }));
}
