import { createExtractor } from "../../src/casestudies/extract/extractor.ts";
import { createIntakeService, type IntakeService } from "../../src/casestudies/intake/service.ts";
import type { SubmissionPreview, SubmissionState } from "../../src/casestudies/intake/types.ts";
import type { ParseContext } from "../../src/casestudies/record.ts";
import { createLocalEngine } from "../../src/casestudies/structure/local-engine.ts";
import type { JobService } from "../../src/jobs/service.ts";
import type { OptOuts } from "../../src/net/opt-outs.ts";
import { createPolicy } from "../../src/net/policy.ts";
import type { Store } from "../../src/store.ts";

export interface FakeIntakeOptions {
  /** Events of a crawl; an Error is thrown. */
  readonly steps?: readonly (CrawlStep | Error)[];
  /** The next state of a submission by its state; other states do not change. */
  readonly leads?: Leads;
  /** Kinds of jobs that fail. */
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

const noNetwork = async (): Promise<never> => {
  throw new Error("this test reads no page");
};

/** The real intake service over the real database, with a fake worker that advances submissions at once. */
export function fakeIntake(
  store: Store,
  parseContext: ParseContext,
  clock: () => Date,
  optOuts: OptOuts,
  { steps = [], leads = LEADS, givesUp = [] }: FakeIntakeOptions,
): IntakeService & Pick<JobService, "startWorker"> {
  const engine = createLocalEngine({ ...parseContext, toolNames: [{ name: "PipeDock", aliases: [] }] });
  const intake = createIntakeService({
    ...store,
    optOuts,
    parseContext,
    clock,
    client: {
      http: noNetwork,
      dns: noNetwork,
      policy: {
        ...createPolicy({ allowCidrs: [], extraPorts: [] }),
        refusal: (url) => (new URL(url).hostname === "10.0.0.1" ? "This address must not be reached." : null),
      },
    },
    crawlLimits: {},
    recrawlDays: 0,
    autoApprove: false,
    extractor: createExtractor(false),
    engine,
    localEngine: engine,
    mailer: undefined,
    wakeWorker() {},
    onChange() {},
  });
  return {
    ...intake,
    startWorker() {
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
      return { stop: () => working };
    },
    async *crawl() {
      for (const step of steps) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  };
}
