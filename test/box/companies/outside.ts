import type { Page, Pages, World } from "../company.ts";

const missing: Page = { status: 404, json: { error: "Not found" } };
const nothing: Pages = { "/*": missing };

/** The public services that a scan queries, with their responses for an unknown company. */
export function outside(domain: string): World {
  return {
    services: {
      "login.microsoftonline.com": {
        [`/getuserrealm.srf?login=info@${domain}&json=1`]: {
          json: { State: 4, UserState: 1, Login: `info@${domain}`, NameSpaceType: "Unknown" },
        },
      },
      "*.okta.com": nothing,
      "crt.sh": { [`/?q=%25.${domain}&output=json`]: { json: [] }, "/*": missing },
      "api.certspotter.com": {
        [`/v1/issuances?domain=${domain}&include_subdomains=true&expand=dns_names`]: { json: [] },
        "/*": missing,
      },
      "www.googletagmanager.com": nothing,
      "boards-api.greenhouse.io": nothing,
      "api.lever.co": nothing,
      "api.ashbyhq.com": nothing,
      "apply.workable.com": nothing,
      "api.smartrecruiters.com": { "/*": { json: { offset: 0, limit: 100, totalFound: 0, content: [] } } },
      "*.recruitee.com": nothing,
      "*.teamtailor.com": nothing,
      "*.jobs.personio.com": nothing,
    },
  };
}

/** One row of a certificate log as crt.sh shows it. */
export const logged = (id: number, names: readonly string[], issuer: string) => ({
  issuer_ca_id: 295_810,
  issuer_name: issuer,
  common_name: names[0],
  name_value: names.join("\n"),
  id,
  entry_timestamp: "2026-09-14T08:21:44.512",
  not_before: "2026-09-14T07:23:12",
  not_after: "2026-12-13T07:23:11",
  serial_number: `04${id.toString(16).padStart(34, "7")}`,
  result_count: 2,
});
