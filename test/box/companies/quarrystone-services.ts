import type { Pages } from "../company.ts";
import { logged } from "./outside.ts";

/** Responses of external services about Quarrystone. */
export function quarrystoneServices(domain: string): Record<string, Pages> {
  const issuer = "C=US, O=Amazon, CN=Amazon RSA 2048 M03";
  return {
    "login.microsoftonline.com": {
      [`/getuserrealm.srf?login=info@${domain}&json=1`]: {
        json: {
          State: 3,
          UserState: 2,
          Login: `info@${domain}`,
          NameSpaceType: "Federated",
          DomainName: domain,
          FederationGlobalVersion: -1,
          AuthURL: "https://auth.pingone.eu/0f2c81d9-4be6-35c7-f018-2d4e9ba36571/saml20/idp/sso?username=info",
          FederationBrandName: "Quarrystone (invented)",
          CloudInstanceName: "microsoftonline.com",
        },
      },
    },
    "crt.sh": {
      [`/?q=%25.${domain}&output=json`]: {
        json: [
          logged(13_710_442_817, [domain, `www.${domain}`], issuer),
          logged(13_710_447_204, [`support.${domain}`, `learn.${domain}`], issuer),
          logged(13_710_448_553, [`jenkins.${domain}`, `vpn.${domain}`], issuer),
        ],
      },
    },
    "api.lever.co": { "/v0/postings/quarrystone?mode=json": { json: postings } },
    "quarrystone.service-now.com": { "/": "<title>Quarrystone service desk</title>" },
  };
}

const posting = (id: string, text: string, team: string, description: string) => ({
  id,
  text,
  hostedUrl: `https://jobs.lever.co/quarrystone/${id}`,
  applyUrl: `https://jobs.lever.co/quarrystone/${id}/apply`,
  createdAt: 1_760_000_000_000,
  categories: { commitment: "Full time", location: "Sheffield", team, allLocations: ["Sheffield"] },
  description: `<div>${description}</div>`,
  descriptionPlain: description,
  lists: [{ text: "What you bring", content: "<li>Five years in a like place</li>" }],
  additional: "",
  additionalPlain: "",
});

const postings = [
  posting(
    "2c81f7d9-a04b-4635-87f0-182d4e9ba365",
    "Data Engineer",
    "Technology",
    "Quarrystone is an invented company. You build pipelines with Azure Data Factory and Databricks, model in Power BI, " +
      "deploy from Azure DevOps and Jenkins, and answer to alerts from Splunk and Dynatrace.",
  ),
  posting(
    "71c0fe84-d2a9-4b67-950c-148f9d72ab03",
    "HR Systems Analyst",
    "People",
    "Quarrystone is an invented company. You look after Workday for our people data and ADP for payroll, raise changes in " +
      "ServiceNow, and train colleagues in Docebo. Expenses run through SAP Concur.",
  ),
];
