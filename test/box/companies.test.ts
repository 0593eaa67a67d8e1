import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Box, openBox } from "./box.ts";
import { harbourline } from "./companies/harbourline.ts";
import { quarrystone } from "./companies/quarrystone.ts";
import { together, type World } from "./company.ts";
import { EXAMPLE_PATH, exampleText } from "./example.ts";
import { readZone } from "./zone.ts";

let box: Box;
beforeAll(async () => {
  box = await openBox(together(harbourline(), quarrystone()));
});
afterAll(() => box.close());

const get = (host: string, target: string) =>
  fetch(`https://127.0.0.1:${box.connectPorts.get(443)}${target}`, {
    headers: { host },
    tls: { ca: box.ca, serverName: host },
    redirect: "manual",
  });

describe.each([
  ["harbourline", harbourline],
  ["quarrystone", quarrystone],
] as const)("%s", (label, company) => {
  test("its apex redirects to its home page, which states that it is fictional", async () => {
    const www = `www.${label}.test`;
    expect((await get(`${label}.test`, "/")).headers.get("location")).toBe(`https://${www}/`);
    expect(await (await get(www, "/")).text()).toContain("is an invented company");
  });

  test("its certificate log lists it, as well as the other company", async () => {
    const rows = await (await get("crt.sh", `/?q=%25.${label}.test&output=json`)).text();
    expect(rows).toContain(`.${label}.test`);
  });

  test("every host with pages has an address", () => {
    const zone = readZone(company(), "127.0.0.1");
    const hosts = Object.keys(company().companies?.[0]?.pages ?? {}).map((key) => key.split("/", 1)[0]);
    const addresses = [...new Set(hosts)].map((host) => {
      const { records } = zone.answer(host ? `${host}.${label}.test` : `${label}.test`, "A");
      return records.at(-1)?.data;
    });
    expect(addresses).toEqual(addresses.map(() => "127.0.0.1"));
  });

  test("every occurrence of its name changes with its top-level domain", () => {
    const moved: World = company({ top: "example" });
    expect(JSON.stringify(moved)).not.toContain(`${label}.test`);
  });
});

test.each([
  ["boards-api.greenhouse.io", "/v1/boards/harbourline/jobs?content=true", 200],
  ["boards-api.greenhouse.io", "/v1/boards/quarrystone/jobs?content=true", 404],
  ["api.lever.co", "/v0/postings/quarrystone?mode=json", 200],
  ["harbourline.okta.com", "/.well-known/okta-organization", 200],
  ["quarrystone.okta.com", "/.well-known/okta-organization", 404],
  ["www.googletagmanager.com", "/gtm.js?id=GTM-K7H2RB9", 200],
  ["login.microsoftonline.com", "/getuserrealm.srf?login=info@quarrystone.test&json=1", 200],
])("%s%s answers %i", async (host, target, status) => {
  expect((await get(host, target)).status).toBe(status);
});

test("the example in the repository equals the generated one", async () => {
  const kept = await Bun.file(new URL(`../../${EXAMPLE_PATH}`, import.meta.url)).text();
  expect(kept).toBe(exampleText());
});
