import { readCapture } from "../../src/detection/captures/read-capture.ts";
import { detect } from "../../src/detection/engine.ts";
import type { Catalogue } from "../../src/detection/fingerprints/catalogue.ts";
import { toArray } from "../../src/detection/fingerprints/conditions.ts";
import { SCANNERS } from "../../src/detection/scanners/registry.ts";
import type { Detection } from "../../src/detection/types.ts";
import { replayVisit } from "../../src/detection/visit/replay-visit.ts";

interface Sample {
  readonly domain: string;
  readonly mx: readonly string[];
  readonly spf: string | null;
  readonly expected_provider: string;
  /** Confidence of the other project, 0 to 100. */
  readonly peer_confidence: number;
  readonly signals: readonly { readonly kind: string; readonly detail: string }[];
}

export interface MailFigures {
  readonly domains: number;
  readonly agreement: number;
  /** Only where the other project's confidence is at least 90. */
  readonly sure_domains: number;
  readonly sure_agreement: number;
}

/** Providers that the other project knows by name; all others are "independent" to it. */
const PROVIDERS: Readonly<Record<string, string>> = {
  "microsoft-365": "microsoft",
  "google-workspace": "google",
  "infomaniak-mail": "infomaniak",
};
const SURE = 90;

/** Compares the detected mailbox provider of a domain with another project's result. */
export async function evaluateMail(samples: readonly Sample[], catalogue: Catalogue): Promise<[MailFigures, string[]]> {
  const counts = { all: 0, agreed: 0, sure: 0, sureAgreed: 0 };
  const missed: string[] = [];
  for (const sample of samples) {
    const snapshot = readCapture(zoneOf(sample), { name: `${sample.domain}.zone`, capturedAt: "2026-01-01T00:00:00Z" });
    const report = await detect(replayVisit(snapshot), SCANNERS, catalogue, { deadlineMs: 15_000, now: () => 0 });
    const keeper = keeperOf(report.detections, catalogue);
    const agrees = (PROVIDERS[keeper ?? ""] ?? "independent") === sample.expected_provider;
    counts.all += 1;
    if (agrees) counts.agreed += 1;
    else
      missed.push(
        `${sample.domain}: ${keeper ?? "nobody known"}, not ${sample.expected_provider} (${sample.peer_confidence}) mx ${sample.mx.join(" ")}`,
      );
    if (sample.peer_confidence < SURE) continue;
    counts.sure += 1;
    if (agrees) counts.sureAgreed += 1;
  }
  const figures = {
    domains: counts.all,
    agreement: part(counts.agreed, counts.all),
    sure_domains: counts.sure,
    sure_agreement: part(counts.sureAgreed, counts.sure),
  };
  return [figures, missed];
}

/**
 * The mailbox provider: the tool that email is routed to, else the one that signs or serves it, else, when an
 * unknown host receives the email, the one that may send it.
 */
function keeperOf(detections: readonly Detection[], catalogue: Catalogue): string | undefined {
  const keepers = detections.filter(({ id }) => toArray(catalogue.tools.get(id)?.role).includes("mailbox"));
  const by = (...kinds: string[]) =>
    keepers.find(({ evidence }) => evidence.some(({ signal }) => kinds.includes(signal)))?.id;
  const gateway = detections.find(({ id }) => toArray(catalogue.tools.get(id)?.role).includes("gateway"));
  return by("dns.mx") ?? by("dns.dkim", "dns.cname") ?? (gateway ? undefined : by("dns.spf"));
}

/** The DNS records of the other project, as a zone file. */
function zoneOf({ domain, mx, spf, signals }: Sample): string {
  const aliases = signals.flatMap(({ kind, detail }) => {
    const [, name = "", target] = /(\S{1,200}) CNAME → (\S{1,200})/.exec(detail) ?? [];
    if (!target) return [];
    return [`${kind === "autodiscover" ? `autodiscover.${domain}` : name}. 300 IN CNAME ${target}.`];
  });
  const strings = spf?.match(/.{1,250}/g)?.map((text) => `"${text.replaceAll('"', "")}"`);
  return [
    `${domain}. 300 IN SOA ns.${domain}. hostmaster.${domain}. 1 1 1 1 1`,
    ...mx.map((host, index) => `${domain}. 300 IN MX ${(index + 1) * 10} ${host}.`),
    ...(strings ? [`${domain}. 300 IN TXT ${strings.join(" ")}`] : []),
    ...aliases,
    "",
  ].join("\n");
}

const part = (count: number, of: number) => Math.round((1_000 * count) / Math.max(1, of)) / 1_000;
