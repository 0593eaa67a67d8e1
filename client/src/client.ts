import { dataOf } from "./events.ts";
import { CasefileProblem } from "./problem.ts";
import { type CaseStudyWithClaim, type Company, OPERATIONS, type operations, type StreamEvent } from "./schema.ts";
import { pause, reach, type SendOptions, send } from "./send.ts";

export interface ClientOptions extends Partial<SendOptions> {
  /** URL of the service, such as `http://127.0.0.1:7171`. */
  readonly baseUrl: string;
  /** Not needed for `issueKey`, `submitCaseStudies` and `getStats`. */
  readonly apiKey?: string | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

type Id = keyof operations;
/** JSON where an operation has several types: the client asks for no files. */
type Content<Message> = Message extends { readonly content: infer Media }
  ? Media extends { readonly "application/json": infer Json }
    ? Json
    : Media[keyof Media]
  : never;
type Answer<I extends Id> = Promise<Content<operations[I]["responses"][keyof operations[I]["responses"]]>>;
type Body<I extends Id> = OrUndefined<Content<operations[I]["requestBody"]>>;
type Query<I extends Id> = OrUndefined<operations[I]["parameters"]["query"]> & CallOptions;
/** Of an operation that also returns files. */
type PageOf<I extends Id> = { readonly [Name in keyof Query<I> as Exclude<Name, "format">]: Query<I>[Name] };
/** What is optional may also be undefined, and is not sent then. */
type OrUndefined<Input> = {
  readonly [Name in keyof Input]: object extends Pick<Input, Name> ? Input[Name] | undefined : Input[Name];
};

/** The response of `/readyz`. */
export interface Readiness {
  readonly ready: boolean;
  /** Why it is not ready. */
  readonly reason: string | null;
  /** Problems that the operator should know although the service works. */
  readonly alarms: readonly string[];
}

/** Every operation of `/v1`, by its operation id. All throw CasefileProblem for error responses. */
export interface Client {
  /** The tools of a company. */
  enrich(domain: string, query?: Query<"enrich">): Answer<"enrich">;
  /** The same as events during the scan; the last one has `done: true`. Leaving the loop stops the scan. */
  enrichStream(domain: string, query?: Query<"enrichStream">): AsyncGenerator<StreamEvent, void, undefined>;
  /**
   * Scans a list of domains in the background.
   *
   * @param options a repeated `idempotencyKey` starts nothing and returns the batch that has it
   */
  createBatch(
    body: Body<"createBatch">,
    options?: Query<"createBatch"> & { readonly idempotencyKey?: string | undefined },
  ): Answer<"createBatch">;
  listBatches(query?: Query<"listBatches">): Answer<"listBatches">;
  getBatch(id: string, options?: CallOptions): Answer<"getBatch">;
  batchResults(id: string, query?: PageOf<"batchResults">): Answer<"batchResults">;
  pauseBatch(id: string, options?: CallOptions): Answer<"pauseBatch">;
  resumeBatch(id: string, options?: CallOptions): Answer<"resumeBatch">;
  cancelBatch(id: string, options?: CallOptions): Answer<"cancelBatch">;
  /** Scans the domains that failed again. */
  retryBatch(id: string, options?: CallOptions): Answer<"retryBatch">;
  /** Since when a company uses each tool, and what changed. */
  getHistory(domain: string, query?: Query<"getHistory">): Answer<"getHistory">;
  listTools(query?: Query<"listTools">): Answer<"listTools">;
  getTool(tool: string, options?: CallOptions): Answer<"getTool">;
  listToolCompanies(tool: string, query?: PageOf<"listToolCompanies">): Answer<"listToolCompanies">;
  listDomains(query?: PageOf<"listDomains">): Answer<"listDomains">;
  searchDomains(body: Body<"searchDomains">, options?: CallOptions): Answer<"searchDomains">;
  listCaseStudies(query?: Query<"listCaseStudies">): Answer<"listCaseStudies">;
  /** Iterates over all pages. Each page counts as a request. */
  eachCaseStudy(query?: Query<"listCaseStudies">): AsyncGenerator<CaseStudyWithClaim, void, undefined>;
  getCaseStudy(id: string, query?: Query<"getCaseStudy">): Answer<"getCaseStudy">;
  searchCaseStudies(body: Body<"searchCaseStudies">, options?: CallOptions): Answer<"searchCaseStudies">;
  answerFromCaseStudies(body: Body<"answerFromCaseStudies">, options?: CallOptions): Answer<"answerFromCaseStudies">;
  searchCaseStudiesBatch(body: Body<"searchCaseStudiesBatch">, options?: CallOptions): Answer<"searchCaseStudiesBatch">;
  /** The fields of a case study from a page that you send; nothing is stored. */
  readCaseStudy(body: Body<"readCaseStudy">, options?: CallOptions): Answer<"readCaseStudy">;
  listIndustries(options?: CallOptions): Answer<"listIndustries">;
  findCompanies(query?: Query<"findCompanies">): Answer<"findCompanies">;
  /** Iterates over all pages. Each page counts as a request. */
  eachCompany(query?: Query<"findCompanies">): AsyncGenerator<Company, void, undefined>;
  getCompany(slug: string, query?: Query<"getCompany">): Answer<"getCompany">;
  analyseCompany(slug: string, options?: CallOptions): Answer<"analyseCompany">;
  companyTimeline(slug: string, options?: CallOptions): Answer<"companyTimeline">;
  compareCompanies(body: Body<"compareCompanies">, options?: CallOptions): Answer<"compareCompanies">;
  /** The vendor's rivals, and whose clients are seen using whose tools. */
  listRivals(slug: string, options?: CallOptions): Answer<"listRivals">;
  /** The case studies that would convince a company, with the reasons. */
  findProof(domain: string, body?: Body<"findProof">, options?: CallOptions): Answer<"findProof">;
  /** The brief as JSON. */
  getBrief(domain: string, query?: Omit<Query<"getBrief">, "format">): Answer<"getBrief">;
  listGaps(domain: string, query?: Query<"listGaps">): Answer<"listGaps">;
  issueKey(body: Body<"issueKey">, options?: CallOptions): Answer<"issueKey">;
  /** The key of this client stops working. */
  rotateKey(options?: CallOptions): Answer<"rotateKey">;
  submitCaseStudies(body: Body<"submitCaseStudies">, options?: CallOptions): Answer<"submitCaseStudies">;
  getStats(options?: CallOptions): Answer<"getStats">;
  /**
   * Whether the service can handle requests; a service that is not ready is a result, not an error. Not retried.
   *
   * @throws CasefileProblem when there is no service; the reason of the signal
   */
  readiness(options?: CallOptions): Promise<Readiness>;
}

/**
 * A client of one service. By default, a request that gets 429 or 503 is retried twice, each time after the seconds of
 * `Retry-After`; it is not retried if those are more than 60.
 */
export function createClient({
  baseUrl,
  apiKey,
  fetch = (url, init) => globalThis.fetch(url, init),
  retries = 2,
  mostWaitSeconds = 60,
  wait = pause,
}: ClientOptions): Client {
  const base = baseUrl.replace(/\/+$/, "");
  const sending: SendOptions = { fetch, retries, mostWaitSeconds, wait };

  const request = (id: Id, asked: Asked): Promise<Response> => {
    const { method, path } = OPERATIONS[id];
    const { signal, ...query } = asked.query ?? {};
    const filled = path.replace(/\{\w+\}/, () => encodeURIComponent(asked.place ?? ""));
    const init = {
      method,
      headers: {
        accept: id === "enrichStream" ? "text/event-stream" : "application/json",
        ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
        ...(asked.body === undefined ? {} : { "content-type": "application/json" }),
        ...(asked.idempotencyKey === undefined ? {} : { "idempotency-key": asked.idempotencyKey }),
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    };
    return send(`${base}${filled}${searchOf(query)}`, init, asked.signal ?? signal, sending);
  };
  // A contract test of the service makes sure that responses match these types.
  const call = async <I extends Id>(id: I, asked: Asked): Answer<I> =>
    JSON.parse(await (await request(id, asked)).text());

  async function* enrichStream(domain: string, query?: Query<"enrichStream">) {
    const { body } = await request("enrichStream", { place: domain, query });
    let done = false;
    for await (const data of dataOf(body ?? new ReadableStream({ start: (empty) => empty.close() }))) {
      const event: StreamEvent = JSON.parse(data);
      done ||= event.done;
      yield event;
    }
    if (!done)
      throw new CasefileProblem(200, "stream.cut", "The stream ended before the scan was complete. Try again.");
  }

  async function* pages<Page extends { readonly next_cursor: string | null }>(ask: (cursor: object) => Promise<Page>) {
    let cursor: string | null = null;
    do {
      const page: Page = await ask(cursor === null ? {} : { cursor });
      yield page;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  const client: Client = {
    enrich: (domain, query) => call("enrich", { place: domain, query }),
    enrichStream,
    createBatch: (body, { idempotencyKey, ...query } = {}) => call("createBatch", { body, query, idempotencyKey }),
    listBatches: (query) => call("listBatches", { query }),
    getBatch: (id, options) => call("getBatch", { place: id, ...options }),
    batchResults: (id, query) => call("batchResults", { place: id, query }),
    pauseBatch: (id, options) => call("pauseBatch", { place: id, ...options }),
    resumeBatch: (id, options) => call("resumeBatch", { place: id, ...options }),
    cancelBatch: (id, options) => call("cancelBatch", { place: id, ...options }),
    retryBatch: (id, options) => call("retryBatch", { place: id, ...options }),
    getHistory: (domain, query) => call("getHistory", { place: domain, query }),
    listTools: (query) => call("listTools", { query }),
    getTool: (tool, options) => call("getTool", { place: tool, ...options }),
    listToolCompanies: (tool, query) => call("listToolCompanies", { place: tool, query }),
    listDomains: (query) => call("listDomains", { query }),
    searchDomains: (body, options) => call("searchDomains", { body, ...options }),
    listCaseStudies: (query) => call("listCaseStudies", { query }),
    async *eachCaseStudy(query) {
      for await (const page of pages((cursor) => client.listCaseStudies({ limit: 100, ...query, ...cursor }))) {
        yield* page.case_studies;
      }
    },
    getCaseStudy: (id, query) => call("getCaseStudy", { place: id, query }),
    searchCaseStudies: (body, options) => call("searchCaseStudies", { body, ...options }),
    answerFromCaseStudies: (body, options) => call("answerFromCaseStudies", { body, ...options }),
    searchCaseStudiesBatch: (body, options) => call("searchCaseStudiesBatch", { body, ...options }),
    readCaseStudy: (body, options) => call("readCaseStudy", { body, ...options }),
    listIndustries: (options) => call("listIndustries", { ...options }),
    findCompanies: (query) => call("findCompanies", { query }),
    async *eachCompany(query) {
      for await (const page of pages((cursor) => client.findCompanies({ limit: 100, ...query, ...cursor }))) {
        yield* page.companies;
      }
    },
    getCompany: (slug, query) => call("getCompany", { place: slug, query }),
    analyseCompany: (slug, options) => call("analyseCompany", { place: slug, ...options }),
    companyTimeline: (slug, options) => call("companyTimeline", { place: slug, ...options }),
    compareCompanies: (body, options) => call("compareCompanies", { body, ...options }),
    listRivals: (slug, options) => call("listRivals", { place: slug, ...options }),
    findProof: (domain, body = {}, options) => call("findProof", { place: domain, body, ...options }),
    getBrief: (domain, query) => call("getBrief", { place: domain, query }),
    listGaps: (domain, query) => call("listGaps", { place: domain, query }),
    issueKey: (body, options) => call("issueKey", { body, ...options }),
    rotateKey: (options) => call("rotateKey", { ...options }),
    submitCaseStudies: (body, options) => call("submitCaseStudies", { body, ...options }),
    getStats: (options) => call("getStats", { ...options }),
    async readiness({ signal } = {}) {
      const response = await reach(`${base}/readyz`, {}, signal, fetch);
      const text = await response.text();
      const body = text.startsWith('{"status":"') ? JSON.parse(text) : undefined;
      if (body === undefined || !/^(?:not )?ready$/.test(body.status))
        throw new CasefileProblem(response.status, "server.unreachable", `${base} does not respond as Casefile does.`);
      return { ready: response.ok, reason: body.reason, alarms: body.alarms };
    },
  };
  return client;
}

interface Asked {
  /** Value of the parameter in the path. */
  readonly place?: string;
  readonly query?: CallOptions | undefined;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search === "" ? "" : `?${search}`;
}
