/** Public job boards: which board an address belongs to, and the texts in a board's answer. */
import { JOB_BOARDS, type JobBoard } from "../net/visit.ts";
import { stripTags } from "./page-text.ts";
import { field, parseJson } from "./parse-json.ts";

/** One company's place at one vendor. */
export interface Board {
  readonly vendor: JobBoard;
  /** The company's name there, as its API wants it. */
  readonly name: string;
  /** The address that a visitor sees. */
  readonly url: string;
}

const POSTING_CAP = 60;
const TEXT_CAP = 20_480;

interface Vendor {
  /** The company's name in an address, or undefined when the address is none of this vendor's boards. */
  nameIn(url: URL): string | undefined;
  publicUrl(name: string): string;
  /** Where the list of postings stands in the answer; empty for an answer that is the list itself. */
  readonly list: string;
  /** Fields of a posting that hold its words. */
  readonly words: readonly string[];
}

const firstSegment = (url: URL) => url.pathname.split("/", 2)[1] || undefined;
const onHosts =
  (...hosts: string[]) =>
  (url: URL) =>
    hosts.includes(url.hostname) ? firstSegment(url) : undefined;
/** The label in front of a vendor's domain, unless it is a host of the vendor's own. */
const labelBefore =
  (...domains: string[]) =>
  ({ hostname }: URL) => {
    const domain = domains.find((name) => hostname.endsWith(`.${name}`));
    const label = domain && hostname.slice(0, -domain.length - 1);
    return label && /^[a-z0-9-]{1,63}$/.test(label) && !VENDORS_OWN.has(label) ? label : undefined;
  };
const VENDORS_OWN = new Set([
  "api",
  "app",
  "apply",
  "blog",
  "careers",
  "cdn",
  "docs",
  "help",
  "jobs",
  "scripts",
  "static",
  "support",
  "www",
]);

const VENDORS: Readonly<Record<JobBoard, Vendor>> = {
  greenhouse: {
    nameIn: (url) => {
      if (!/^(?:job-)?boards(?:-api)?(?:\.eu)?\.greenhouse\.io$/.test(url.hostname)) return undefined;
      const first = firstSegment(url);
      if (first === "v1") return url.pathname.split("/", 4)[3];
      return first === "embed" ? (url.searchParams.get("for") ?? undefined) : first;
    },
    publicUrl: (name) => `https://boards.greenhouse.io/${name}`,
    list: "jobs",
    words: ["title", "content", "location", "name"],
  },
  lever: {
    nameIn: (url) =>
      /^api(?:\.eu)?\.lever\.co$/.test(url.hostname)
        ? url.pathname.split("/", 4)[3]
        : onHosts("jobs.lever.co", "jobs.eu.lever.co")(url),
    publicUrl: (name) => `https://jobs.lever.co/${name}`,
    list: "",
    words: ["text", "descriptionPlain", "lists", "content", "additionalPlain"],
  },
  ashby: {
    nameIn: onHosts("jobs.ashbyhq.com"),
    publicUrl: (name) => `https://jobs.ashbyhq.com/${name}`,
    list: "jobs",
    words: ["title", "descriptionPlain"],
  },
  workable: {
    nameIn: (url) => {
      const name = onHosts("apply.workable.com")(url) ?? labelBefore("workable.com")(url);
      return name === "api" || name === "j" ? undefined : name;
    },
    publicUrl: (name) => `https://apply.workable.com/${name}/`,
    list: "jobs",
    words: ["title", "description", "requirements"],
  },
  smartrecruiters: {
    nameIn: onHosts("careers.smartrecruiters.com", "jobs.smartrecruiters.com"),
    publicUrl: (name) => `https://careers.smartrecruiters.com/${name}`,
    list: "content",
    words: ["name", "jobAd", "sections", "text"],
  },
  recruitee: {
    nameIn: labelBefore("recruitee.com"),
    publicUrl: (name) => `https://${name}.recruitee.com/`,
    list: "offers",
    words: ["title", "description", "requirements"],
  },
  teamtailor: {
    nameIn: labelBefore("teamtailor.com"),
    publicUrl: (name) => `https://${name}.teamtailor.com/jobs`,
    list: "items",
    words: ["title", "content_html", "content_text"],
  },
  personio: {
    nameIn: labelBefore("jobs.personio.com", "jobs.personio.de"),
    publicUrl: (name) => `https://${name}.jobs.personio.com/`,
    list: "",
    words: [],
  },
};

/** The board that an address belongs to; undefined for every other address. */
export function boardAt(address: string): Board | undefined {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  for (const vendor of JOB_BOARDS) {
    const name = boardName(VENDORS[vendor].nameIn(url));
    if (name) return { vendor, name, url: VENDORS[vendor].publicUrl(name) };
  }
  return undefined;
}

/** The board that `vendor` would keep under `name`, whether or not there is one. */
export function boardNamed(vendor: JobBoard, name: string): Board {
  return { vendor, name, url: VENDORS[vendor].publicUrl(name) };
}

function boardName(written: string | undefined): string | undefined {
  if (!written) return undefined;
  // Names with spaces are written `%20` in the path; whatever else is escaped is no name.
  const name = written.replaceAll("%20", " ");
  return /^[A-Za-z0-9][A-Za-z0-9 ._&-]{0,80}$/.test(name) ? name.replaceAll(" ", "%20") : undefined;
}

/**
 * The texts of the postings in a board's answer, at most 60 of 20 KiB; undefined when the answer is no board's.
 * An empty list is a board without postings.
 */
export function postingsIn(vendor: JobBoard, body: string): string[] | undefined {
  if (vendor === "personio") return personioPostings(body);
  const { list, words } = VENDORS[vendor];
  const answer = parseJson(body);
  const entries = list ? field(answer, list) : answer;
  if (!Array.isArray(entries)) return undefined;
  return entries.slice(0, POSTING_CAP).map((entry) => wordsOf(entry, new Set(words), 4).slice(0, TEXT_CAP));
}

function personioPostings(body: string): string[] | undefined {
  if (!/<workzag-jobs[\s>/]/.test(body.slice(0, 2_000))) return undefined;
  return body
    .split("<position>", POSTING_CAP + 1)
    .slice(1)
    .map((position) =>
      stripTags(position.replaceAll(/<!\[CDATA\[|\]\]>/g, "").replaceAll(/<\/(?:name|value)>/g, "\n"), TEXT_CAP),
    );
}

function wordsOf(value: unknown, words: ReadonlySet<string>, depth: number): string {
  if (typeof value === "string") return plainText(value);
  if (depth === 0 || typeof value !== "object" || value === null) return "";
  const parts = Array.isArray(value)
    ? value.slice(0, 50)
    : Object.entries(value).flatMap(([name, part]) =>
        words.has(name) || (depth < 4 && typeof part === "object") ? [part] : [],
      );
  return parts
    .map((part) => wordsOf(part, words, depth - 1))
    .filter((text) => text.length > 0)
    .join("\n");
}

/** Some boards escape their HTML once more, so the first pass may only bring the tags to light. */
function plainText(html: string): string {
  const text = stripTags(html.slice(0, 8 * TEXT_CAP), 4 * TEXT_CAP);
  return /<\/?[a-z][^<>]{0,200}>/i.test(text) ? stripTags(text, TEXT_CAP) : text;
}
