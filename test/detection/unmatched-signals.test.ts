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

describe("what a scan saw and no rule knew", () => {
  test("is reported by the domain that was registered, with a host of it", () => {
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

  test("is reported by the start of a verification, and never by its secret", () => {
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
  ])("is no verification: %s", (text) => {
    expect(listed([], [signal("dns.txt", text)])).toEqual([]);
  });

  test("is not the company's own, an address, or another kind", () => {
    const seen = [
      signal("html.script", "https://static.acme.example/x.js"),
      signal("html.script", "https://192.0.2.7/x.js"),
      signal("html.script", "no address"),
      signal("html.image", "https://stranger.test/x.gif"),
    ];
    expect(listed([], seen)).toEqual([]);
  });

  test("is not reported once a rule knew a host of the same domain, whichever came first", () => {
    const known = [signal("html.script", "https://js.vendor.test/loader.js")];
    expect(listed(known, [signal("html.script", "https://img.vendor.test/other.js")])).toEqual([]);
    expect(listed(known, [signal("dns.cname", "acme.vendor.test")])).toEqual(["alias vendor.test acme.vendor.test"]);
  });
});

test("an entry of the queue can be asked for again as the signal that it was", () => {
  expect(signalOf({ kind: "verification", value: "x-verify=", example: "x-verify=" })).toMatchObject({
    kind: "dns.txt",
    value: expect.stringMatching(/^x-verify=\w+$/),
  });
  expect(signalOf({ kind: "script", value: "a.test", example: "cdn.a.test" }).value).toBe("https://cdn.a.test/");
  expect(signalOf({ kind: "alias", value: "a.test", example: "cdn.a.test" }).value).toBe("cdn.a.test");
});
