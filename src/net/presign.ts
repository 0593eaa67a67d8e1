import { createHash, createHmac } from "node:crypto";

interface PresignedRequest {
  readonly method: string;
  /** `HOST`, or `HOST:PORT` for a port that is not the default. */
  readonly host: string;
  /** Parts of the path, not encoded: the bucket, then those of the name. */
  readonly path: readonly string[];
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  readonly at: Date;
  /** Seconds, up to 604,800. */
  readonly expires: number;
}

/** As RFC 3986 has it; `encodeURIComponent` leaves five more characters. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The path and query of a request to S3, signed in its query: AWS Signature Version 4, "Authenticating requests: using query
 * parameters", with an unsigned payload. Bun's own client adds the AWS_SESSION_TOKEN of the environment to keys that came
 * from elsewhere.
 */
export function presign({ method, host, path, region, keyId, secret, at, expires }: PresignedRequest): string {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const scope = [time.slice(0, 8), region, "s3", "aws4_request"];
  const pathname = `/${path.map(encoded).join("/")}`;
  // Sorted by name, as the signature needs them.
  const query = Object.entries({
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": [keyId, ...scope].join("/"),
    "X-Amz-Date": time,
    "X-Amz-Expires": String(expires),
    "X-Amz-SignedHeaders": "host",
  })
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join("&");
  const canonical = [method, pathname, query, `host:${host}\n`, "host", "UNSIGNED-PAYLOAD"].join("\n");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const key = scope.reduce<string | Buffer>(
    (before, part) => createHmac("sha256", before).update(part).digest(),
    `AWS4${secret}`,
  );
  const signature = createHmac("sha256", key)
    .update(["AWS4-HMAC-SHA256", time, scope.join("/"), hash].join("\n"))
    .digest("hex");
  return `${pathname}?${query}&X-Amz-Signature=${signature}`;
}
