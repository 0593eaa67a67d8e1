import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { openBox } from "../../test/box/box.ts";
import type { Company, Fault, WebFault, World } from "../../test/box/company.ts";
import { HOSTILE_PAGES } from "./hostile-pages.ts";
import type { CampaignPart } from "./part.ts";
import { type AttackedService, percentile, startAttackedService, startIdleServer, startProbe } from "./service.ts";

/** Scans at a time; the service allows as many. */
const SCANS = 10;
/** Milliseconds of `scan.deadline_ms`, and how much later a scan may answer on a busy machine. */
const DEADLINE_MS = 15_000;
const LATE_MS = 5_000;
/**
 * Milliseconds of the 99th percentile of `/healthz`, beyond that of an idle server on the same busy machine. The short form
 * runs on machines of unknown speed, and finds what blocks the service: a page of quadratic cost takes seconds.
 */
const STALL_MS = { full: 50, short: 400 } as const;
/**
 * Mebibytes, as docs/operations.md states them: 150 of the service, and 70 for each scan. The runtime returns memory when it
 * has time, so on a slow machine the short form allows more; one bomb that is not bounded takes 512.
 */
const SERVICE_MIB = { full: 150 + SCANS * 70, short: 350 + SCANS * 90 } as const;
/** One reader of case study pages, and up to four of scanned pages. */
const READERS_MIB = 512 + 4 * 640;
const SUBMITTED_MS = 240_000;

const MIB = 1_048_576;
const COMPRESSED = { "content-type": "text/html", "content-encoding": "gzip" };

/** Bodies that are small on the wire. */
const bombs = (): Readonly<Record<string, { body: Uint8Array; headers: Record<string, string> }>> => {
  const tags = Buffer.alloc(512 * MIB, '<script src="/wp-content/plugins/a/b.js"></script>');
  const gzip = gzipSync(tags, { level: 9 });
  return {
    "gzip bomb": { body: gzip, headers: COMPRESSED },
    "brotli bomb": {
      body: brotliCompressSync(tags, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
      headers: { ...COMPRESSED, "content-encoding": "br" },
    },
    "bomb in a bomb": {
      body: gzipSync(gzip, { level: 9 }),
      headers: { ...COMPRESSED, "content-encoding": "gzip, gzip" },
    },
    "truncated bomb": { body: gzip.subarray(0, gzip.length - 20), headers: COMPRESSED },
  };
};

const FAULTS: readonly WebFault[] = ["hang", "drip", "reset", "garbage", "endless", "bomb", "header-flood", "slow-tls"];

const slug = (name: string) => name.replaceAll(/[^a-z0-9]+/g, "-");

function pdf(content: Buffer, filter: string): Uint8Array {
  const head = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>>endobj
4 0 obj<</Length ${content.length}/Filter${filter}>>stream
`;
  const tail = "\nendstream endobj 5 0 obj<</Title(A client story)>>endobj trailer<</Root 1 0 R/Info 5 0 R>>";
  return new Uint8Array(Buffer.concat([Buffer.from(head), content, Buffer.from(tail)]));
}

/** PDFs of up to 2 MB that inflate to a gibibyte of drawing or of text. */
function pdfBombs(mebibytes: number): Readonly<Record<string, Uint8Array>> {
  const drawing = deflateSync(Buffer.alloc(mebibytes * MIB, "1 0 0 1 0 0 cm "), { level: 9 });
  const text = deflateSync(Buffer.alloc((mebibytes / 2) * MIB, "BT /F1 9 Tf 9 9 Td (client story) Tj ET "), {
    level: 9,
  });
  return {
    drawing: pdf(drawing, "/FlateDecode"),
    text: pdf(text, "/FlateDecode"),
    twice: pdf(deflateSync(drawing, { level: 9 }), "[/FlateDecode/FlateDecode]"),
    "open arrays": pdf(deflateSync(Buffer.alloc(64 * MIB, "[")), "/FlateDecode"),
  };
}

interface Attack {
  readonly world: World;
  readonly scanned: readonly string[];
  readonly submitted: readonly string[];
}

function prepare(short: boolean): Attack {
  const names = Object.keys(HOSTILE_PAGES).filter((_, at) => !short || at % 5 === 0);
  const pages: Company[] = names.map((name) => {
    const body = HOSTILE_PAGES[name]?.() ?? "";
    return { domain: `${slug(name)}.test`, pages: { "/": body, "www/": body, "/*": body } };
  });
  const packed: Company[] = Object.entries(bombs()).map(([name, page]) => ({
    domain: `${slug(name)}.test`,
    pages: { "/": page, "www/": page, "/*": page },
  }));
  const broken: Company[] = FAULTS.map((fault) => ({ domain: `${fault}.test`, pages: { "/": "", "www/": "" } }));
  const faults: Fault[] = FAULTS.flatMap((fault) =>
    [`${fault}.test`, `www.${fault}.test`].map((host) => ({ host, fault })),
  );
  const redirects: Company = {
    domain: "redirects.test",
    pages: {
      "/": { redirect: "/a" },
      "/a": { redirect: "https://www.redirects.test/" },
      "www/": { redirect: "https://redirects.test/" },
    },
  };
  const files = Object.entries(pdfBombs(short ? 256 : 1_024));
  const vendors: Company[] = files.map(([name, body]) => ({
    domain: `vendor-${slug(name)}.test`,
    pages: {
      "/customers": ["pine", "oak", "elm"]
        .map((client) => `<a href="/customers/${client}.pdf">How ${client} uses it</a>`)
        .join("<br>"),
      "/customers/*": { body, headers: { "content-type": "application/pdf" } },
    },
  }));
  const honest: Company = {
    domain: "honest.test",
    pages: { "/": '<title>Honest</title><script src="https://js.hs-scripts.com/1.js"></script>' },
  };
  return {
    world: { companies: [...pages, ...packed, ...broken, redirects, ...vendors, honest], faults },
    scanned: [...pages, ...packed, ...broken, redirects].map(({ domain }) => domain),
    submitted: vendors.map(({ domain }) => domain),
  };
}

/** Hostile servers and files against a service: it answers, in bounded memory, and loses only what is hostile. */
export const hostile: CampaignPart = {
  name: "hostile",
  about: "Hostile servers, pages, bodies and PDFs delay no request, end no process and take bounded memory.",
  async run({ short, onProgress }) {
    const form = short ? "short" : "full";
    const { world, scanned, submitted } = prepare(short);
    const box = await openBox(world);
    const service = await startAttackedService(box, {
      "scan-concurrency": String(2 * SCANS),
      "accounts-keyless-per-hour": "100000",
      "jobs-concurrency": "2",
    });
    const idle = await startIdleServer();
    const faults: string[] = [];
    try {
      const key = await newKey(service);
      const control = startProbe(idle.url);
      const probe = startProbe(`${service.url}/healthz`);
      const scans = await scanAll(service, key, scanned, onProgress);
      faults.push(...scans.faults);
      const during = await probe.stop();
      const [calm, busy] = [percentile(await control.stop(), 0.99), percentile(during, 0.99)];
      if (busy > STALL_MS[form] + calm) faults.push(`/healthz took ${busy} ms (p99), an idle server ${calm} ms`);
      const afterScans = service.peak();
      onProgress(`scans: /healthz p99 ${busy} ms, an idle server ${calm} ms; peak ${afterScans.service} MiB`);

      const submissions = await submitAll(service, submitted, short ? 1 : 3);
      faults.push(...submissions.faults);
      const after = await honestScan(service, key);
      if (after !== null) faults.push(after);
      const peak = service.peak();
      if (!service.isAlive()) faults.push("the service ended");
      const [allowed, allowedOfAll] = [SERVICE_MIB[form], SERVICE_MIB[form] + READERS_MIB];
      if (peak.service > allowed) faults.push(`the service took ${peak.service} MiB, more than ${allowed}`);
      if (peak.all > allowedOfAll)
        faults.push(`the service and its readers took ${peak.all} MiB, more than ${allowedOfAll}`);
      return {
        figures: {
          scans: scanned.length,
          ended_scan_processes: scans.ended,
          slowest_scan_ms: scans.slowest,
          idle_server_p99_ms: calm,
          healthz_p99_ms: busy,
          healthz_longest_ms: percentile(during, 1),
          submissions: submissions.count,
          ended_readers: submissions.reported,
          service_after_scans_mib: afterScans.service,
          service_mib: peak.service,
          all_mib: peak.all,
        },
        faults,
        skipped: null,
      };
    } finally {
      idle.stop();
      await service.stop();
      await box.close();
    }
  },
};

async function newKey(service: AttackedService): Promise<string> {
  const answer = await service.post("/v1/keys", { email: "someone@honest.test" });
  return String(((await answer.json()) as { api_key: string }).api_key);
}

const scan = ({ url }: AttackedService, key: string, domain: string) =>
  fetch(`${url}/v1/enrich/${domain}?max_age=0`, { headers: { "x-api-key": key } }).catch(() => undefined);

async function scanAll(
  service: AttackedService,
  key: string,
  domains: readonly string[],
  onProgress: (line: string) => void,
) {
  const faults: string[] = [];
  let slowest = 0;
  const queue = domains.values();
  const work = async () => {
    for (const domain of queue) {
      const started = performance.now();
      const answer = await scan(service, key, domain);
      const ms = Math.round(performance.now() - started);
      slowest = Math.max(slowest, ms);
      await answer?.text();
      // A scan that lost its process and found no time for a second attempt is refused, and the client may try again.
      const isRefused = answer?.status === 503 && answer.headers.has("retry-after");
      if (isRefused) onProgress(`${domain}: 503`);
      if (answer?.status !== 200 && !isRefused)
        faults.push(`the scan of ${domain} answered ${answer?.status ?? "nothing"}`);
      if (ms > DEADLINE_MS + LATE_MS) faults.push(`the scan of ${domain} took ${ms} ms`);
      if (ms > DEADLINE_MS / 2) onProgress(`${domain}: ${ms} ms`);
    }
  };
  await Promise.all(Array.from({ length: SCANS }, work));
  const failed = service.log().filter(({ msg }) => msg === "scanner failed");
  // A process that reached its limits is what the limits are for: its scans are run again, each alone.
  const bugs = failed.filter(
    ({ source, err }) => source !== "scan process" && !JSON.stringify(err).includes("Out of memory"),
  );
  faults.push(
    ...bugs
      .slice(0, 5)
      .map(({ source, err }) => `scanner ${String(source)} failed: ${JSON.stringify(err).slice(0, 300)}`),
  );
  return { faults, slowest, ended: failed.length - bugs.length };
}

async function honestScan(service: AttackedService, key: string): Promise<string | null> {
  const answer = await scan(service, key, "honest.test");
  const text = (await answer?.text()) ?? "";
  return text.includes("HubSpot")
    ? null
    : `an honest scan afterwards answered ${answer?.status}: ${text.slice(0, 200)}`;
}

/** Submits each vendor several times, and waits until no preview is under way. */
async function submitAll(service: AttackedService, domains: readonly string[], times: number) {
  const faults: string[] = [];
  let count = 0;
  for (let round = 0; round < times; round++) {
    for (const domain of domains) {
      const answer = await service.post("/v1/submit", {
        company_name: `Vendor ${count}`,
        case_study_url: `https://${domain}/customers?${count}`,
        contact_email: `someone@elsewhere${count}.test`,
      });
      if (answer.status >= 300) faults.push(`a submission answered ${answer.status}: ${await answer.text()}`);
      count += 1;
    }
  }
  const waiting = async () => {
    const answer = await fetch(`${service.url}/admin/submissions?state=waiting`, {
      headers: { authorization: `Bearer ${service.operatorToken}` },
    });
    return Number(((await answer.json()) as { total: number }).total);
  };
  const limit = performance.now() + SUBMITTED_MS;
  while (service.isAlive() && (await waiting()) > 0) {
    if (performance.now() > limit) {
      faults.push("previews of hostile files still wait");
      break;
    }
    await Bun.sleep(200);
  }
  const jobs = await fetch(`${service.url}/admin/jobs?state=dead`, {
    headers: { authorization: `Bearer ${service.operatorToken}` },
  });
  const dead = ((await jobs.json()) as { jobs: readonly { attempts: number; last_error: string }[] }).jobs;
  for (const { attempts, last_error } of dead) {
    if (attempts > 1) faults.push(`a hostile file was read ${attempts} times: ${last_error}`);
  }
  return { faults, count, reported: dead.length };
}
