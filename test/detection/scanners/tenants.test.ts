import { expect, test } from "bun:test";
import { Skipped } from "../../../src/detection/scanners/scanner.ts";
import { tenants } from "../../../src/detection/scanners/site.ts";
import { seenBy } from "./emitted-by.ts";
import { type FakeResponse, fakeVisit } from "./fake-visit.ts";

const REALM = "https://realm.test/?login=info@acme.example";
const realm = { microsoftRealm: "https://realm.test/?login=info@{domain}" };

test.each([
  [{ NameSpaceType: "Managed" }, ["tenant.state microsoft:managed"]],
  [
    { NameSpaceType: "Federated", AuthURL: "https://acme.identity.test/app/sso?x=1" },
    ["tenant.host acme.identity.test", "tenant.state microsoft:federated"],
  ],
  [{ NameSpaceType: "Federated", AuthURL: 7 }, ["tenant.state microsoft:federated"]],
  [{ NameSpaceType: "Unknown", AuthURL: "https://acme.identity.test/" }, []],
  [[], []],
])("the realm lookup answers %j", async (answer, signals) => {
  const seen = await seenBy(tenants, { sources: realm, http: { [REALM]: JSON.stringify(answer) } });
  expect(seen).toEqual(signals.map((signal) => `${signal} @ ${REALM}`));
});

test("a realm lookup that fails or returns no JSON emits nothing", async () => {
  expect(await seenBy(tenants, { sources: realm, http: { [REALM]: "<html>" } })).toEqual([]);
  const refused = { code: 503, body: `{"NameSpaceType":"Managed"}` };
  expect(await seenBy(tenants, { sources: realm, http: { [REALM]: refused } })).toEqual([]);
});

const LOOKUP = "https://acme.idp.test/.well-known/organization";
const lookup = { tenantLookups: [{ label: "idp", url: "https://{label}.idp.test/.well-known/organization" }] };

test.each<[string, string | FakeResponse, boolean]>([
  ["names nobody", `{"id":"1"}`, false],
  ["names the company's sign-in host", `{"href":"https://login.acme.example/"}`, true],
  ["names an address of the company", `{"contact":"it@ACME.example."}`, true],
  ["names a longer domain", `{"href":"https://notacme.example/"}`, false],
  ["names a domain that goes on", `{"href":"https://acme.example.other.test/"}`, false],
  ["was not found", { code: 404, body: "acme.example" }, false],
])(
  "a tenant under the company's label counts only with a link to the company: the answer %s",
  async (_, answer, found) => {
    const seen = await seenBy(tenants, { sources: lookup, http: { [LOOKUP]: answer } });
    expect(seen).toEqual(found ? [`tenant.state idp:found @ ${LOOKUP}`] : []);
  },
);

test("a redirect to the company's host links the tenant to it", async () => {
  const http = {
    [LOOKUP]: { code: 302, headers: { location: "https://login.acme.example/" } },
    "https://login.acme.example/": "{}",
  };
  expect(await seenBy(tenants, { sources: lookup, http })).toEqual([
    "tenant.state idp:found @ https://login.acme.example/",
  ]);
});

test("with all lookups disabled the source is skipped", async () => {
  await expect(tenants.scan(fakeVisit(), () => {})).rejects.toThrow(Skipped);
});
