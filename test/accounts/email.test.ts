import { expect, test } from "bun:test";
import { normaliseEmail } from "../../src/accounts/service.ts";

test.each([
  ["ada@acme.example", "ada@acme.example"],
  ["  Ada.Lovelace+casefile@ACME.Example\n", "ada.lovelace+casefile@acme.example"],
  ["o'brien@mail.acme.example", "o'brien@mail.acme.example"],
  ["ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
  ["Ünal@acme.example", "ünal@acme.example"],
  ["U\u0308nal@acme.example", "ünal@acme.example"],
])("%j is normalised to %s", (given, folded) => {
  expect(normaliseEmail(given)).toBe(folded);
});

test.each([
  "",
  "ada",
  "@acme.example",
  "ada@",
  "ada@localhost",
  "ada@127.0.0.1",
  "ada@[127.0.0.1]",
  "ada@acme..example",
  "ada@-acme.example",
  "ada@acme.example.",
  "ada@acme.example/path",
  "ada@acme.example:25",
  ".ada@acme.example",
  "ada.@acme.example",
  "ada..l@acme.example",
  "ada lovelace@acme.example",
  "ada\u0000@acme.example",
  "ada\r\nBcc: eve@evil.example",
  "ada@bob@acme.example",
  "Ada <ada@acme.example>",
  "ada@acme.example, bob@acme.example",
  `${"a".repeat(65)}@acme.example`,
  `ada@${"a".repeat(64)}.example`,
  `ada@${"a.".repeat(130)}example`,
  "a".repeat(1_000_000),
])("%j is not an address", (given) => {
  expect(() => normaliseEmail(given)).toThrow(expect.objectContaining({ code: "email.invalid" }));
});
