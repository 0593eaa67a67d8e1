import { readMarkdown } from "../../src/casestudies/text/markdown.ts";
import type { Services } from "../../src/compose.ts";
import type { Brief } from "../../src/prospects/brief.ts";
import type { BriefSource } from "../../src/prospects/brief-sections.ts";

export interface BriefFigures {
  readonly briefs: number;
  readonly companies: number;
  readonly statements: number;
  readonly quotes: number;
  readonly numbers: number;
  /** Statements whose quote or number is not in the stored record that they name, read again. */
  readonly unsupported: number;
  /** Statements that the program's own check omitted. */
  readonly dropped: number;
}

/**
 * Writes briefs about recorded companies for each vendor in turn, and checks every statement against records that are
 * read from the store again. The check is simpler than the program's and shares no code with it.
 */
export async function checkBriefs(app: Services, most: number): Promise<BriefFigures> {
  const domains = await app.detection.recordedDomains();
  const { companies } = await app.companies.find({}, { limit: 100 });
  const vendors = companies.map(({ slug }) => slug);
  const industries = (await app.caseStudies.listIndustries()).flatMap(({ slug }) => slug ?? []);
  const counts = {
    briefs: 0,
    companies: domains.length,
    statements: 0,
    quotes: 0,
    numbers: 0,
    unsupported: 0,
    dropped: 0,
  };
  const stored = createStoredTexts(app);
  for (let at = 0; at < most; at += 1) {
    const domain = domains[at % domains.length] ?? "";
    // Every third brief compares all vendors, and every second one has an industry.
    const vendor = at % 3 === 0 ? undefined : vendors[at % vendors.length];
    const industry = at % 2 === 0 ? industries[at % industries.length] : undefined;
    const brief = await app.prospects.brief(domain, { vendor, industry });
    counts.briefs += 1;
    counts.dropped += brief.dropped;
    await count(brief, stored, counts);
    if (counts.briefs % 100 === 0) console.log(`${counts.briefs} briefs`);
  }
  console.log(counts);
  return counts;
}

type Counts = { -readonly [Name in keyof BriefFigures]: BriefFigures[Name] };
type StoredTexts = ReturnType<typeof createStoredTexts>;

async function count(brief: Brief, stored: StoredTexts, counts: Counts): Promise<void> {
  const sources = new Map(brief.sources.map((source) => [source.number, source]));
  for (const { text, quote, sources: numbers } of brief.sections.flatMap(({ groups }) =>
    groups.flatMap(({ statements }) => statements),
  )) {
    const texts = await Promise.all(
      numbers.map(async (number) => {
        const source = sources.get(number);
        return source ? await stored.of(brief.prospect.domain, source) : "";
      }),
    );
    const all = oneLine(texts.join("\n"));
    const figures = text.match(/\d+/g) ?? [];
    const isQuoted = quote === null || all.includes(oneLine(quote));
    const isCounted = figures.every((figure) => new RegExp(`(?<!\\d)${figure}(?!\\d)`).test(all));
    counts.statements += 1;
    counts.quotes += Number(quote !== null);
    counts.numbers += figures.length;
    if (isQuoted && isCounted && numbers.length > 0) continue;
    counts.unsupported += 1;
    console.log(`${brief.prospect.domain}: ${text} ${quote ?? ""}`);
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, " ");

/** What the store has of a source: the whole case study, or the whole report. */
function createStoredTexts(app: Services) {
  const studies = new Map<string, Promise<string>>();
  const reports = new Map<string, Promise<string>>();
  const studyText = async (id: string) => {
    const { study, body } = await app.caseStudies.getDetail(id);
    const texts: string[] = [];
    JSON.stringify(study, (_, value) => {
      if (typeof value === "string" || typeof value === "number") texts.push(String(value));
      return value;
    });
    return [...texts, ...readMarkdown(body ?? "").map(({ text }) => text)].join("\n");
  };
  const reportText = async (domain: string) => {
    const [report, history] = await Promise.all([app.detection.stored(domain), app.stack.history(domain)]);
    const days = (value: unknown) => JSON.stringify(value).replace(/T\d\d:\d\d:\d\d(\.\d+)?Z/g, " ");
    const used = history.tools.filter(({ state }) => state !== "gone").length;
    return [
      days(report?.detections),
      days(history),
      days(report?.scanned_at),
      countsUpTo(Math.max(used, report?.detections.length ?? 0)),
    ].join("\n");
  };
  return {
    of(domain: string, { kind, case_study_id: id, text }: BriefSource): Promise<string> | string {
      const known = <T>(map: Map<string, Promise<T>>, key: string, read: (key: string) => Promise<T>) => {
        const value = map.get(key) ?? read(key);
        map.set(key, value);
        return value;
      };
      if (id !== null) return known(studies, id, studyText);
      return kind === "scan" || kind === "history" ? known(reports, domain, reportText) : text;
    },
  };
}

/** The number of tools is no field of the record: it is at most that of the detections. */
const countsUpTo = (most: number) => Array.from({ length: most + 1 }, (_, at) => at).join(" ");
