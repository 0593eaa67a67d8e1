import { field, parseJson } from "../../core/json.ts";
import { boundedBody, HEADER_LIMITS, snapshotOf } from "../../detection/captures/web.ts";
import { recordHeaders } from "../../net/exchange.ts";
import { indexOfBytes } from "../byte-window.ts";
import { type Outcome, refused, skipped } from "../outcomes.ts";
import type { FormatContext } from "./company.ts";

const MAX_ELEMENTS = 5_000;

/** Whether a metadata record is one of a WAT file: a JSON description of another record. */
export const isWat = (media: string, content: Uint8Array): boolean =>
  /json/i.test(media) && indexOfBytes(content.subarray(0, 4_096), '"Envelope"') >= 0;

/** The path of a JSON document. */
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => field(inner, name), value);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ELEMENTS) : []);

/**
 * Reads a WAT record: the headers of a response, and of its page the meta tags, links and scripts. They are written as
 * a page again, so that one reader of pages is enough.
 */
export function readWat(content: Uint8Array, capturedAt: string, { companyOf }: FormatContext): Outcome {
  const document = parseJson(new TextDecoder().decode(content));
  if (document === undefined) return refused("corrupt");
  const envelope = at(document, "Envelope");
  const url = URL.parse(text(at(envelope, "WARC-Header-Metadata", "WARC-Target-URI")));
  const response = at(envelope, "Payload-Metadata", "HTTP-Response-Metadata");
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > 8_192) return skipped("no_company");
  if (response === undefined) return skipped("other_record");
  const domain = companyOf(url.hostname);
  if (domain === undefined) return skipped("no_company");
  const code = Number(text(at(response, "Response-Message", "Status"))) || 200;
  const fields = at(response, "Headers");
  const pairs =
    typeof fields === "object" && fields !== null
      ? Object.entries(fields)
          .slice(0, HEADER_LIMITS.headerCount)
          .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).flatMap((one) => [name, text(one)]))
      : [];
  const { list: headers } = recordHeaders(pairs, HEADER_LIMITS);
  const body = pageOf(at(response, "HTML-Metadata"));
  const exchange = { method: "GET", url: url.href, status: "ok", code, headers, ...boundedBody(body) } as const;
  return { kind: "recording", snapshot: snapshotOf(domain, "wat", capturedAt, { http: [exchange] }) };
}

function pageOf(html: unknown): string {
  if (html === undefined) return "";
  const head = at(html, "Head");
  const tag = (name: string, attributes: Readonly<Record<string, string>>, close = "") => {
    const written = Object.entries(attributes).filter(([, value]) => value !== "");
    return `<${name}${written.map(([key, value]) => ` ${key}="${escaped(value)}"`).join("")}>${close}\n`;
  };
  const metas = list(at(head, "Metas")).map((meta) =>
    tag("meta", {
      name: text(at(meta, "name")),
      property: text(at(meta, "property")),
      "http-equiv": text(at(meta, "http-equiv")),
      content: text(at(meta, "content")),
    }),
  );
  const links = list(at(head, "Link")).map((link) =>
    tag("link", { rel: text(at(link, "rel")), type: text(at(link, "type")), href: text(at(link, "url")) }),
  );
  const scripts = list(at(head, "Scripts")).map((script) =>
    tag("script", { src: text(at(script, "url")) }, "</script>"),
  );
  const elements = list(at(html, "Links")).map((link) => {
    const [name = "", attribute = ""] = text(at(link, "path")).toLowerCase().split("@/");
    const url = text(at(link, "url"));
    if (name === "script") return tag("script", { src: url }, "</script>");
    if (name === "iframe") return tag("iframe", { src: url }, "</iframe>");
    if (name === "form") return tag("form", { action: url }, "</form>");
    if (name === "img" && attribute === "src") return tag("img", { src: url });
    if (name === "link") return tag("link", { rel: text(at(link, "rel")), href: url });
    return name === "a" ? tag("a", { href: url }, `${escaped(text(at(link, "text")))}</a>`) : "";
  });
  const title = `<title>${escaped(text(at(head, "Title")))}</title>\n`;
  return `<!doctype html><html><head>\n${title}${metas.join("")}${links.join("")}${scripts.join("")}</head><body>\n${elements.join("")}</body></html>\n`;
}

const escaped = (value: string): string => value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
