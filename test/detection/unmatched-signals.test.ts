import { describe, expect, test } from "bun:test";
import type { Signal, SignalKind } from "../../src/detection/signals.ts";
import { createUnmatchedCollector, signalOf } from "../../src/detection/unmatched-signals.ts";

const signal = (kind: SignalKind, value: string): Signal => ({ kind, value, location: "" });
function listed(known: readonly Signal[], unknown: readonly Signal[]) {
  const unknowns = createUnmatchedCollector({ name: "acme.example" });
  for (const one of known) unknowns.add(one, true);
  for (const one of unknown) unknowns.add(one, false);
  return unknowns.list().map(({ kind, value, example }) => `${kind} ${value} ${example}`);
}

describe("an unmatched signal", () => {
  test("is stored by registrable domain, with a host of it", () => {
    const seen = [
      signal("html.script", "https://a1.cdn.stranger.test/x.js?id=7"),
      signal("html.script", "https://b2.cdn.stranger.test/x.js"),
      signal("dns.cname", "acme.hosted.test"),
    ];
    expect(listed([], seen)).toEqual([
      "script stranger.test a1.cdn.stranger.test",
      "alias hosted.test acme.hosted.test",
    ]);
  });

  test("is stored by the prefix of a verification, never with its secret", () => {
    expect(listed([], [signal("dns.txt", "Stranger-Site-Verification=s3cr3tS3cr3tS3cr3t")])).toEqual([
      "verification stranger-site-verification= stranger-site-verification=",
    ]);
  });

  test.each([
    "v=spf1 include:mail.test ~all",
    "k=rsa; p=MIGf",
    "Our office is closed: call later please",
    "d41d8cd98f00b204e9800998ecf8427e",
    "d41d8cd98f00b204e9800998ecf8427e=abcdef",
    "ab=short name",
    "=abc",
    "",
  ])("is not a verification: %s", (text) => {
    expect(listed([], [signal("dns.txt", text)])).toEqual([]);
  });

  test("is not a first-party host, an address, or another kind", () => {
    const seen = [
      signal("html.script", "https://static.acme.example/x.js"),
      signal("html.script", "https://192.0.2.7/x.js"),
      signal("html.script", "no address"),
      signal("html.image", "https://stranger.test/x.gif"),
    ];
    expect(listed([], seen)).toEqual([]);
  });

  test("is not stored once a rule matched a host of the same domain, in whatever order", () => {
    const known = [signal("html.script", "https://js.vendor.test/loader.js")];
    expect(listed(known, [signal("html.script", "https://img.vendor.test/other.js")])).toEqual([]);
    expect(listed(known, [signal("dns.cname", "acme.vendor.test")])).toEqual(["alias vendor.test acme.vendor.test"]);
  });
});

test("in the queue can be restored as the original signal", () => {
  expect(signalOf({ kind: "verification", value: "x-verify=", example: "x-verify=" })).toMatchObject({
    kind: "dns.txt",
    value: expect.stringMatching(/^x-verify=\w+$/),
  });
  expect(signalOf({ kind: "script", value: "a.test", example: "cdn.a.test" }).value).toBe("https://cdn.a.test/");
  expect(signalOf({ kind: "alias", value: "a.test", example: "cdn.a.test" }).value).toBe("cdn.a.test");
});
