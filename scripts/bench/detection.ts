import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import { loadBuiltInCatalogue } from "../../src/catalogue/packed.ts";
import { createLedger } from "../../src/detect/ledger.ts";
import { pageSignals } from "../../src/scanners/page-signals.ts";
import { parseDomain } from "../../src/vocabulary/domain.ts";
import type { HttpExchange } from "../../src/vocabulary/snapshot.ts";

const RUNS = 101;
const PAGE_BYTES = 300 * 1024;

/**
 * One page of 300 KB with headers, made up of real tags' shapes and filler: signals taken from it, and matched
 * against the whole catalogue. Also the time to load the catalogue. Targets: 5 ms to match, 50 ms to load.
 */
export function benchDetection(): void {
  const loads = measure(11, () => void loadBuiltInCatalogue());
  const catalogue = loadBuiltInCatalogue();
  const rules = [...catalogue.tools.values()].reduce((sum, tool) => sum + tool.rules.length, 0);
  const exchange = syntheticPage(catalogue);
  const domain = parseDomain("bench.example", ["example"]);
  const signals = pageSignals(exchange, domain);
  const match = () => {
    const ledger = createLedger(catalogue);
    for (const signal of signals) ledger.add("bench", signal);
    return ledger.detections();
  };
  console.log(`catalogue: ${catalogue.tools.size} tools, ${rules} rules`);
  console.log(
    `page: ${Math.round(exchange.body.length / 1024)} KiB, ${exchange.headers.length} headers, ${signals.length} signals, ${match().length} tools told`,
  );
  report("load the catalogue", loads);
  report(
    "take the signals",
    measure(RUNS, () => void pageSignals(exchange, domain)),
  );
  report(
    "match and merge",
    measure(RUNS, () => void match()),
  );
  report(
    "both",
    measure(RUNS, () => {
      const ledger = createLedger(catalogue);
      for (const signal of pageSignals(exchange, domain)) ledger.add("bench", signal);
      ledger.detections();
    }),
  );
}

/** Tags, inline loaders and headers of every eighth tool (its own proofs), in as much filler as makes 300 KB. */
function syntheticPage(catalogue: Catalogue): HttpExchange {
  const chosen = [...catalogue.tools.values()].filter((_, index) => index % 8 === 0).flatMap((tool) => tool.rules);
  const of = (kind: string) =>
    chosen.filter((rule) => rule.see === kind || (Array.isArray(rule.see) && rule.see.includes(kind)));
  const scripts = [...of("web"), ...of("html.script")].map(
    ({ hit }) => `<script async src="${hit.startsWith("http") ? hit : `https://${hit}`}"></script>`,
  );
  const inline = [...of("code"), ...of("html.inline")].map(
    ({ hit }) => `<script>(function(){${hit};var settings={id:"x",list:[1,2,3]};})();</script>`,
  );
  const headers = of("http.header").map(
    ({ hit }) => [hit.slice(0, hit.indexOf(":")), hit.slice(hit.indexOf(":") + 2)] as const,
  );
  const filler = `<section class="card card--wide" data-id="7"><h2>Plain words</h2><p>A paragraph of ordinary text that says nothing of any tool, with a <a href="/about/us">link</a>.</p><img src="/images/photo-12.webp" alt=""></section>\n`;
  const script = `<script>window.__state={"items":[${'{"name":"thing","price":12,"tags":["a","b"]},'.repeat(200)}]};</script>`;
  let body = `<!doctype html><html><head>${scripts.join("\n")}${inline.join("\n")}</head><body>${script.repeat(4)}`;
  while (body.length < PAGE_BYTES) body += filler;
  return {
    method: "GET",
    url: "https://bench.example/",
    status: "ok",
    code: 200,
    headers: [["content-type", "text/html"], ...headers],
    body: `${body}</body></html>`,
  };
}

function measure(runs: number, work: () => void): number[] {
  for (let warm = 0; warm < Math.min(20, runs); warm++) work();
  return Array.from({ length: runs }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  }).sort((a, b) => a - b);
}

function report(name: string, times: readonly number[]): void {
  const at = (part: number) => (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(2);
  console.log(`${name.padEnd(20)} median ${at(0.5)} ms   p95 ${at(0.95)} ms   (${times.length} runs)`);
}
