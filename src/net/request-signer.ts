import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { Failure } from "../core/errors.ts";

/**
 * Web Bot Auth: HTTP Message Signatures (RFC 9421) with Ed25519, by which a site can verify that a request is from this
 * installation (draft-meunier-web-bot-auth-architecture). The public key is served in a directory that the header
 * `Signature-Agent` names (draft-meunier-http-message-signatures-directory).
 */
export interface RequestSigner {
  /** The headers to add to a request of this URL. */
  headersFor(url: URL): Readonly<Record<string, string>>;
  /** The directory of keys, as the site at `agent` serves it. */
  directory(): { readonly body: string; readonly headers: Readonly<Record<string, string>> };
}

interface SignerOptions {
  /** PEM of an Ed25519 private key (PKCS #8). */
  readonly pem: string;
  /** Origin that serves the directory, such as `https://casefile.acme.example`. */
  readonly agent: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export const DIRECTORY_PATH = "/.well-known/http-message-signatures-directory";
/** A signature is valid for this time: long enough for wrong clocks, too short to be of use to who records it. */
const VALID_SECONDS = 300;
const LABEL = "sig1";

/** @throws Failure `config.invalid` when the key is not an Ed25519 private key */
export function createRequestSigner({ pem, agent, now }: SignerOptions): RequestSigner {
  const key = readKey(pem);
  const { x } = createPublicKey(key).export({ format: "jwk" });
  if (x === undefined) throw notEd25519();
  const jwk = { crv: "Ed25519", kty: "OKP", x } as const;
  const keyid = thumbprintOf(jwk);
  const { origin, host } = new URL(agent);
  const agentHeader = quotedString(origin);

  const signed = (components: readonly Component[], tag: string) => {
    const created = Math.floor(now() / 1_000);
    const parameters = `;created=${created};expires=${created + VALID_SECONDS};keyid="${keyid}";alg="ed25519";tag="${tag}"`;
    const { base, input } = signatureBase(components, parameters);
    return {
      "Signature-Input": `${LABEL}=${input}`,
      Signature: `${LABEL}=:${signBase(base, key)}:`,
    };
  };

  return {
    headersFor: (url) => ({
      "Signature-Agent": agentHeader,
      ...signed(
        [
          { name: "@authority", value: url.host },
          { name: "signature-agent", value: agentHeader },
        ],
        "web-bot-auth",
      ),
    }),
    directory: () => ({
      body: JSON.stringify({ keys: [{ ...jwk, kid: keyid, use: "sig", alg: "EdDSA" }] }),
      headers: {
        "content-type": "application/http-message-signatures-directory+json",
        // A cache that keeps it to the end still returns a signature that is valid for as long again.
        "cache-control": `public, max-age=${VALID_SECONDS / 2}`,
        ...signed([{ name: "@authority", value: host, parameter: ";req" }], "http-message-signatures-directory"),
      },
    }),
  };
}

interface Component {
  readonly name: string;
  readonly value: string;
  /** `;req`: of the request to which the signed response is the answer. */
  readonly parameter?: string;
}

/**
 * What is signed (RFC 9421, section 2.5), and the value of `Signature-Input`.
 *
 * @param parameters of the signature, each with its semicolon
 */
export function signatureBase(components: readonly Component[], parameters: string) {
  const names = components.map(({ name, parameter = "" }) => `"${name}"${parameter}`);
  const input = `(${names.join(" ")})${parameters}`;
  const lines = components.map(({ value }, index) => `${names[index]}: ${value}`);
  return { input, base: [...lines, `"@signature-params": ${input}`].join("\n") };
}

/** Base64 of the Ed25519 signature. */
export const signBase = (base: string, key: KeyObject): string => sign(null, Buffer.from(base), key).toString("base64");

/** RFC 7638, for Ed25519 by RFC 8037: base64url of the SHA-256 of the required members in lexical order. */
const thumbprintOf = ({ crv, kty, x }: { readonly crv: string; readonly kty: string; readonly x: string }): string =>
  createHash("sha256").update(JSON.stringify({ crv, kty, x })).digest("base64url");

/** A string of a structured field (RFC 9651). An origin is printable ASCII without quotes and backslashes. */
const quotedString = (text: string): string => `"${text}"`;

const notEd25519 = () =>
  new Failure(
    "config.invalid",
    "scan.signing_key_file does not hold an Ed25519 private key in PEM; make one with openssl genpkey -algorithm ed25519.",
  );

function readKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw notEd25519();
  }
  if (key.asymmetricKeyType !== "ed25519") throw notEd25519();
  return key;
}
