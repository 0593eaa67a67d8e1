import { harbourline } from "./companies/harbourline.ts";
import { snapshotOf } from "./snapshot-of.ts";

/** Path of the example from the root of the repository. */
export const EXAMPLE_PATH = "data/examples/harbourline.example.json";

/** From the block that RFC 5737 keeps for documentation. */
const ADDRESS = "192.0.2.21";

/** Files that a scan looks for and that Harbourline does not have. */
const ABSENT = [
  "/app-ads.txt",
  "/security.txt",
  "/llms.txt",
  ...[
    "no-such-file-is-here",
    "assetlinks.json",
    "openid-configuration",
    "oauth-authorization-server",
    "oauth-protected-resource",
    "change-password",
    "apple-developer-merchantid-domain-association",
    "microsoft-identity-association.json",
    "nostr.json",
    "matrix/client",
    "matrix/server",
    "dnt-policy.txt",
    "gpc.json",
    "traffic-advice",
    "ai.txt",
  ].map((name) => `/.well-known/${name}`),
];

/** The recording of harbourline.example as the file holds it. */
export function exampleText(): string {
  const snapshot = snapshotOf(harbourline({ top: "example", address: ADDRESS }), {
    address: ADDRESS,
    at: new Date("2026-11-02T09:00:00Z"),
    origin: "casefile 0.1.0",
    absent: ABSENT.flatMap((path) => [`https://harbourline.example${path}`, `https://www.harbourline.example${path}`]),
  });
  return `${JSON.stringify(snapshot, null, 2)}\n`;
}
