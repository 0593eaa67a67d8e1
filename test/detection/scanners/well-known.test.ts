import { expect, test } from "bun:test";
import { wellKnown } from "../../../src/detection/scanners/site.ts";
import { seenBy } from "./emitted-by.ts";

const at = (name: string) => `https://acme.example/.well-known/${name}`;

test.each<[string, string]>([
  ["security.txt", "Contact: https://bounty.test/acme"],
  ["apple-app-site-association", `{"applinks":{}}`],
  ["assetlinks.json", `[{"relation":["x"]}]`],
  ["openid-configuration", `{"issuer":"https://acme.idp.test/"}`],
  ["oauth-authorization-server", `{"issuer":"https://acme.idp.test/"}`],
  ["matrix/client", `{"m.homeserver":{"base_url":"https://acme.chat.test"}}`],
  ["apple-developer-merchantid-domain-association", "7B2276657273696F6E223A317D"],
])("%s emits its name and text", async (name, body) => {
  expect(await seenBy(wellKnown, { http: { [at(name)]: body } })).toEqual([
    `file.well-known ${name}\n${body} @ ${at(name)}`,
  ]);
});

test.each<[string, string]>([
  ["security.txt", "We take security seriously."],
  ["openid-configuration", "<p>issuer"],
  ["openid-configuration", `{"error":"not found"}`],
  ["assetlinks.json", "[]"],
])("%s with the content %j is ignored", async (name, body) => {
  expect(await seenBy(wellKnown, { http: { [at(name)]: body } })).toEqual([]);
});

test("security.txt is also found at its former path", async () => {
  const url = "https://acme.example/security.txt";
  const seen = await seenBy(wellKnown, { http: { [url]: "Contact: mailto:a@b.test" } });
  expect(seen).toEqual([`file.well-known security.txt\nContact: mailto:a@b.test @ ${url}`]);
});

test("a response that a random name gets too is ignored for all names", async () => {
  const body = `{"issuer":"https://acme.idp.test/"}`;
  const http = { [at("no-such-file-is-here")]: body, [at("openid-configuration")]: body };
  expect(await seenBy(wellKnown, { http })).toEqual([]);
});

test("the change-password path is a signal, unless every unknown name redirects there", async () => {
  const redirect = { code: 302, headers: { location: "https://acme.idp.test/reset" } };
  const http = { [at("change-password")]: redirect, "https://acme.idp.test/reset": "<p>Reset" };
  expect(await seenBy(wellKnown, { http })).toEqual([
    `file.well-known change-password\nhttps://acme.idp.test/reset @ ${at("change-password")}`,
  ]);
  expect(await seenBy(wellKnown, { http: { ...http, [at("no-such-file-is-here")]: redirect } })).toEqual([]);
});
