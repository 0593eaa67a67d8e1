import type { IntakeParts } from "../../src/casestudies/intake/context.ts";
import { createIntakeService, type IntakeService } from "../../src/casestudies/intake/service.ts";
import type { SubmissionPreview, SubmissionState } from "../../src/casestudies/intake/types.ts";
import type { ParseContext } from "../../src/casestudies/record.ts";
import type { Store } from "../../src/store.ts";

export interface FakeIntakeOptions {
  /** What a crawl tells; an Error is thrown in its place. */
  readonly steps?: readonly (CrawlStep | Error)[];
  /** Where work leads a submission that stands somewhere; from elsewhere it goes nowhere. */
  readonly leads?: Leads;
  /** Kinds of jobs that work gives up. */
  readonly givesUp?: readonly string[];
}
type CrawlStep = IntakeService["crawl"] extends (...asked: never[]) => AsyncGenerator<infer Step> ? Step : never;

type Leads = Readonly<Partial<Record<SubmissionState, SubmissionState>>>;

const LEADS: Leads = { waiting: "review", crawling: "available" };

export const HARBOURLINE = {
  company_name: "Harbourline",
  case_study_url: "https://harbourline.example/customers",
  contact_email: "ana@harbourline.example",
};

export const PREVIEW: SubmissionPreview = {
  listing_title: "Customers of Harbourline",
  listing_url: "https://harbourline.example/customers/",
  found: 12,
  samples: [
    { url: "https://harbourline.example/customers/kestrel", title: "Kestrel Bank", summary: "A bank moved." },
    { url: "https://harbourline.example/customers/ostra", title: null, summary: null },
  ],
  notes: ["The page lists its case studies on two pages."],
  looked_at: "2026-05-04T12:00:00.000Z",
};

const none = async (): Promise<never> => {
  throw new Error("this test reads no page");
};

/** Submissions, jobs, mails, corrections and companies over the real store; work that ends as soon as it begins. */
export function fakeIntake(
  store: Store,
  tools: ParseContext,
  clock: () => Date,
  { steps = [], leads = LEADS, givesUp = [] }: FakeIntakeOptions,
): IntakeService {
  const crawler: IntakeParts["crawler"] = {
    // biome-ignore lint/correctness/useYield: nothing comes home
    async *crawl() {
      throw new Error("this test reads no page");
    },
  };
  const intake = createIntakeService({
    intake: {
      ...{ store, tools, clock, crawler, extract: none, engine: { id: "local", structure: none } },
      ...{ wake() {}, changed() {}, limits: {}, recrawlDays: 0, approves: async () => false },
    },
    store,
    refusal: (url) => (new URL(url).hostname === "10.0.0.1" ? "This address must not be reached." : null),
    startRunner() {
      const working = (async () => {
        for (let job = await store.jobs.claim(givesUp, 60); job; job = await store.jobs.claim(givesUp, 60)) {
          await store.jobs.failed(job, "The page was empty.", { waitSeconds: 0, final: true });
        }
        for (const { id, state } of (await store.submissions.list({}, { limit: 100 })).submissions) {
          const next = leads[state];
          if (next === "review") await store.submissions.change(id, { preview: PREVIEW });
          if (next)
            await store.submissions.move(id, [state], next, next === "failed" ? { reason: "It was empty." } : {});
        }
      })();
      return { wake() {}, idle: () => working, stop: () => working };
    },
    industryOf: (text) => tools.industries.resolve(text),
    mailConfigured: false,
  });
  return {
    ...intake,
    async *crawl() {
      for (const step of steps) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  };
}
