import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { type Service, startService } from "../../test/console/running.ts";
import type { CampaignPart } from "./part.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** The attacker's host name, which the browser resolves to this machine. */
const EVIL = "evil.example";
/** What a foreign page may read: that it is refused. */
const REFUSED = /problem:(?:host|origin)\.refused/;

/** One request of an attacking page. */
interface Attempt {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const JSON_TYPE = { "content-type": "application/json" };
const attempt = (path: string, body: unknown = null, headers: Attempt["headers"] = JSON_TYPE): Attempt => ({
  path,
  method: body === null ? "GET" : "POST",
  headers: body === null ? {} : headers,
  body: body === null ? null : JSON.stringify(body),
});

/** Requests that need no credentials, and some that show whether credentials could be obtained. */
const ATTEMPTS: readonly Attempt[] = [
  ...["/", "/healthz", "/readyz", "/metrics", "/docs", "/openapi.json", "/v1/stats", "/v1/casestudies"].map((path) =>
    attempt(path),
  ),
  ...["/console/start", "/console/session", "/console/lookup/harbourline.example"].map((path) => attempt(path)),
  attempt("/v1/keys", { email: "mallory@evil.example" }),
  attempt("/v1/keys", { email: "mallory@evil.example" }, { "content-type": "text/plain" }),
  attempt("/v1/submit", {
    company_name: "Evil",
    case_study_url: "https://tidewell.test/customers",
    contact_email: "mallory@evil.example",
  }),
  attempt("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  attempt("/console/session", {}, { "x-casefile-console": "1", authorization: "Bearer cf_operator_guess" }),
];

const READS = ATTEMPTS.filter(({ method }) => method === "GET");

/**
 * Runs in the page: sends every attempt as a script with and without CORS, as an embedded document, as a form and as a
 * beacon, and returns the texts that the page could read. A browser may never report the end of a blocked document.
 */
const ATTACK = `async ({ to, attempts }) => {
  const texts = [];
  const within = (work) => Promise.race([work, new Promise((done) => setTimeout(done, 1000, ""))]);
  const loaded = (frame) => new Promise((done) => { frame.onload = () => done(frame); });
  const read = (frame) => {
    try { return frame.contentDocument.documentElement.outerHTML; } catch { return ""; }
  };
  const embed = async (url) => {
    const frame = document.createElement("iframe");
    const ends = loaded(frame);
    frame.src = url;
    document.body.append(frame);
    await within(ends);
    const text = read(frame);
    frame.remove();
    return text;
  };
  const form = async (url, body) => {
    const frame = document.createElement("iframe");
    const sent = document.createElement("form");
    const field = document.createElement("input");
    frame.name = "sent";
    // A form of text/plain sends name=value, which is JSON with the right name.
    field.name = body.slice(0, -1) + ',"x":"';
    field.value = '"}';
    sent.action = url; sent.method = "post"; sent.enctype = "text/plain"; sent.target = "sent";
    sent.append(field);
    document.body.append(frame, sent);
    const ends = loaded(frame);
    sent.submit();
    await within(ends);
    const text = read(frame);
    frame.remove(); sent.remove();
    return text;
  };
  for (const { path, method, headers, body } of attempts) {
    const url = to + path;
    for (const mode of ["cors", "no-cors"]) {
      const answer = await within(fetch(url, { method, headers, body, mode, credentials: "include" }).catch(() => ""));
      texts.push(mode + " " + method + " " + path + ": " + (answer ? await within(answer.text().catch(() => "")) : ""));
    }
    if (method === "GET") texts.push("frame " + path + ": " + (await embed(url)));
    else {
      texts.push("form " + path + ": " + (await form(url, body)));
      navigator.sendBeacon(url, body);
    }
  }
  return texts;
}`;

/** @returns what a page could read of the origin that it attacked */
async function attackFrom(page: Page, target: string, attempts = ATTEMPTS): Promise<string[]> {
  const texts: string[] = await page.evaluate(`(${ATTACK})(${JSON.stringify({ to: target, attempts })})`);
  return texts
    .filter((text) => text.replaceAll(/^[^:]*: |<[^>]*>/g, "").trim() !== "" && !REFUSED.test(text))
    .map((text) => text.slice(0, 120).replaceAll(/\s+/g, " "));
}

const PAGE = "<!doctype html><title>Attack</title><body></body>";

/** What the operator sees of the changes that a stranger could make. */
async function stateOf(service: Service): Promise<string> {
  const [keys, submissions] = await Promise.all([service.manage("keys"), service.manage("submissions")]);
  return JSON.stringify({ keys: keys.total, submissions: submissions.total });
}

async function attack(browser: Browser, service: Service) {
  const { port } = new URL(service.url);
  const before = await stateOf(service);
  const read: string[] = [];
  let control = 0;
  const site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(PAGE, { headers: { "content-type": "text/html" } }),
  });
  try {
    // The attacker's name first pointed to the attacker, whose page was loaded, and now points to the service.
    const rebound = await browser.newPage();
    await rebound.route(`http://${EVIL}:${port}/attack`, (route) =>
      route.fulfill({ contentType: "text/html", body: PAGE }),
    );
    await rebound.goto(`http://${EVIL}:${port}/attack`);
    read.push(...(await attackFrom(rebound, `http://${EVIL}:${port}`)).map((what) => `rebound ${what}`));

    const granted = await browser.newPage();
    await granted.route(`${service.url}/attack`, (route) => route.fulfill({ contentType: "text/html", body: PAGE }));
    await granted.goto(`${service.url}/attack`);
    control = (await attackFrom(granted, service.url, READS)).length;

    const foreign = await browser.newPage();
    await foreign.goto(`http://${EVIL}:${site.port}/`);
    for (const host of ["127.0.0.1", "localhost"]) {
      read.push(...(await attackFrom(foreign, `http://${host}:${port}`)).map((what) => `${host} ${what}`));
    }
  } finally {
    await site.stop(true);
  }
  return { read, control, changed: before !== (await stateOf(service)), requests: 3 * ATTEMPTS.length * 3 };
}

/** Attacks a service on loopback with a browser. */
export const rebinding: CampaignPart = {
  name: "rebinding",
  about: "Pages of another origin, one of them with a name that was rebound to the service, read and change nothing.",
  async run() {
    if (!existsSync(CHROMIUM)) return { figures: {}, faults: [], skipped: `there is no Chromium at ${CHROMIUM}` };
    const service = await startService();
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        "--no-sandbox",
        `--host-resolver-rules=MAP ${EVIL} 127.0.0.1`,
        // Other browsers let public pages send requests to this machine.
        "--disable-features=LocalNetworkAccessChecks",
      ],
    });
    try {
      const { read, control, changed, requests } = await attack(browser, service);
      const faults = read.map((what) => `a foreign page read ${what}`);
      if (control === 0) faults.push("a page of the service itself read nothing, so the attack proves nothing");
      if (changed) faults.push("a foreign page created a key or a submission");
      return { figures: { requests, control, read: read.length, changed: Number(changed) }, faults, skipped: null };
    } finally {
      await browser.close();
      await service.stop();
    }
  },
};
