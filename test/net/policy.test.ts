import { expect, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import { createPolicy } from "../../src/net/policy.ts";

const policy = createPolicy({ allowCidrs: [], extraPorts: [8443] });

test.each([
  ["IPv4", "93.184.215.14"],
  ["IPv4 next to a private block", "172.32.0.1"],
  ["IPv4 next to the shared block", "100.128.0.1"],
  ["IPv6", "2606:4700::6810:85e5"],
  ["public IPv4 mapped into IPv6", "::ffff:93.184.215.14"],
  ["public IPv4 behind NAT64", "64:ff9b::5db8:d70e"],
])("a public address is allowed: %s", (_, ip) => {
  expect(policy.addressAllowed(ip)).toBe(true);
});

test.each([
  ["unspecified", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["private", "10.0.0.1"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["shared by carriers", "100.64.0.1"],
  ["shared by carriers, with a cloud's metadata", "100.100.100.200"],
  ["loopback", "127.0.0.1"],
  ["loopback", "127.255.255.254"],
  ["link-local, with clouds' metadata", "169.254.169.254"],
  ["metadata of Azure", "168.63.129.16"],
  ["protocol assignments", "192.0.0.192"],
  ["documentation", "192.0.2.1"],
  ["documentation", "198.51.100.7"],
  ["documentation", "203.0.113.9"],
  ["AS112", "192.31.196.1"],
  ["AMT", "192.52.193.1"],
  ["6to4 relay", "192.88.99.1"],
  ["AS112", "192.175.48.1"],
  ["benchmarking", "198.18.0.1"],
  ["benchmarking", "198.19.255.255"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["site-local", "fec0::1"],
  ["unique local", "fc00::1"],
  ["unique local, metadata of AWS", "fd00:ec2::254"],
  ["multicast", "ff02::1"],
  ["discard", "100::1"],
  ["documentation", "2001:db8::1"],
  ["documentation", "3fff::1"],
  ["benchmarking", "2001:2::1"],
  ["ORCHID", "2001:20::1"],
  ["segment routing", "5f00::1"],
  ["AS112", "2620:4f:8000::1"],
  ["IPv4-compatible", "::127.0.0.1"],
  ["loopback mapped into IPv6", "::ffff:127.0.0.1"],
  ["private mapped into IPv6", "::ffff:a00:1"],
  ["metadata mapped into IPv6", "::ffff:169.254.169.254"],
  ["loopback behind NAT64", "64:ff9b::7f00:1"],
  ["private behind NAT64", "64:ff9b::10.0.0.1"],
  ["local NAT64", "64:ff9b:1::1"],
  ["translated", "::ffff:0:127.0.0.1"],
  ["private in 6to4", "2002:a00:1::1"],
  ["loopback in 6to4", "2002:7f00:1::"],
  ["Teredo", "2001:0:4136:e378:8000:63bf:f5ff:fffe"],
  ["octal", "0177.0.0.1"],
  ["hexadecimal", "0x7f000001"],
  ["one number", "2130706433"],
  ["short", "127.1"],
  ["a name", "localhost"],
  ["nothing", ""],
])("an address that is not on the public internet is refused: %s %s", (_, ip) => {
  expect(policy.addressAllowed(ip)).toBe(false);
});

test("an allowed block allows its addresses in every notation, and no others", () => {
  const own = createPolicy({ allowCidrs: ["10.20.0.0/16", "fd00:1::/32"], extraPorts: [] });
  const verdicts = ["10.20.3.4", "::ffff:10.20.3.4", "64:ff9b::a14:304", "fd00:1::9", "10.21.0.1", "fd00:2::1"];
  expect(verdicts.map((ip) => own.addressAllowed(ip))).toEqual([true, true, true, true, false, false]);
});

test.each(["10.0.0.0", "10.0.0.0/33", "ten/8", "0x0a.0.0.0/8", "10.0.0.0/08x", "::/129"])(
  "a value that is not a CIDR block is refused at the start: %s",
  (cidr) => {
    expect(() => createPolicy({ allowCidrs: [cidr], extraPorts: [] })).toThrow(Failure);
  },
);

test.each([
  ["https://acme.example/"],
  ["http://acme.example/a?b#c"],
  ["https://acme.example:8443/"],
  ["http://acme.example:443/"],
  ["https://93.184.215.14/"],
])("a web address on a web port is allowed: %s", (url) => {
  expect(policy.urlAllowed(url)).toBe(true);
});

test.each([
  ["ftp://acme.example/"],
  ["file:///etc/passwd"],
  ["javascript:alert(1)"],
  ["data:text/plain,x"],
  ["https://user@acme.example/"],
  ["https://user:secret@acme.example/"],
  ["https://:secret@acme.example/"],
  ["http://acme.example:22/"],
  ["https://acme.example:8080/"],
  ["http://127.0.0.1/"],
  ["http://2130706433/"],
  ["http://0x7f.1/"],
  ["http://0177.0.0.1/"],
  ["http://[::1]/"],
  ["http://[::ffff:127.0.0.1]/"],
  ["http://169.254.169.254/latest/meta-data/"],
  ["http://①②⑦.0.0.1/"],
  ["//acme.example/"],
  ["acme.example"],
  [""],
])("any other URL is refused: %s", (url) => {
  expect(policy.urlAllowed(url)).toBe(false);
});

test.each(["http://localhost/", "http://localhost./", "https://hooks.localhost/a"])(
  "localhost is checked by its address: %s",
  (url) => {
    expect(policy.refusal(url)).toMatch(
      /^(?:hooks\.)?localhost\.? is this machine, whose address 127\.0\.0\.1 is not allowed$/,
    );
    const allowing = (cidr: string) => createPolicy({ allowCidrs: [cidr], extraPorts: [] }).urlAllowed(url);
    expect(["127.0.0.0/8", "::1/128", "10.0.0.0/8"].map(allowing)).toEqual([true, true, false]);
  },
);

test("a name that only resembles localhost is a public name", () => {
  const urls = ["http://localhost.acme.example/", "http://notlocalhost/"];
  expect(urls.map((url) => policy.refusal(url))).toEqual([null, null]);
});

test.each([
  ["http://10.0.0.1/", "allowCidrs"],
  ["http://localhost/", "allowCidrs"],
  ["http://acme.example:22/", "extraPorts"],
  ["ftp://acme.example/", null],
  ["https://user@acme.example/", null],
  ["nonsense", null],
  ["https://acme.example/", null],
] as const)("the setting that allows %s is %p", (url, remedy) => {
  expect(policy.remedy(url)).toBe(remedy);
});
