import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { networkSettings, openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { openNetworkClient } from "../../src/net/client.ts";
import { type Box, openBox } from "../../test/box/box.ts";
import type { Company, Fault, Page, Records, World } from "../../test/box/company.ts";
import { flagsInto } from "../../test/services/boxed-app.ts";
import type { CampaignPart } from "./part.ts";

/** The test internet is at this address, the only one that is allowed; all others of this machine are forbidden. */
const ALLOWED = "127.0.0.1/32";
const LIMIT_MS = 20_000;

/** Every notation of an IPv4 address that a URL parser, a resolver or a library may accept. */
function notations(address: string): string[] {
  const bytes = address.split(".").map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  const words = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
    bytes.map((byte) => `0${byte.toString(8)}`).join("."),
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `0x${hex[0]}.${b}.0${c.toString(8)}.${d}`,
    address.replaceAll(".", "\u3002"),
    address.replaceAll(".", "%2e"),
    [...address].map((mark) => (mark === "." ? mark : String.fromCodePoint(mark.charCodeAt(0) + 0xfee0))).join(""),
    [...address].map((mark) => `%${mark.charCodeAt(0).toString(16)}`).join(""),
    `[::ffff:${address}]`,
    `[::ffff:${words}]`,
    `[0:0:0:0:0:ffff:${words}]`,
    `[::${words}]`,
    `[::ffff:0:${words}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${words}]`,
    `[64:ff9b:1::${words}]`,
    `[2002:${words}::]`,
    `[2001:0:${words}::]`,
    `[fe80::5efe:${address}]`,
  ];
}

/** One of each block that is not on the public internet (RFC 6890), and addresses of cloud metadata. */
const FORBIDDEN = [
  ..."0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 127.255.255.254 169.254.169.254".split(" "),
  ..."169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1".split(" "),
  ..."198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255".split(" "),
  ..."[::] [::1] [fc00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [100::1] [2001:db8::1] [5f00::1]".split(" "),
];

/** Spellings whose host two parsers may see differently; `TARGET` is forbidden, `PUBLIC` is allowed. */
const CONFUSED = [
  ..."http://TARGET@TARGET/ http://PUBLIC@TARGET/ http://PUBLIC:80@TARGET/ http://PUBLIC%40TARGET/".split(" "),
  ..."http://TARGET#@PUBLIC/ http://TARGET?@PUBLIC/ http://TARGET\\@PUBLIC/ http://TARGET;@PUBLIC/".split(" "),
  ..."http:/TARGET/ http:TARGET http:\\\\TARGET\\ http:///TARGET/ https:TARGET HTTP://TARGET/".split(" "),
  ..."http://TARGET:80/ http://TARGET:443/ http://TARGET:22/ http://TARGET:0/ http://TARGET:65616/".split(" "),
  ..."http://TARGET%00.PUBLIC/ http://TARGET%09/ http://TARGET%23.PUBLIC/ http://TARGET%2f.PUBLIC/".split(" "),
  "http://\tTARGET/",
  "http://TAR\nGET/",
  " http://TARGET/ ",
  "//TARGET/",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://a.localhost/",
  "http://0/",
  "http://127.2/",
  "file:///etc/passwd",
  "gopher://TARGET/_GET",
  "ftp://TARGET/",
  "dict://TARGET:11211/stat",
  "data:text/html,x",
  "javascript:1",
  "ws://TARGET/",
  "unix:/var/run/docker.sock",
  "blob:http://TARGET/x",
];

const NAMED: readonly Records[] = [
  { A: "127.0.0.2" },
  { A: ["127.0.0.1", "127.0.0.2"] },
  { A: ["127.0.0.2", "127.0.0.1"] },
  { A: "10.0.0.1" },
  { A: "169.254.169.254" },
  { A: "0.0.0.0" },
  { A: "127.0.0.1", AAAA: "::1" },
  { AAAA: "::1" },
  { AAAA: "::ffff:127.0.0.2" },
  { AAAA: "::127.0.0.2" },
  { AAAA: "64:ff9b::7f00:2" },
  { AAAA: "2002:7f00:2::" },
  { AAAA: "fd00::1" },
  { AAAA: "fe80::1" },
  { CNAME: "localhost" },
  { CNAME: "n0.names.test" },
  { CNAME: "n14.names.test" },
  { CNAME: "metadata.google.internal" },
];
/** Names that resolve to the test internet first, and to a forbidden address afterwards. */
const REBOUND = 10;

function vectors(targets: readonly string[]): string[] {
  const hosts = [...targets.flatMap((each) => (each.includes(":") ? [`[${each}]`] : notations(each))), ...FORBIDDEN];
  const confused = targets
    .filter((each) => !each.includes(":"))
    .flatMap((each) => CONFUSED.map((text) => text.replaceAll("TARGET", each).replaceAll("PUBLIC", "www.public.test")));
  const names = NAMED.map((_, at) => `n${at}.names.test`);
  return [...new Set([...hosts, ...names].flatMap((host) => [`http://${host}/`, `https://${host}/`]).concat(confused))];
}

function worldOf(urls: readonly string[]): World {
  const zone: Record<string, Records> = Object.fromEntries(
    NAMED.map((records, at) => [`n${at}.names.test`, records] as const),
  );
  const faults: Fault[] = Array.from({ length: REBOUND }, (_, at) => ({
    name: `rebound${at}.test`,
    fault: "rebind",
    type: "A",
    second: "127.0.0.2",
  }));
  const rebound: Company[] = faults.map((_, at) => ({
    domain: `rebound${at}.test`,
    pages: { "/": "<h1>Public</h1>" },
  }));
  const go: Record<string, Page> = Object.fromEntries(urls.map((url, at) => [`www/go/${at}`, { redirect: url }]));
  const links = (attribute: (url: string, at: number) => string) => urls.map(attribute).join("\n");
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const listed = `<urlset>${links((url) => `<url><loc>${escaped(url)}customers/a</loc></url>`)}</urlset>`;
  const vendor: Company = {
    domain: "vendor.test",
    pages: {
      "/robots.txt": { body: links((url) => `Sitemap: ${url}`), headers: { "content-type": "text/plain" } },
      "/sitemap.xml": { body: listed, headers: { "content-type": "text/xml" } },
      "/customers": links(
        (url, at) =>
          `<a href="${escaped(url)}customers/${at}">How ${at} works</a><a href="https://www.public.test/go/${at}">Story</a><a href="/customers/${at}">Client ${at}</a>`,
      ),
      ...Object.fromEntries(urls.map((url, at) => [`/customers/${at}`, { redirect: url }])),
    },
  };
  const page = (url: string) =>
    `<base href="${escaped(url)}"><script src="${escaped(url)}a.js"></script><link rel="manifest" href="${escaped(url)}m"><a href="${escaped(url)}careers">Jobs</a><iframe src="${escaped(url)}"></iframe>`;
  // One company for each kind of answer that a scan follows.
  const scanned: Company[] = urls.flatMap((url, at) =>
    at % 12 === 0
      ? [
          { domain: `scanned${at}.test`, pages: { "/": page(url), "www/": page(url), "/*": { redirect: url } } },
          { domain: `moved${at}.test`, pages: { "/": { redirect: url }, "www/": { redirect: url } } },
        ]
      : [],
  );
  const inside: Company[] = NAMED.map((records, at) => ({
    domain: `inside${at}.test`,
    records: {
      "": {
        ...("CNAME" in records ? { A: "127.0.0.1" } : records),
        MX: `10 n${at}.names.test`,
        NS: `n${at}.names.test`,
      },
      www: records,
      "mta-sts": records,
      careers: records,
      status: records,
      "_mta-sts": { TXT: "v=STSv1; id=1" },
      _dmarc: { TXT: `v=DMARC1; p=none; rua=mailto:a@n${at}.names.test` },
    },
  }));
  return {
    companies: [
      { domain: "public.test", pages: { "www/": "<h1>Public</h1>", ...go } },
      vendor,
      ...rebound,
      ...scanned,
      ...inside,
    ],
    zone,
    faults,
  };
}

/** Listens on the ports of the test internet at every other address of this machine. */
async function openCanaries(addresses: readonly string[], box: Box) {
  const reached: string[] = [];
  const servers: Server[] = [];
  const ports = [...box.connectPorts.values(), 22, 8_080];
  for (const address of addresses) {
    for (const port of ports) {
      const server = createServer((socket) => {
        reached.push(`${address} port ${port}`);
        socket.destroy();
      });
      server.listen(port, address);
      const isOpen = await Promise.race([
        once(server, "listening").then(() => true),
        once(server, "error").then(() => false),
      ]);
      if (isOpen) servers.push(server);
    }
  }
  return {
    reached,
    count: servers.length,
    close() {
      for (const server of servers) server.close();
    },
  };
}

const machineAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address),
  );

/** URLs that lead inside, on every way to the network; a server at each forbidden address counts who comes. */
export const ssrf: CampaignPart = {
  name: "ssrf",
  about: "No notation, name, redirect, link or webhook reaches an address that is not allowed.",
  async run({ short, onProgress }) {
    const outer = machineAddresses().slice(0, 2);
    const addresses = ["127.0.0.2", "127.255.255.254", "::1", ...outer];
    const all = vectors(addresses);
    const urls = short ? all.filter((_, at) => at % 4 === 0) : all;
    const box = await openBox(worldOf(urls));
    const canaries = await openCanaries(addresses, box);
    const folder = await mkdtemp(join(tmpdir(), "casefile-ssrf-"));
    const config = loadConfig({
      flags: {
        ...(await flagsInto(box, folder)),
        "net-allow-cidrs": [ALLOWED],
        "crawl-max-pages": "2000",
        "crawl-deadline-ms": String(60_000),
      },
      env: {},
      readFile: () => undefined,
    });
    const faults: string[] = [];
    const bug = (work: string, error: unknown) => void faults.push(`${work} failed: ${String(error)}`);
    const app = await openServices({
      config,
      version: "0.0.0",
      isolated: true,
      log: { scannerFailed: bug, taskFailed: () => {} },
    });
    const client = openNetworkClient(networkSettings(config, "0.0.0"));
    let attempts = 0;
    const limit = () => AbortSignal.timeout(LIMIT_MS);
    try {
      const surface = async (name: string, inputs: readonly string[], use: (input: string) => Promise<unknown>) => {
        const before = canaries.reached.length;
        const queue = inputs.values();
        const work = async () => {
          for (const input of queue) {
            attempts += 1;
            // A refusal is what is wanted; the canaries decide.
            await use(input).catch(() => {});
          }
        };
        await Promise.all(Array.from({ length: 8 }, work));
        const reached = canaries.reached.slice(before);
        for (const canary of new Set(reached)) faults.push(`${name} reached ${canary}`);
        onProgress(`${name}: ${inputs.length} attempts, ${reached.length} reached`);
      };
      const hosts = [...new Set(urls.flatMap((url) => URL.parse(url)?.hostname || []))];
      const domains = (world: World) => (world.companies ?? []).map(({ domain }) => domain);
      await surface("requests", urls, (url) => client.http(url, {}, limit()));
      await surface("redirects", [...urls.keys()].map(String), (at) =>
        client.http(`https://www.public.test/go/${at}`, {}, limit()),
      );
      await surface("certificates", hosts, (host) => client.certificate(host, limit()));
      const again = Array.from({ length: REBOUND * 3 }, (_, at) => `https://rebound${at % REBOUND}.test/?${at}`);
      await surface("rebinding", again, (url) => client.http(url, {}, limit()));
      await surface("webhooks", urls, async (url) => {
        const { id } = await app.watches.addWebhook(url);
        await app.watches.testWebhook(id, limit());
      });
      await surface("submissions", urls, (url) =>
        app.intake.submit({ company_name: "Inside", case_study_url: url, contact_email: "someone@public.test" }),
      );
      await surface("crawls", ["https://vendor.test/customers"], async (url) => {
        for await (const _ of app.intake.crawl(url, { dryRun: true, signal: AbortSignal.timeout(90_000) }));
      });
      const scanned = domains(worldOf(urls)).filter((domain) => !/^(?:public|vendor)/.test(domain));
      await surface("scans", scanned, (domain) => app.detection.enrich(domain, { maxAgeSeconds: 0, signal: limit() }));
      const worker = app.jobs.startWorker();
      const deadline = performance.now() + 60_000;
      while ((await app.intake.state()).submissions.waiting && performance.now() < deadline) await Bun.sleep(200);
      await worker.stop();
      if (canaries.reached.length > 0 && faults.length === 0) faults.push(`previews reached ${canaries.reached[0]}`);
      if (box.hits.length === 0) faults.push("nothing was requested, so the attack proves nothing");
      return {
        figures: {
          vectors: urls.length,
          attempts,
          canaries: canaries.count,
          reached: canaries.reached.length,
          answered_by_public: box.hits.filter(({ kind }) => kind === "http").length,
        },
        faults,
        skipped: null,
      };
    } finally {
      client.close();
      await app.close();
      canaries.close();
      await box.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
