import type { World } from "../box/company.ts";

/** A company with one page, for tests of how a scan goes about its business; it answers at its apex alone. */
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

/** A home page that loads one script of each host. */
export const page = (...hosts: readonly string[]): string =>
  `<!doctype html><title>Fernhill</title>${hosts.map((host) => `<script src="https://${host}/x.js"></script>`).join("")}`;
