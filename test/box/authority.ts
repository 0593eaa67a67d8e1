import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { CertificateDescription } from "./company.ts";
import {
  bits,
  explicit,
  identifier,
  implicit,
  instant,
  integer,
  octets,
  sequence,
  set,
  small,
  text,
  truth,
} from "./der.ts";

/** A key and the chain that a server shows for it, in PEM. */
export interface Identity {
  readonly key: string;
  readonly cert: string;
}

export interface Authority {
  /** Root certificate in PEM: what a client must trust. */
  readonly root: string;
  /** Signs a certificate. A named issuer is an intermediate authority below the root. */
  issue(description: CertificateDescription): Identity;
}

interface Signer {
  readonly name: Buffer;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  /** The intermediate certificates between the server's certificate and the root. */
  readonly chain: string;
}

const DAY = 86_400_000;
const ECDSA_SHA256 = sequence(identifier("1.2.840.10045.4.3.2"));
const newKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

/** Creates a root certificate (ECDSA P-256) that exists only in this process. */
export function openAuthority(): Authority {
  const name = distinguished("Casefile Box", "Casefile Box Root");
  const keys = newKeys();
  const root = certificate({ subject: name, publicKey: keys.publicKey, authority: true, signer: { name, keys } });
  const leaf = newKeys();
  const key = leaf.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signers = new Map<string, Signer>();

  const signerFor = (organisation: string): Signer => {
    const known = signers.get(organisation);
    if (known) return known;
    const subject = distinguished(organisation, `${organisation} R1`);
    const own = newKeys();
    const chain = certificate({ subject, publicKey: own.publicKey, authority: true, signer: { name, keys } });
    const signer = { name: subject, keys: own, chain };
    signers.set(organisation, signer);
    return signer;
  };

  return {
    root,
    issue({ names, issuer, from, to }) {
      const signer = issuer === undefined ? { name, keys, chain: "" } : signerFor(issuer);
      const subject = distinguished(undefined, names[0] ?? "nameless.test");
      const own = certificate({ subject, publicKey: leaf.publicKey, names, signer, from, to });
      return { key, cert: own + signer.chain };
    },
  };
}

interface Certificate {
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly signer: Pick<Signer, "name" | "keys">;
  readonly authority?: boolean;
  readonly names?: readonly string[];
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** X.509 version 3 (RFC 5280) in PEM. */
function certificate({ subject, publicKey, signer, authority, names, from, to }: Certificate): string {
  const now = Date.now();
  const validity = sequence(instant(from ?? new Date(now - 30 * DAY)), instant(to ?? new Date(now + 335 * DAY)));
  const extensions = [
    sequence(identifier("2.5.29.19"), truth(), octets(authority ? sequence(truth()) : sequence())),
    sequence(
      identifier("2.5.29.15"),
      truth(),
      octets(authority ? bits(Buffer.from([0x06]), 1) : bits(Buffer.from([0x80]), 7)),
    ),
  ];
  if (names && names.length > 0) {
    const listed = names.map((name) => implicit(2, Buffer.from(name)));
    extensions.push(sequence(identifier("2.5.29.17"), octets(sequence(...listed))));
  }
  const body = sequence(
    explicit(0, small(2)),
    integer(randomBytes(15)),
    ECDSA_SHA256,
    signer.name,
    validity,
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(...extensions)),
  );
  const signed = sequence(body, ECDSA_SHA256, bits(sign("sha256", body, signer.keys.privateKey)));
  const lines = signed.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function distinguished(organisation: string | undefined, name: string): Buffer {
  const part = (attribute: string, value: string) => set(sequence(identifier(attribute), text(value)));
  const common = part("2.5.4.3", name);
  return organisation === undefined ? sequence(common) : sequence(part("2.5.4.10", organisation), common);
}
