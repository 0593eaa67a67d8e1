/** Public services that a scan queries besides the company's own hosts. `null` or an empty list switches one off. */
export interface DataSources {
  /** DNS zone that maps a reversed IPv4 address to `ASN | prefix | country | …` in TXT. */
  readonly asnZone: string | null;
  /** The same for IPv6 nibbles. */
  readonly asn6Zone: string | null;
  /** Certificate Transparency searches, tried in order; `{domain}` is replaced. */
  readonly certificateLogs: readonly string[];
  /** Microsoft federation lookup; `{domain}` is replaced. */
  readonly microsoftRealm: string | null;
  /** Further tenant lookups; `{label}` and `{domain}` are replaced. A response with status 200 means found. */
  readonly tenantLookups: readonly { readonly label: string; readonly url: string }[];
  /** Container script of Google Tag Manager; `{id}` is replaced. */
  readonly tagManager: string | null;
  /** Public job-board APIs by vendor; `{board}` is replaced. */
  readonly jobBoards: Readonly<Record<JobBoard, string | null>>;
}

export const JOB_BOARDS = [
  "greenhouse",
  "lever",
  "ashby",
  "workable",
  "smartrecruiters",
  "recruitee",
  "teamtailor",
  "personio",
] as const;
export type JobBoard = (typeof JOB_BOARDS)[number];

/** The default of every data source. */
export const PUBLIC_SOURCES = {
  asnZone: "origin.asn.cymru.com",
  asn6Zone: "origin6.asn.cymru.com",
  certificateLogs: [
    "https://crt.sh/?q=%25.{domain}&output=json",
    "https://api.certspotter.com/v1/issuances?domain={domain}&include_subdomains=true&expand=dns_names",
  ],
  microsoftRealm: "https://login.microsoftonline.com/getuserrealm.srf?login=info@{domain}&json=1",
  tenantLookups: [{ label: "okta", url: "https://{label}.okta.com/.well-known/okta-organization" }],
  tagManager: "https://www.googletagmanager.com/gtm.js?id={id}",
  jobBoards: {
    greenhouse: "https://boards-api.greenhouse.io/v1/boards/{board}/jobs?content=true",
    lever: "https://api.lever.co/v0/postings/{board}?mode=json",
    ashby: "https://api.ashbyhq.com/posting-api/job-board/{board}",
    workable: "https://apply.workable.com/api/v1/widget/accounts/{board}?details=true",
    smartrecruiters: "https://api.smartrecruiters.com/v1/companies/{board}/postings",
    recruitee: "https://{board}.recruitee.com/api/offers/",
    teamtailor: "https://{board}.teamtailor.com/jobs.json",
    personio: "https://{board}.jobs.personio.com/xml",
  },
} satisfies DataSources;
