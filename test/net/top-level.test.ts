import { expect, test } from "bun:test";
import type { DnsAnswer } from "../../src/net/snapshot.ts";
import { knowsTopLevel } from "../../src/net/top-level.ts";

const FULL = { com: "ok", uk: "ok" } as const;

test.each<[string, string, Readonly<Record<string, DnsAnswer["status"]>>, boolean]>([
  ["knows the top-level domain", "acme.co.uk", FULL, true],
  ["knows no public name", "acme.co.uk", {}, false],
  ["does not answer for the top-level domain", "acme.co.uk", { com: "ok", uk: "timeout" }, false],
  ["knows public names, and the top-level domain does not exist", "acme.nosuchtop", FULL, true],
  ["knows no public name, and the top-level domain does not exist", "acme.nosuchtop", {}, false],
  ["is asked for a name of its own network", "acme.internal", {}, true],
  ["is asked for a name of a test network", "acme.test", {}, true],
])("no such name: a resolver that %s", async (_, name, zone, isTrusted) => {
  const lookup = async (top: string) => ({ status: zone[top] ?? ("nxdomain" as const) });
  expect(await knowsTopLevel(name, lookup)).toBe(isTrusted);
});
