import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { belongsTo, hostOfUrl, isSharedHost, parseDomain, siteOf } from "../../src/core/domain.ts";
import { Failure } from "../../src/core/errors.ts";

function refusalOf(input: string, allow: readonly string[] = []): Failure {
  try {
    parseDomain(input, allow);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`${input} was read`);
}

describe("a domain is parsed from", () => {
  test.each([
    ["its name", "acme.com", "acme.com", "acme"],
    ["a host below it", "www.eu.acme.com", "acme.com", "acme"],
    ["a name under a suffix of two labels", "shop.acme.co.uk", "acme.co.uk", "acme"],
    ["a name under a private suffix", "acme.github.io", "acme.github.io", "acme"],
    ["a host under a private suffix", "www.acme.github.io", "acme.github.io", "acme"],
    ["a customer's host at a provider", "blog.acme.wordpress.com", "acme.wordpress.com", "acme"],
    ["a customer's account at a provider", "acme.my.salesforce.com", "acme.my.salesforce.com", "acme"],
    ["a provider of such hosts", "wordpress.com", "wordpress.com", "wordpress"],
    ["its own host", "https://www.wordpress.com/pricing", "wordpress.com", "wordpress"],
    ["its host of a language", "de.wordpress.com", "wordpress.com", "wordpress"],
    ["a name under a wildcard suffix", "www.acme.kobe.jp", "www.acme.kobe.jp", "www"],
    ["a name that excepts itself from a wildcard", "www.city.kobe.jp", "city.kobe.jp", "city"],
    ["an address", "https://www.acme.com/about?a=b#c", "acme.com", "acme"],
    ["an address without a scheme", "acme.com/about", "acme.com", "acme"],
    ["an address with a port", "acme.com:8443", "acme.com", "acme"],
    ["an address with a user", "https://ada:secret@acme.com/", "acme.com", "acme"],
    ["an e-mail address", "ada@acme.com", "acme.com", "acme"],
    ["an address whose user looks like a host", "https://other.com@acme.com", "acme.com", "acme"],
    ["an address without its scheme's name", "//acme.com/", "acme.com", "acme"],
    ["upper case", "HTTPS://WWW.ACME.COM", "acme.com", "acme"],
    ["a name with a trailing dot", "acme.com.", "acme.com", "acme"],
    ["a name among blanks", "  acme.com\n", "acme.com", "acme"],
    ["a name in Unicode", "www.münchen.de", "xn--mnchen-3ya.de", "xn--mnchen-3ya"],
    ["the same name in ASCII", "XN--mnchen-3ya.de", "xn--mnchen-3ya.de", "xn--mnchen-3ya"],
    ["a name under a suffix in other letters", "www.acme.公司.cn", "acme.xn--55qx5d.cn", "acme"],
    ["a name with full-width letters and dot", "ａｃｍｅ。com", "acme.com", "acme"],
    ["a service name", "_dmarc.acme.com", "acme.com", "acme"],
    ["a name of digits", "123.com", "123.com", "123"],
    ["a name that starts like a hexadecimal number", "0x.org", "0x.org", "0x"],
    ["a longer name that starts so", "www.0xacme.com", "0xacme.com", "0xacme"],
  ])("%s", (_, input, name, label) => {
    expect(parseDomain(input)).toEqual({ name, label });
  });
});

describe("an IP address is refused in every notation", () => {
  test.each([
    "127.0.0.1",
    "http://192.0.2.1:8080/x",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "127.0.0.1.",
    "ada@127.0.0.1",
    "１２７.0.0.1",
    "[::1]",
    "http://[2001:db8::1]:80/",
    "[::ffff:127.0.0.1]",
  ])("%s", (input) => {
    expect(refusalOf(input)).toMatchObject({ code: "domain.invalid", message: expect.stringContaining("IP address") });
  });
});

describe("not a domain:", () => {
  test.each([
    ["nothing", "", "such as acme.com"],
    ["blanks", " \t", "such as acme.com"],
    ["a single label", "acme", '"acme" has no ending such as .com'],
    ["a top-level domain", "com", '"com" has no ending such as .com'],
    ["a public suffix", "co.uk", "public suffix"],
    ["a private suffix", "github.io", "public suffix"],
    ["a sentence", "the company acme", "such as acme.com"],
    ["a name with an empty label", "acme..com", "such as acme.com"],
    ["two trailing dots", "acme.com..", "such as acme.com"],
    ["a label that starts with a dash", "-acme.com", "such as acme.com"],
    ["a label that ends with a dash", "acme-.com", "such as acme.com"],
    ["a label that is too long", `${"a".repeat(64)}.com`, "such as acme.com"],
    ["a name that is too long", `${"a.".repeat(130)}com`, "such as acme.com"],
    ["a text that is too long", `acme.com/${"a".repeat(2_048)}`, "such as acme.com"],
    ["a bare IPv6 address", "::1", "such as acme.com"],
    ["another scheme", "ftp://acme.com/", "such as acme.com"],
    ["a script", "javascript:alert(1)", "such as acme.com"],
    ["a port beyond all", "acme.com:99999", "such as acme.com"],
    ["a name that ends in a number", "acme.1", "such as acme.com"],
    ["broken punycode", "xn--a.com", "such as acme.com"],
    ["a wildcard", "*.acme.com", "such as acme.com"],
    ["a null", "acme\0.com", "such as acme.com"],
  ])("%s", (_, input, advice) => {
    expect(refusalOf(input)).toMatchObject({ code: "domain.invalid", message: expect.stringContaining(advice) });
  });
});

describe("a reserved name", () => {
  test.each([
    "acme.test",
    "acme.example",
    "acme.invalid",
    "acme.localhost",
    "printer.local",
    "acme.internal",
    "acme.onion",
    "acme.home.arpa",
    "1.0.0.127.in-addr.arpa",
    "www.example.com",
    "example.org.",
  ])("%s is refused as reserved", (input) => {
    expect(refusalOf(input)).toMatchObject({ code: "domain.reserved" });
  });

  test("is accepted where the installation allows it, and no other is", () => {
    expect(parseDomain("www.acme.example", ["example"])).toEqual({ name: "acme.example", label: "acme" });
    expect(refusalOf("acme.test", ["example"]).code).toBe("domain.reserved");
  });

  test("alone is a single label, even when it is allowed", () => {
    expect(refusalOf("example", ["example"]).code).toBe("domain.invalid");
    expect(refusalOf("localhost").code).toBe("domain.invalid");
  });
});

test("any input gives a domain that parses to itself, or a failure", () => {
  const piece = fc.constantFrom(
    "acme",
    "com",
    "co.uk",
    ".",
    "-",
    ":",
    "/",
    "@",
    "[",
    "]",
    "0x7f",
    "xn--",
    "。",
    "%2e",
    "#",
    "?",
    "\\",
    "\0",
    "ß",
    "github.io",
    "wordpress.com",
    "https://",
    "١",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.array(piece, { maxLength: 8 }).map((some) => some.join("")),
    fc.domain(),
    fc.webUrl(),
    fc.ipV4Extended(),
    fc.ipV6(),
  );
  fc.assert(
    fc.property(text, (input) => {
      try {
        const domain = parseDomain(input);
        expect(domain.name).toMatch(/^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/);
        expect(domain.name.startsWith(`${domain.label}.`)).toBe(true);
        expect(parseDomain(domain.name)).toEqual(domain);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        expect(error.code).toStartWith("domain.");
      }
    }),
    { numRuns: 10_000 },
  );
});

test.each([
  ["acme.com", true],
  ["www.acme.com", true],
  ["notacme.com", false],
  ["acme.com.evil.test", false],
  ["com", false],
])("%s belongs to acme.com: %p", (host, expected) => {
  expect(belongsTo(host, "acme.com")).toBe(expected);
});

test.each([
  ["www.acme.co.uk", "acme.co.uk"],
  ["Docs.Acme.Example.", "acme.example"],
  ["one.github.io", "one.github.io"],
  ["github.io", "github.io"],
  ["a.One.wordpress.com", "one.wordpress.com"],
  ["wordpress.com", "wordpress.com"],
  ["localhost", "localhost"],
  ["127.0.0.1", "127.0.0.1"],
  ["[::1]", "[::1]"],
  ["", ""],
])("%s is a host of the site %p", (host, expected) => {
  expect(siteOf(host)).toBe(expected);
});

test.each([
  ["acme.github.io", true],
  ["acme.wordpress.com", true],
  ["assets.acme.s3.amazonaws.com", true],
  ["www.wordpress.com", false],
  ["static1.squarespace.com", false],
  ["embed.typeform.com", false],
  ["by2.uservoice.com", false],
  ["Acme.typeform.com", true],
  ["wordpress.com", false],
  ["ajax.googleapis.com", false],
  ["cdn.acme.com", false],
])("%s is one of many owners' hosts: %p", (host, expected) => {
  expect(isSharedHost(host)).toBe(expected);
});

test("a refusal has the given text, in bounds and without control characters", () => {
  expect(() => parseDomain("not\u0000a\u001b[31m domain")).toThrow('"not a [31m domain" is not a domain: give a');
  expect(() => parseDomain("é ".repeat(5_000))).toThrow(/^"(?:é ){59}é…" is not a domain: give a/);
  expect(() => parseDomain(" ")).toThrow("Give a company's domain, such as acme.com.");
});

test("the host of an address is that of a parser", () => {
  const part = fc.constantFrom(
    ...[
      "a",
      "Z",
      "7",
      "-",
      ".",
      "..",
      "com",
      "xn--",
      "0x7f",
      "é",
      "%41",
      "_",
      "@",
      ":",
      ":80",
      ":443",
      "/",
      "?",
      "#",
      "\\",
      "\t",
      " ",
      "[::1]",
    ],
  );
  fc.assert(
    fc.property(
      fc.constantFrom("https://", "http://", "HTTPS://", "//", "data:", "https:"),
      fc.array(part, { maxLength: 8 }),
      (scheme, parts) => {
        const address = scheme + parts.join("");
        expect(hostOfUrl(address)).toBe(URL.parse(address)?.hostname ?? "");
      },
    ),
    { numRuns: 5_000 },
  );
});
