import { expect, test } from "bun:test";
import { mailNames } from "../../../src/detection/scanners/mail.ts";
import { seenBy } from "./emitted-by.ts";

test("autodiscover and similar names show the host that they are an alias of", async () => {
  const dns = {
    "autodiscover.acme.example CNAME": ["autodiscover.vendor.test"],
    "sso.acme.example CNAME": ["login.acme.example"],
    "login.acme.example CNAME": ["acme.identity.test"],
    "mail.acme.example A": ["192.0.2.1"],
  };
  expect(await seenBy(mailNames, { dns })).toEqual([
    "dns.cname acme.identity.test @ login.acme.example CNAME",
    "dns.cname acme.identity.test @ sso.acme.example CNAME",
    "dns.cname autodiscover.vendor.test @ autodiscover.acme.example CNAME",
  ]);
});

test("a service record shows the service and its host, unless that is first-party or absent", async () => {
  const dns = {
    "_sip._tls.acme.example SRV": ["100 sip.vendor.test."],
    "_imaps._tcp.acme.example SRV": ["0 mail.acme.example", "0 ."],
  };
  expect(await seenBy(mailNames, { dns })).toEqual(["dns.srv _sip._tls: sip.vendor.test @ _sip._tls.acme.example SRV"]);
});

test("service records of a recorded zone's subdomains count", async () => {
  const dns = { "_sipfederationtls._tcp.court.acme.example SRV": ["100 federation.vendor.test"] };
  const known = { names: ["_sipfederationtls._tcp.court.acme.example"] };
  expect(await seenBy(mailNames, { dns, known })).toEqual([
    "dns.srv _sipfederationtls._tcp: federation.vendor.test @ _sipfederationtls._tcp.court.acme.example SRV",
  ]);
});

test("wildcard answers emit nothing", async () => {
  const dns = {
    "*.acme.example CNAME": ["parking.test"],
    "*.acme.example SRV": ["0 parking.test"],
    "sso.acme.example CNAME": ["acme.identity.test"],
  };
  expect(await seenBy(mailNames, { dns })).toEqual(["dns.cname acme.identity.test @ sso.acme.example CNAME"]);
});
