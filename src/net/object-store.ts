import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { onAbort, raceAbort, sleep } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import type { NetworkSettings } from "./client.ts";
import { createTrust, dialFirst, dialTunnel, resolveAllowedAddresses, startTls, withoutBrackets } from "./dial.ts";
import { OneSocket } from "./exchange.ts";
import { isNearby, onlyOrigin } from "./json-service.ts";
import { presign } from "./presign.ts";
import { createSystemResolver } from "./resolver.ts";

/** What is stored under a name. */
export interface StoredObject {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A folder of a bucket that the operator configured, by the S3 protocol. It can reach no other host. */
export interface ObjectStore {
  /** Sends a file. */
  put(name: string, path: string, signal: AbortSignal): Promise<StoredObject>;
  /** Writes an object to a new file. @throws when it is not the expected one; the file is then removed */
  get(name: string, path: string, expected: StoredObject, signal: AbortSignal): Promise<void>;
  /** A name that is not there is no error. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Whether an error of `get` says that the object is gone or another one, which no further attempt changes. */
  isLost(error: unknown): boolean;
}

export interface ObjectStoreSettings {
  /** `https://HOST/BUCKET/FOLDER`; the host may be on this machine or in a private network. */
  readonly url: string;
  readonly region: string;
  readonly keyId: string | null;
  readonly secret: string | null;
}

const CONNECT_MS = 10_000;
/** A connection on which nothing moves for so long is given up. */
const STALLED_MS = 20_000;
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
/** Of one request, for the clock of the store. */
const SIGNED_SECONDS = 3_600;
const MAX_ERROR_BYTES = 4_096;
const RETRIED = new Set([429, 500, 502, 503, 504]);

/**
 * Requests are signed in their URL and go the way of all others here, with its time limits, address policy and certificate
 * authorities.
 *
 * @param pause replaced in tests
 * @throws Failure `config.invalid`
 */
export function openObjectStore(
  { url, region, keyId, secret }: ObjectStoreSettings,
  settings: Pick<NetworkSettings, "proxy" | "extraCa" | "userAgent">,
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void> = sleep,
): ObjectStore {
  const base = URL.parse(url);
  const path = decoded((base?.pathname ?? "").replace(/\/+$/, "").split("/"));
  if (
    !base ||
    !path ||
    !/^https?:$/.test(base.protocol) ||
    `${base.username}${base.password}${base.search}${base.hash}` !== ""
  )
    throw new Failure("config.invalid", "index.snapshot_url is not an address without user, query and fragment.");
  const [, bucket = "", ...folders] = path;
  if (bucket === "")
    throw new Failure("config.invalid", "index.snapshot_url names no bucket: write https://HOST/BUCKET/FOLDER.");
  if (keyId === null || secret === null)
    throw new Failure("config.invalid", "index.snapshot_url needs index.snapshot_key_id and index.snapshot_secret.");
  const keys = { region, keyId, secret };
  const origin = new URL(base.origin);
  const host = withoutBrackets(base.hostname);
  const port = Number(base.port || (base.protocol === "https:" ? 443 : 80));
  const resolver = createSystemResolver(CONNECT_MS);
  const policy = onlyOrigin(base.origin);
  const trust = createTrust(settings.extraCa);
  const proxy = settings.proxy === null || isNearby(base.hostname) ? null : new URL(settings.proxy);

  const open = async (signal: AbortSignal): Promise<Socket> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
    let socket: Socket;
    if (proxy) {
      socket = await dialTunnel(proxy, `${base.hostname}:${port}`, trust, limit);
    } else {
      const resolved = await resolveAllowedAddresses(base.hostname, policy, resolver, limit);
      if ("status" in resolved) throw new Error(resolved.detail);
      socket = await dialFirst(resolved.addresses, port, CONNECT_MS, limit);
    }
    return base.protocol === "https:" ? await startTls(socket, { host, trust, verify: true }, limit) : socket;
  };

  /** @param transfer the file to send, or the one to write and what it must be */
  async function attempt(method: Method, name: string, transfer: Transfer, signal: AbortSignal): Promise<StoredObject> {
    const stalled = new AbortController();
    const timer = setTimeout(() => stalled.abort(new Error(`nothing moved for ${STALLED_MS / 1_000} s`)), STALLED_MS);
    const limit = AbortSignal.any([signal, stalled.signal]);
    const { from, to, expected } = transfer;
    const { moving, moved } = counted(expected?.bytes, () => timer.refresh());
    let socket: Socket | undefined;
    try {
      const length = from === undefined ? 0 : (await stat(from)).size;
      socket = await open(limit);
      timer.refresh();
      const sent = request({
        agent: new OneSocket(socket),
        method,
        path: presign({
          ...{ method, host: origin.host, path: [bucket, ...folders, ...name.split("/")], ...keys },
          ...{ at: new Date(), expires: SIGNED_SECONDS },
        }),
        headers: {
          Host: origin.host,
          "User-Agent": settings.userAgent,
          ...(from === undefined ? {} : { "Content-Length": length }),
        },
      });
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        sent.on("error", reject);
        sent.once("close", () => reject(new Error("the connection was closed before an answer")));
        sent.once("response", resolve);
        const stopListening = onAbort(limit, () => reject(limit.reason));
        sent.once("close", stopListening);
      });
      // It may fail before anything waits for it.
      answered.catch(() => {});
      if (from === undefined) {
        sent.end();
      } else {
        // An answer before the end of the file says why it was refused.
        const sending = pipeline(createReadStream(from), moving, sent, { signal: limit }).catch(async (error) => {
          await answered.catch(() => {
            throw error;
          });
        });
        await Promise.race([sending, answered]);
      }
      const response = await answered;
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) throw new Refused(status, await raceAbort(codeOf(response), limit));
      if (to !== undefined)
        await pipeline(response, moving, createWriteStream(to, { flags: "wx", mode: 0o600 }), { signal: limit });
      const object = moved();
      if (from !== undefined && object.bytes !== length)
        throw new Error(`it answered ${status} after ${object.bytes} of ${length} bytes`);
      if (expected && object.bytes < expected.bytes)
        throw new Error(`the object ended after ${object.bytes} of ${expected.bytes} bytes`);
      if (expected && object.sha256 !== expected.sha256)
        throw new WrongObject("the object has another SHA-256 than was recorded");
      return object;
    } catch (error) {
      if (to !== undefined) await rm(to, { force: true });
      signal.throwIfAborted();
      throw stalled.signal.aborted ? stalled.signal.reason : error;
    } finally {
      clearTimeout(timer);
      moving.destroy();
      socket?.destroy();
    }
  }

  /** Repeats what failed on the way, or because the store was busy. */
  async function send(method: Method, name: string, transfer: Transfer, signal: AbortSignal): Promise<StoredObject> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt(method, name, transfer, signal);
      } catch (error) {
        signal.throwIfAborted();
        const isFinal = error instanceof WrongObject || (error instanceof Refused && !RETRIED.has(error.status));
        if (isFinal || attempts === MAX_ATTEMPTS) {
          // Not the URL, which is signed.
          const reason = error instanceof Error ? error.message : String(error);
          throw new Error(`The object storage ${origin.host} failed at ${method} ${name}: ${reason}.`, {
            cause: error,
          });
        }
        await pause(FIRST_PAUSE_MS * 2 ** (attempts - 1), signal);
      }
    }
  }

  return {
    put: (name, path, signal) => send("PUT", name, { from: path }, signal),
    get: async (name, path, expected, signal) => void (await send("GET", name, { to: path, expected }, signal)),
    remove: async (name, signal) =>
      await send("DELETE", name, {}, signal).then(
        () => {},
        (error) => {
          if (!(error.cause instanceof Refused && error.cause.status === 404)) throw error;
        },
      ),
    isLost: (error) =>
      error instanceof Error &&
      (error.cause instanceof WrongObject || (error.cause instanceof Refused && error.cause.code === "NoSuchKey")),
  };
}

/** Undefined where a part is no UTF-8. */
function decoded(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

type Method = "GET" | "PUT" | "DELETE";

interface Transfer {
  readonly from?: string;
  readonly to?: string;
  readonly expected?: StoredObject;
}

/** Passes bytes on and counts them; more than `most` is an error. */
function counted(most: number | undefined, onMove: () => void) {
  const hash = createHash("sha256");
  let bytes = 0;
  const moving = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      onMove();
      bytes += chunk.length;
      hash.update(chunk);
      const isTooLong = most !== undefined && bytes > most;
      next(isTooLong ? new WrongObject(`the object has more than the recorded ${most} bytes`) : null, chunk);
    },
  });
  return { moving, moved: () => ({ bytes, sha256: hash.digest("hex") }) };
}

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(`it answered ${status}${code === "" ? "" : ` ${code}`}`);
  }
}

/** Another object than the expected one: it will not be another one at the next attempt. */
class WrongObject extends Error {}

/** The code in the body of an S3 error, such as `NoSuchKey`; empty without one. */
async function codeOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > MAX_ERROR_BYTES) break;
  }
  return /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(text)?.[1] ?? "";
}
