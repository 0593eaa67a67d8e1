/** An OpenID Connect provider on loopback whose every answer a test may change. */
export interface Provider {
  readonly issuer: string;
  /** Requests by path. */
  readonly requests: { readonly path: string; readonly headers: Headers; readonly form: URLSearchParams }[];
  /** The person who is signed in there comes back with a code. */
  authorise(address: string): URL;
  stop(): Promise<void>;
}

interface Changes {
  /** Claims over those of a good token; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Over the discovery document. */
  readonly metadata?: (issuer: string) => Readonly<Record<string, unknown>>;
  /** Signs with a key that is not in the key set. */
  readonly foreignKey?: boolean;
  /** Replaces the signature. */
  readonly signature?: (input: string) => string;
  readonly answer?: Readonly<Record<string, (request: Request) => Response | Promise<Response>>>;
  /** Seconds that its clock is ahead. */
  readonly skew?: number;
}

export const CLIENT = { id: "casefile", secret: "s3cret:with/odd%characters" };

const base64url = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };

export async function openProvider(changes: Changes = {}): Promise<Provider> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const foreign = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const jwk = await crypto.subtle.exportKey("jwk", keys.publicKey);
  const codes = new Map<string, URLSearchParams>();
  const requests: { path: string; headers: Headers; form: URLSearchParams }[] = [];

  const idToken = async (nonce: string | null): Promise<string> => {
    const now = Math.floor(Date.now() / 1_000) + (changes.skew ?? 0);
    const claims = {
      ...{ iss: issuer, aud: CLIENT.id, sub: "subject-1", nonce, iat: now, exp: now + 300 },
      ...{ name: "Ana Bright", email: "ana@brightpine.test", email_verified: true, groups: ["staff"] },
      ...changes.claims,
    };
    const input = `${base64url({ alg: "ES256", kid: "one", ...changes.header })}.${base64url(claims)}`;
    if (changes.signature) return `${input}.${changes.signature(input)}`;
    const key = changes.foreignKey ? foreign.privateKey : keys.privateKey;
    const signed = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, Buffer.from(input));
    return `${input}.${Buffer.from(signed).toString("base64url")}`;
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request): Promise<Response> {
      const { pathname: path } = new URL(request.url);
      const form = new URLSearchParams(request.method === "POST" ? await request.clone().text() : "");
      requests.push({ path, headers: request.headers, form });
      const replaced = changes.answer?.[path];
      if (replaced) return await replaced(request);
      if (path === "/.well-known/openid-configuration")
        return Response.json({
          issuer,
          authorization_endpoint: `${issuer}/authorise`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
          authorization_response_iss_parameter_supported: true,
          ...changes.metadata?.(issuer),
        });
      if (path === "/keys") return Response.json({ keys: [{ ...jwk, kid: "one", alg: "ES256", use: "sig" }] });
      if (path !== "/token") return new Response(null, { status: 404 });
      const asked = codes.get(form.get("code") ?? "");
      codes.delete(form.get("code") ?? "");
      const basic = `${encodeURIComponent(CLIENT.id)}:${encodeURIComponent(CLIENT.secret)}`;
      const challenge = new Bun.CryptoHasher("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
      if (
        !asked ||
        request.headers.get("authorization") !== `Basic ${btoa(basic)}` ||
        challenge !== asked.get("code_challenge") ||
        form.get("redirect_uri") !== asked.get("redirect_uri")
      )
        return Response.json({ error: "invalid_grant" }, { status: 400 });
      const id_token = await idToken(asked.get("nonce"));
      return Response.json({ access_token: "opaque", token_type: "Bearer", expires_in: 300, id_token });
    },
  });
  const issuer: string = `http://127.0.0.1:${server.port}`;

  return {
    issuer,
    requests,
    authorise(address) {
      const asked = new URL(address).searchParams;
      const code = crypto.randomUUID();
      codes.set(code, asked);
      const back = new URL(asked.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({ code, state: asked.get("state") ?? "", iss: issuer }).toString();
      return back;
    },
    stop: () => server.stop(true),
  };
}
