import type { World } from "../box/company.ts";

/** A company with one page, for tests of a scan's requests; only its apex domain responds. */
export function fernhill(home: string | { readonly redirect: string } = page("segment.com")): World {
  return {
    companies: [
      {
        domain: "fernhill.test",
        records: { "": { MX: "1 aspmx.l.google.com", NS: "ns1.dns.test" } },
        pages: { "/": home },
      },
    ],
  };
}

/** A home page that loads one script from each host. */
export const page = (...hosts: readonly string[]): string =>
  `<!doctype html><title>Fernhill</title>${hosts.map((host) => `<script src="https://${host}/x.js"></script>`).join("")}`;
