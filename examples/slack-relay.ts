import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";

/**
 * Receives the webhooks of Casefile, checks their Standard Webhooks signature and posts them to a Slack incoming webhook.
 *
 *   CASEFILE_WEBHOOK_SECRET=whsec_… SLACK_WEBHOOK_URL=https://hooks.slack.com/… npx bun examples/slack-relay.ts [PORT]
 *
 * Node 24 runs the file too. It needs no package. Two secrets, separated by a space, are accepted while a secret is rotated.
 */

const MAX_BODY_BYTES = 1024 * 1024;
/** Older and future messages are refused, so that a recorded one cannot be sent again. */
const TOLERANCE_SECONDS = 300;
/** Casefile waits 20 seconds for an answer. */
const SLACK_MS = 10_000;
/** Tools of each kind in one text. */
const LISTED_TOOLS = 20;
/** Ids of delivered messages: one that arrives again is accepted and not posted. */
const REMEMBERED_IDS = 1_000;

export interface RelayOptions {
  /** `whsec_` and base64; a message signed with any of them is accepted. */
  readonly secrets: readonly string[];
  readonly slackUrl: string;
  readonly now?: () => number;
}

/** A server that answers 204 when a message was posted or is of no interest, so that Casefile sends all others again. */
export function createRelay({ secrets, slackUrl, now = Date.now }: RelayOptions): Server {
  const delivered = new Set<string>();
  const answer = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== "POST") return 405;
    const body = await readBody(request);
    if (body === undefined) return 413;
    if (!isSigned(secrets, request.headers, body, now())) return 401;
    const id = String(request.headers["webhook-id"]);
    const text = delivered.has(id) ? undefined : slackText(JSON.parse(body.toString()));
    if (text !== undefined) {
      const posted = await fetch(slackUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text, unfurl_links: false }),
        redirect: "error",
        signal: AbortSignal.timeout(SLACK_MS),
      });
      if (!posted.ok) throw new Error(`Slack answered ${posted.status}.`);
    }
    delivered.add(id);
    for (const oldest of delivered) {
      if (delivered.size <= REMEMBERED_IDS) break;
      delivered.delete(oldest);
    }
    return 204;
  };
  return createServer((request, response) => {
    answer(request).then(
      (status) => response.writeHead(status, { connection: "close" }).end(),
      (error: unknown) => {
        console.error("Not posted, Casefile sends the message again:", error);
        response.writeHead(502, { connection: "close" }).end();
      },
    );
  });
}

/** Standard Webhooks 1, symmetric: HMAC-SHA256 of `id.timestamp.body`, compared in constant time. */
function isSigned(secrets: readonly string[], headers: IncomingHttpHeaders, body: Buffer, now: number): boolean {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string") return false;
  // NaN is no age within the tolerance.
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const expected = secrets.map((secret) =>
    createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest(),
  );
  return signatures.split(" ").some((signature) => {
    const given = signature.startsWith("v1,") ? Buffer.from(signature.slice(3), "base64") : undefined;
    return expected.some((digest) => given?.length === digest.length && timingSafeEqual(given, digest));
  });
}

/** Undefined when the body is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

interface Tool {
  readonly tool: string;
  readonly category: string;
}
type Message =
  | {
      readonly type: "domain.tools_changed";
      readonly data: {
        readonly domain: string;
        readonly appeared: readonly Tool[];
        readonly disappeared: readonly Tool[];
      };
    }
  | {
      readonly type: "batch.finished";
      readonly data: { readonly id: string; readonly done: number; readonly failed: number };
    }
  | { readonly type: "webhook.test" };

/** Undefined for a type that a later release adds. */
function slackText(message: Message): string | undefined {
  switch (message.type) {
    case "domain.tools_changed": {
      const { domain, appeared, disappeared } = message.data;
      const lines = [["New", appeared] as const, ["Gone", disappeared] as const]
        .filter(([, tools]) => tools.length > 0)
        .map(([title, tools]) => `${title}: ${listed(tools)}`);
      return [`*${escaped(domain)}* changed its tools`, ...lines].join("\n");
    }
    case "batch.finished":
      return `Batch ${escaped(message.data.id)} is finished: ${message.data.done} done, ${message.data.failed} failed`;
    case "webhook.test":
      return "Casefile can post here.";
    default:
      return undefined;
  }
}

function listed(tools: readonly Tool[]): string {
  const names = tools.slice(0, LISTED_TOOLS).map(({ tool, category }) => escaped(`${tool} (${category})`));
  const more = tools.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Slack reads these as mark-up: `<!channel>` would notify everybody. */
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

if (import.meta.main) {
  const { CASEFILE_WEBHOOK_SECRET: secret, SLACK_WEBHOOK_URL: slackUrl } = process.env;
  if (!secret || !slackUrl) {
    console.error("Set CASEFILE_WEBHOOK_SECRET (whsec_…) and SLACK_WEBHOOK_URL.");
    process.exit(2);
  }
  const port = Number(process.argv[2] ?? 8787);
  const relay = createRelay({ secrets: secret.split(" "), slackUrl });
  relay.listen(port, "127.0.0.1", () => console.log(`Relay to Slack at http://127.0.0.1:${port}`));
}
