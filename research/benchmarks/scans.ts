import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usageOf } from "../../scripts/campaign/process-usage.ts";
import { startService } from "../../scripts/campaign/running.ts";
import { openBox } from "../../test/box/box.ts";
import type { Company } from "../../test/box/company.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";

const CONCURRENCY = 16;
/** Each question costs the service a little. */
const POLL_MS = 1_000;

export interface ScanBench {
  /** Folder of saved pages, each of which many companies have as their home page. */
  readonly corpus: string;
  readonly domains: number;
  /** `light`: DNS and the home page. */
  readonly sources: "light" | "all";
}

/**
 * Scans a list by a service in a process of its own, in a simulated internet in this one: domains for each second of
 * processor time of the service and its readers, and DNS queries a scan. Prints their memory at each tenth of the list. Targets: 30 light scans, 3
 * full ones, and memory that does not grow with the list.
 */
export async function benchScans({ corpus, domains, sources }: ScanBench): Promise<string> {
  const files = (await readdir(corpus)).filter((name) => name.endsWith(".html")).sort();
  const pages = await Promise.all(files.map((name) => readFile(join(corpus, name), "utf8")));
  const companies = Array.from({ length: domains }, (_, at): Company => companyOf(at, pages[at % pages.length] ?? ""));
  const home = await mkdtemp(join(tmpdir(), "casefile-bench-scans-"));
  const box = await openBox({ companies });
  const flags = {
    ...(await flagsInto(box, join(home, "data"))),
    "accounts-monthly-limit": 1_000_000,
    "batch-concurrency": CONCURRENCY,
    "scan-concurrency": CONCURRENCY,
  };
  const service = await startService(flags, home);
  try {
    const issued = await fetch(`${service.url}/v1/keys`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ana@company.test" }),
    });
    const { api_key: key } = (await issued.json()) as { api_key: string };
    const ask = async (path: string, init: RequestInit = {}) =>
      (await (
        await fetch(`${service.url}/v1/enrich/batches${path}`, {
          ...init,
          // A busy service may close an idle connection while the next request is sent.
          headers: { "x-api-key": key, "content-type": "text/csv", connection: "close" },
        })
      ).json()) as { id: string; state: string; progress: { done: number; failed: Record<string, number> } };
    const before = await usageOf(service.pid);
    const body = companies.map(({ domain }) => domain).join("\n");
    const { id } = await ask(sources === "light" ? "?sources=light" : "", { method: "POST", body });
    const started = performance.now();
    let next = domains / 10;
    for (;;) {
      const { state, progress } = await ask(`/${id}`);
      if (progress.done >= next) {
        next += domains / 10;
        const { resident, ownResident } = await usageOf(service.pid);
        const seconds = ((performance.now() - started) / 1_000).toFixed(0);
        console.log(
          `${progress.done} scans, ${seconds} s: service ${mib(ownResident)}, readers ${mib(resident - ownResident)}`,
        );
      }
      if (state === "done") {
        const after = await usageOf(service.pid);
        const seconds = after.seconds - before.seconds;
        const failed = Object.values(progress.failed).reduce((sum, count) => sum + count, 0);
        const queries = Math.round(box.hits.filter(({ kind }) => kind === "dns").length / domains);
        return `${progress.done} ${sources} scans, ${failed} failed: ${(domains / seconds).toFixed(1)} for each second of one core (service ${(after.own - before.own).toFixed(1)} s, readers ${(seconds - after.own + before.own).toFixed(1)} s, ${((performance.now() - started) / 1_000).toFixed(0)} s by the clock); ${queries} DNS queries a scan; ${mib(after.resident)} at the end`;
      }
      await Bun.sleep(POLL_MS);
    }
  } finally {
    await service.end("SIGTERM");
    await box.close();
    await rm(home, { recursive: true, force: true });
  }
}

const mib = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`;

const MX = ["1 aspmx.l.google.com", "0 acme.mail.protection.outlook.com", "10 mx.zoho.com"];

function companyOf(at: number, page: string): Company {
  const domain = `company-${at}.test`;
  return {
    domain,
    records: {
      "": { MX: MX[at % MX.length] ?? "", TXT: ["v=spf1 include:_spf.google.com -all", `stripe-verification=${at}`] },
      _dmarc: { TXT: "v=DMARC1; p=reject" },
    },
    pages: { "/": { redirect: `https://www.${domain}/` }, "www/": page },
  };
}
