import { inParallel } from "../../core/async.ts";
import { JOB_BOARDS, type JobBoard } from "../../core/data-sources.ts";
import { type Domain, hostOfUrl } from "../../core/domain.ts";
import { field, parseJson } from "../../core/json.ts";
import { type Link, stripTags } from "../../html/page-text.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import type { Signal } from "../signals.ts";
import type { Visit } from "../visit/visit.ts";
import { companyHosts, findHome, isReadable } from "./home-page.ts";
import { pageLinks, pageSignals } from "./page-signals.ts";
import type { Scanner } from "./scanner.ts";

/** The board of one company at one vendor. */
interface Board {
  readonly vendor: JobBoard;
  /** The company's name in the vendor's API. */
  readonly name: string;
  /** The public address. */
  readonly url: string;
}

const POSTING_CAP = 60;
const TEXT_CAP = 20_480;

interface Vendor {
  /** The company's name in an address; undefined if it is not a board of this vendor. */
  nameIn(url: URL): string | undefined;
  publicUrl(name: string): string;
  /** The field with the list of postings; empty if the response is the list. */
  readonly list: string;
  /** Fields with the text of a posting. */
  readonly words: readonly string[];
}

const firstSegment = (url: URL) => url.pathname.split("/", 2)[1] || undefined;
const onHosts =
  (...hosts: string[]) =>
  (url: URL) =>
    hosts.includes(url.hostname) ? firstSegment(url) : undefined;
/** The label before a vendor's domain, unless it is a host of the vendor itself. */
const labelBefore =
  (...domains: string[]) =>
  ({ hostname }: URL) => {
    const domain = domains.find((name) => hostname.endsWith(`.${name}`));
    const label = domain && hostname.slice(0, -domain.length - 1);
    return label && /^[a-z0-9-]{1,63}$/.test(label) && !VENDOR_LABELS.has(label) ? label : undefined;
  };
const VENDOR_LABELS = new Set([
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

/** A part of every address that names a board; an encoded host is decoded by the parser. */
const BOARD_HOST =
  /greenhouse\.io|lever\.co|ashbyhq\.com|workable\.com|smartrecruiters\.com|recruitee\.com|teamtailor\.com|personio\.|[^!-$&-~]/i;

/** The board at an address, if there is one. */
export function boardAt(address: string): Board | undefined {
  if (!BOARD_HOST.test(address)) return undefined;
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  for (const vendor of JOB_BOARDS) {
    const name = boardName(VENDORS[vendor].nameIn(url));
    if (name) return { vendor, name, url: VENDORS[vendor].publicUrl(name) };
  }
  return undefined;
}

/** The board of `name` at `vendor`, which may not exist. */
function boardNamed(vendor: JobBoard, name: string): Board {
  return { vendor, name, url: VENDORS[vendor].publicUrl(name) };
}

function boardName(written: string | undefined): string | undefined {
  if (!written) return undefined;
  // Names may contain spaces, written `%20`, but no other escapes.
  const name = written.replaceAll("%20", " ");
  return /^[A-Za-z0-9][A-Za-z0-9 ._&-]{0,80}$/.test(name) ? name.replaceAll(" ", "%20") : undefined;
}

/**
 * The texts of the postings in a board's response, at most 60 of 20 KiB; undefined if it is not a board. An empty list is
 * a board without postings.
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

/** Some boards escape their HTML twice, so the tags may appear only after the first pass. */
function plainText(html: string): string {
  const text = stripTags(html.slice(0, 8 * TEXT_CAP), 4 * TEXT_CAP);
  return /<\/?[a-z][^<>]{0,200}>/i.test(text) ? stripTags(text, TEXT_CAP) : text;
}

const CAREERS_PAGES = 2;
const BOARD_CAP = 3;
const URL_CAP = 100;
const CONCURRENCY = 4;
/** Shorter labels are names of too many companies. */
const MIN_GUESSED_LABEL = 4;

/** The company's job board, which shows its vendor, and the postings, which mention tools. */
export const jobBoards: Scanner = {
  id: "job-boards",
  phase: "hiring",
  emits: ["board.url", "board.posting"],
  timeoutMs: 12_000,

  async scan(visit, emit) {
    const urls = new Set<string>();
    const emitUrl = (value: string, location: string) => {
      if (urls.size >= URL_CAP || urls.has(value) || !/^https?:\/\/\w/.test(value)) return;
      urls.add(value);
      emit({ kind: "board.url", value, location });
    };

    const boards = new Map<string, Board>();
    const home = await findHome(visit);
    const isCompany = companyHosts(visit.domain, home?.url);
    for (const { url, page, isCareers } of await hiringPages(visit, home, isCompany)) {
      const landed = boardAt(page.url);
      // A careers page that redirects to a vendor is the company's board there.
      if (landed) boards.set(landed.url, landed);
      if (!isCompany(hostOfUrl(page.url))) {
        if (isCareers) emitUrl(page.url, url);
        continue;
      }
      for (const url of trackedLinks(page, visit)) emitUrl(url, page.url);
      for (const address of addressesIn(page, visit, isCompany)) {
        const board = boardAt(address);
        if (board) boards.set(board.url, board);
        if (board || (isCareers && HIRING_HOST.test(hostOfUrl(address))) || looksLikeJobs(address))
          emitUrl(address, page.url);
      }
    }

    if (boards.size > 0)
      await inParallel([...boards.values()].slice(0, BOARD_CAP), CONCURRENCY, async (board) => {
        await readBoard(visit, board, emitUrl, emit);
      });
    else await guessBoards(visit, emitUrl, emit);
  },
};

type IsCompany = (host: string) => boolean;
type EmitUrl = (value: string, location: string) => void;
type Emit = (signal: Signal) => void;

/** Queries the board's API; nothing is emitted unless `isCompanyBoard` accepts the response. */
async function readBoard(
  visit: Visit,
  board: Board,
  emitUrl: EmitUrl,
  emit: Emit,
  isCompanyBoard: (answer: string) => boolean = () => true,
): Promise<void> {
  const source = visit.sources.jobBoards[board.vendor];
  if (source === null) return;
  const { final } = await visit.http(source.replaceAll("{board}", board.name));
  const postings = final.code === 200 ? postingsIn(board.vendor, final.body) : undefined;
  if (!postings || !isCompanyBoard(final.body)) return;
  emitUrl(board.url, final.url);
  for (const value of postings) if (value) emit({ kind: "board.posting", value, location: board.url });
}

/** Companies may share a name, so a guessed board counts only if its postings contain the company's domain. */
async function guessBoards(visit: Visit, emitUrl: EmitUrl, emit: Emit): Promise<void> {
  const { name, label } = visit.domain;
  if (label.length < MIN_GUESSED_LABEL || !/^[a-z0-9-]{1,63}$/.test(label)) return;
  const named = new RegExp(
    `(?:^|[^a-z0-9.-])(?:[a-z0-9-]{1,63}\\.){0,5}${RegExp.escape(name)}(?![a-z0-9-]|\\.[a-z])`,
    "i",
  );
  await inParallel(JOB_BOARDS, CONCURRENCY, async (vendor) => {
    await readBoard(visit, boardNamed(vendor, label), emitUrl, emit, (answer) => named.test(answer));
  });
}

interface HiringPage {
  /** The requested address. */
  readonly url: string;
  readonly page: HttpExchange;
  readonly isCareers: boolean;
}

const CAREERS =
  /\b(?:careers?|jobs?|vacanc(?:y|ies)|karriere|stellenangebote|emplois?|recrutement|empleos?|carreiras?|lavora-con-noi|werken-bij|join-(?:us|our-team)|work-(?:with|for)-us|we-?re-hiring|open-(?:positions|roles))\b/i;

/** The home page, and the careers pages that it links to or at the usual paths. */
async function hiringPages(visit: Visit, home: HttpExchange | undefined, isCompany: IsCompany): Promise<HiringPage[]> {
  const pages: HiringPage[] = home ? [{ url: home.url, page: home, isCareers: false }] : [];
  const linked = home ? careersLinks(home, visit, isCompany) : [];
  const origin = new URL(home?.url ?? `https://${visit.domain.name}/`).origin;
  const candidates = linked.length > 0 ? linked.slice(0, CAREERS_PAGES) : [`${origin}/careers`, `${origin}/jobs`];
  await inParallel(candidates, CAREERS_PAGES, async (url) => {
    const { final } = await visit.http(url, { accept: "text/html" });
    const isFront = home !== undefined && final.url === home.url;
    if (isReadable(final) && !isFront) pages.push({ url, page: final, isCareers: true });
  });
  // Many careers pages link to a separate list of positions.
  const requested = new Set([...candidates, ...pages.map(({ page }) => page.url)]);
  const further = pages
    .filter(({ page, isCareers }) => isCareers && isCompany(hostOfUrl(page.url)))
    .flatMap(({ page }) => careersLinks(page, visit, isCompany))
    .find((url) => !requested.has(url));
  if (further) {
    const { final } = await visit.http(further, { accept: "text/html" });
    if (isReadable(final)) pages.push({ url: further, page: final, isCareers: true });
  }
  return pages;
}

/** Links on the company's hosts, shortest first: `/careers` before `/careers/stories/anna`. */
function careersLinks(page: HttpExchange, { domain }: Visit, isCompany: IsCompany): string[] {
  const links = hiringLinks(page, domain).flatMap(({ url, target, text }) => {
    const { hostname, pathname } = target;
    const address = hostname.replace(domain.name, "") + pathname;
    return url !== page.url &&
      isCompany(hostname) &&
      (CAREERS.test(address) || (text.length < 40 && CAREERS.test(words(text))))
      ? [url]
      : [];
  });
  return [...new Set(links)].sort((one, other) => one.length - other.length);
}
/** The links of a page that may be of use, which are asked for twice. */
function hiringLinks(page: HttpExchange, domain: Domain): readonly Link[] {
  const before = linksOf.get(page);
  if (before?.domain === domain.name) return before.links;
  const links = pageLinks(page, domain, hiringLink(page.url));
  linksOf.set(page, { domain: domain.name, links });
  return links;
}
const linksOf = new WeakMap<HttpExchange, { readonly domain: string; readonly links: readonly Link[] }>();

/** One of these is in every address or text that {@link CAREERS} or {@link TRACKING} matches. */
const HIRING =
  /career|job|vacan|karriere|stellenangebot|emploi|recrutement|empleo|carreira|lavora|werken|join|work|hiring|open|gh_|ashby_|lever-/i;
/** Characters that a parser takes as they are. */
const PLAIN = /^[!-$&-[\]-~]*$/;
/** Whether a link may be one to careers or to a posting, before it is parsed. */
const hiringLink = (base: string) =>
  HIRING.test(base)
    ? undefined
    : (href: string, label: string) =>
        HIRING.test(href) || !PLAIN.test(href) || HIRING.test(label.includes("'") ? label.replaceAll("'", "") : label);

const words = (text: string) => text.replaceAll("'", "").replaceAll(" ", "-");

function addressesIn(page: HttpExchange, { domain }: Visit, isCompany: IsCompany): string[] {
  const inCode: string[] = [];
  const kinds = new Set(["html.anchor", "html.frame", "html.script", "html.form"]);
  const loaded = pageSignals(page, domain).flatMap(({ kind, value }) => {
    if (kind === "html.inline") inCode.push(...(value.match(BOARD_ADDRESS) ?? []));
    return kinds.has(kind) && !isCompany(hostOfUrl(value)) ? [value] : [];
  });
  return [...loaded, ...inCode];
}

/** Query parameters of board vendors in links to postings on the company's pages. */
const TRACKING = /[?&](gh_jid|gh_src|ashby_jid|lever-origin|lever-source)(?:%5B%5D|\[\])?=/;

/** One link per tracking parameter. */
function trackedLinks(page: HttpExchange, { domain }: Visit): string[] {
  const marked = hiringLinks(page, domain).flatMap(({ url }): [string, string][] => {
    const mark = TRACKING.exec(url)?.[1];
    return mark ? [[mark, url]] : [];
  });
  return [...new Map(marked).values()];
}

/** A board's address in a script. */
const BOARD_ADDRESS =
  /https:\/\/(?:(?:job-)?boards(?:-api)?(?:\.eu)?\.greenhouse\.io|(?:jobs|api)(?:\.eu)?\.lever\.co|jobs\.ashbyhq\.com|apply\.workable\.com)\/[\w./?=&%-]{1,200}/g;

/** Hosts of recruiting software, whose addresses may not contain a word for jobs. */
const HIRING_HOST =
  /(?:^|\.)(?:adp\.com|applytojob\.com|ashbyhq\.com|bamboohr\.com|breezy\.hr|comeet\.(?:co|com)|dayforcehcm\.com|eightfold\.ai|freshteam\.com|greenhouse\.io|gem\.com|homerun\.co|icims\.com|jazz\.co|join\.com|lever\.co|oraclecloud\.com|paycomonline\.net|paylocity\.com|personio\.(?:com|de)|phenompeople\.com|pinpointhq\.com|recruitee\.com|rippling\.com|smartrecruiters\.com|successfactors\.(?:com|eu)|taleo\.net|teamtailor\.com|ukg\.com|ultipro\.com|workable\.com)$/;
const JOB_WORD =
  /(?:^|[^a-z])(?:jobs?|careers?|recruit\w{0,10}|hiring|talent|vacanc\w{1,4}|positions?|karriere|myworkdayjobs|jobvite)(?:[^a-z]|$)/i;

/** One of these is in every address that {@link JOB_WORD} matches, if nothing in it is encoded. */
const JOB_PART = /job|career|recruit|hiring|talent|vacanc|position|karriere|[^!-$&-~]/i;

function looksLikeJobs(address: string): boolean {
  if (!JOB_PART.test(address)) return false;
  const url = URL.parse(address);
  return url !== null && JOB_WORD.test(`${url.hostname}${url.pathname}`);
}
