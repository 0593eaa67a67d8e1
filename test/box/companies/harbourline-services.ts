import type { Pages } from "../company.ts";
import { logged } from "./outside.ts";

/** Responses of external services about Harbourline. */
export function harbourlineServices(domain: string): Record<string, Pages> {
  const issuer = "C=US, O=Let's Encrypt, CN=R11";
  const logs = [
    logged(14_820_771_031, [`*.${domain}`, domain], issuer),
    logged(14_820_771_944, [`staging.${domain}`], issuer),
    logged(14_820_772_380, [`grafana.${domain}`, `k8s.ingress.${domain}`], issuer),
    logged(14_820_773_117, [`help.${domain}`, `docs.${domain}`, `developers.${domain}`], issuer),
  ];
  return {
    "harbourline.okta.com": {
      "/.well-known/okta-organization": {
        json: {
          id: "00o7k2m9xqVzTrLw4697",
          _links: {
            organization: { href: "https://harbourline.okta.com" },
            alternate: { href: `https://sso.${domain}` },
          },
          pipeline: "idx",
          settings: { analyticsCollectionEnabled: false, bugReportingEnabled: true, omEnabled: false },
        },
      },
    },
    "crt.sh": { [`/?q=%25.${domain}&output=json`]: { json: logs } },
    "api.certspotter.com": {
      [`/v1/issuances?domain=${domain}&include_subdomains=true&expand=dns_names`]: {
        json: logs.map((row) => ({ id: String(row.id), dns_names: row.name_value.split("\n"), revoked: false })),
      },
    },
    "www.googletagmanager.com": {
      "/gtm.js?id=GTM-K7H2RB9": {
        body: container,
        headers: { "content-type": "application/javascript; charset=UTF-8" },
      },
    },
    "boards-api.greenhouse.io": {
      "/v1/boards/harbourline/jobs?content=true": { json: { jobs: postings, meta: { total: 2 } } },
    },
  };
}

/** Greenhouse sends the text of a posting as HTML that is escaped once more. */
const escaped = (html: string) => html.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const postings = [
  {
    id: 6_104_772_003,
    internal_job_id: 4_881_203_003,
    title: "Senior Platform Engineer",
    absolute_url: "https://boards.greenhouse.io/harbourline/jobs/6104772003",
    updated_at: "2026-10-20T09:14:02-04:00",
    location: { name: "Bristol, United Kingdom" },
    departments: [{ id: 1, name: "Engineering" }],
    content: escaped(
      "<p>Harbourline is an invented company.</p><p>You will run our clusters on AWS with Kubernetes and Terraform, " +
        "ship through GitHub Actions and ArgoCD, and watch it all in Datadog and PagerDuty.</p>" +
        "<ul><li>Our data lands in Snowflake by way of Fivetran and dbt.</li>" +
        "<li>We keep secrets in HashiCorp Vault and roll features out with LaunchDarkly.</li></ul>",
    ),
  },
  {
    id: 6_104_772_119,
    internal_job_id: 4_881_203_117,
    title: "Revenue Operations Manager",
    absolute_url: "https://boards.greenhouse.io/harbourline/jobs/6104772119",
    updated_at: "2026-10-11T11:40:37-04:00",
    location: { name: "Remote, Europe" },
    departments: [{ id: 2, name: "Go to market" }],
    content: escaped(
      "<p>Harbourline is an invented company.</p><p>You own our Salesforce and HubSpot set-up, sequences in Outreach, " +
        "calls in Gong, lists from ZoomInfo, and the billing hand-over to Chargebee and NetSuite.</p>" +
        "<p>People matters run in HiBob; we plan in Jira and Notion and talk in Slack.</p>",
    ),
  },
];

const tag = (name: string, fields: Readonly<Record<string, unknown>>) => ({
  function: name,
  once_per_event: true,
  ...fields,
});
const script = (source: string) => tag("__html", { vtp_html: `<script type="text/gtmscript">${source}</script>` });

/** A container as the tag manager serves it: one JSON resource inside a long script, its slashes escaped. */
const resource = {
  resource: {
    version: "41",
    macros: [{ function: "__e" }, { function: "__u", vtp_component: "HOST" }],
    tags: [
      tag("__googtag", { vtp_tagId: "G-7QK2M4V9XD" }),
      tag("__awct", { vtp_conversionId: "9283746510", vtp_conversionLabel: "kQ7mCNzXw9QYEJ" }),
      tag("__bzi", { vtp_id: "4827113" }),
      script(
        "!function(f,b,e,v){var t=b.createElement(e);t.src=v;b.head.appendChild(t)}" +
          "(window,document,'script','https://connect.facebook.net/en_US/fbevents.js');fbq('init','718204639571123');",
      ),
      script("var s=document.createElement('script');s.src='https://tag.clearbitscripts.com/v1/pk_9a2c/tags.js';"),
      script(
        "var q=document.createElement('script');q.src='https://a.quora.com/qevents.js';document.head.appendChild(q);",
      ),
    ],
    predicates: [{ function: "_eq", arg0: ["macro", 0], arg1: "gtm.js" }],
    rules: [
      [
        ["if", 0],
        ["add", 0, 1, 2, 3, 4, 5],
      ],
    ],
  },
  runtime: [],
};
const container = `// Copyright 2012 Google Inc. All rights reserved.
(function(){
var data = ${JSON.stringify(resource).replaceAll("/", "\\/").replaceAll("<", "\\u003C").replaceAll(">", "\\u003E")};
var k="https://www.googletagmanager.com";
})();
`;
