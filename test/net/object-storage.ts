import { createHash, createHmac } from "node:crypto";

/** An object storage on loopback that speaks as much of the S3 protocol as a snapshot of the index needs. */
export interface ObjectStorage {
  /** Of the bucket. */
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  readonly objects: Map<string, Uint8Array>;
  /** `METHOD NAME` of every request. */
  readonly requests: string[];
  /** Answers in place of the storage, where it returns something. */
  intervene: (method: string, name: string) => Response | Promise<Response> | undefined;
  stop(): Promise<void>;
}

const REGION = "eu-test-1";
const BUCKET = "casefile";

/** @param port 0 takes a free one */
export function startObjectStorage(port = 0, objects = new Map<string, Uint8Array>()): ObjectStorage {
  const keyId = "AKIDEXAMPLE";
  const secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  const requests: string[] = [];
  const server = Bun.serve({
    port,
    hostname: "127.0.0.1",
    maxRequestBodySize: 2 ** 31,
    // Some tests leave a request unanswered.
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url);
      if (!isSigned(request.method, url, secret)) {
        // An answer that closes the connection while a file is sent may be lost.
        await request.arrayBuffer();
        return refusal(403, "SignatureDoesNotMatch");
      }
      const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/");
      if (bucket !== BUCKET) return refusal(404, "NoSuchBucket");
      const name = rest.join("/");
      requests.push(`${request.method} ${name}`);
      const answer = await storage.intervene(request.method, name);
      if (answer) return answer;
      if (request.method === "PUT") {
        objects.set(name, new Uint8Array(await request.arrayBuffer()));
        return new Response();
      }
      if (request.method === "DELETE") {
        objects.delete(name);
        return new Response(null, { status: 204 });
      }
      const found = objects.get(name);
      return found ? new Response(found) : refusal(404, "NoSuchKey");
    },
  });
  const storage: ObjectStorage = {
    url: `http://127.0.0.1:${server.port}/${BUCKET}`,
    keyId,
    secret,
    objects,
    requests,
    intervene: () => undefined,
    stop: () => server.stop(true),
  };
  return storage;
}

const refusal = (status: number, code: string) =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, { status });

/** Signature version 4 in the query of a URL, computed on its own. */
function isSigned(method: string, url: URL, secret: string): boolean {
  const given = url.searchParams.get("X-Amz-Signature");
  const time = url.searchParams.get("X-Amz-Date") ?? "";
  const [, ...scope] = (url.searchParams.get("X-Amz-Credential") ?? "").split("/");
  const query = url.search
    .slice(1)
    .split("&")
    .filter((pair) => !pair.startsWith("X-Amz-Signature="))
    .sort()
    .join("&");
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const mac = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest();
  const canonical = [method, url.pathname, query, `host:${url.host}\n`, "host", "UNSIGNED-PAYLOAD"].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), hash(canonical)].join("\n");
  const key = scope.reduce<string | Uint8Array>((before, part) => mac(before, part), `AWS4${secret}`);
  return scope[1] === REGION && mac(key, text).toString("hex") === given;
}

export const storageSettings = ({ url, keyId, secret }: ObjectStorage) => ({
  url: `${url}/index`,
  region: REGION,
  keyId,
  secret,
});
