import { afterEach, expect, test } from "bun:test";
import { createResolver, type ResolverSettings } from "../../src/net/resolver.ts";
import type { RecordType } from "../../src/net/snapshot.ts";
import { encodeReply } from "../box/dns-wire.ts";
import { answerFrom, closeAll, type Line, never, packet, serveDns } from "./loopback.ts";

afterEach(closeAll);

const LIMITS: Omit<ResolverSettings, "servers"> = {
  timeoutMs: 20_000,
  tries: 1,
  cacheSeconds: 300,
  negativeCacheSeconds: 60,
  maxConcurrent: 8,
};
/** For a server that does not respond. */
const HASTY = { timeoutMs: 150 };
/** For one server that does not respond and another that must, even on a busy machine. */
const BRISK = { timeoutMs: 1_500 };
const resolverOf = (servers: readonly string[], more: Partial<ResolverSettings> = {}, clock?: () => number) =>
  createResolver({ ...LIMITS, servers, ...more }, clock);

const ZONE: readonly Line[] = [
  { name: "acme.example", type: "A", data: "93.184.215.14" },
  { name: "acme.example", type: "AAAA", data: "2606:4700:0:0:0:0:6810:85e5" },
  { name: "acme.example", type: "MX", data: "10 MX.Mail.Example" },
  { name: "acme.example", type: "TXT", data: `v=spf1 include:mail.example ${"x".repeat(300)}` },
  { name: "acme.example", type: "SOA", data: "ns1.acme.example hostmaster.acme.example" },
  { name: "acme.example", type: "CAA", data: '0 issue "ca.example"' },
  { name: "acme.example", type: "NS", data: "ns1.acme.example" },
  { name: "_sip._tls.acme.example", type: "SRV", data: "1 10 443 sip.voice.example" },
  { name: "14.215.184.93.in-addr.arpa", type: "PTR", data: "edge.cloud.example" },
];

test.each([
  ["acme.example", "A", { value: "93.184.215.14" }],
  ["acme.example", "AAAA", { value: "2606:4700::6810:85e5" }],
  ["acme.example", "MX", { value: "mx.mail.example", priority: 10 }],
  ["acme.example", "TXT", { value: `v=spf1 include:mail.example ${"x".repeat(300)}` }],
  ["acme.example", "SOA", { value: "ns1.acme.example hostmaster.acme.example" }],
  ["acme.example", "CAA", { value: "ca.example", tag: "issue" }],
  ["acme.example", "NS", { value: "ns1.acme.example" }],
  ["_sip._tls.acme.example", "SRV", { value: "sip.voice.example", priority: 1 }],
  ["14.215.184.93.in-addr.arpa", "PTR", { value: "edge.cloud.example" }],
] as const)("a record of %s %s is read in full", async (name, type, data) => {
  const dns = await serveDns(answerFrom(ZONE));
  const answer = await resolverOf([dns.address]).lookup(name, type, never);
  expect(answer).toEqual({ name, type, status: "ok", records: [{ name, type, ttl: 300, ...data }] });
});

test.each([
  ["localhost", "A", ["127.0.0.1"]],
  ["Hooks.localhost.", "AAAA", ["::1"]],
  ["localhost", "TXT", []],
] as const)("for the name of this machine, %s %s, no server is queried or trusted", async (name, type, values) => {
  const dns = await serveDns(answerFrom([{ name: "localhost", type: "A", data: "93.184.215.14" }]));
  const { status, records } = await resolverOf([dns.address]).lookup(name, type, never);
  expect([status, records.map(({ value }) => value), dns.asked]).toEqual(["ok", [...values], []]);
});

test("the strings of a TXT record are joined, and bytes outside printable ASCII are escaped", async () => {
  const data = [Buffer.from("a\\b "), Buffer.from([0xff, 0x00]), Buffer.from("é")];
  const dns = await serveDns(({ query, reply }) =>
    reply(packet(query, [{ name: "acme.example", type: "TXT", ttl: 5, data }])),
  );
  const { records } = await resolverOf([dns.address]).lookup("acme.example", "TXT", never);
  expect(records[0]?.value).toBe("a\\b \\255\\000\\195\\169");
});

test("the followed aliases come first, and unrelated records are dropped", async () => {
  const answers = [
    { name: "other.example", type: "A", ttl: 9, data: "192.0.2.66" },
    { name: "edge.cdn.example", type: "A", ttl: 9, data: "192.0.2.1" },
    { name: "www.acme.example", type: "CNAME", ttl: 9, data: "Acme.CDN.example" },
    { name: "acme.cdn.example", type: "CNAME", ttl: 9, data: "edge.cdn.example" },
  ];
  const dns = await serveDns(({ query, reply }) => reply(packet(query, answers)));
  const { records } = await resolverOf([dns.address]).lookup("WWW.acme.example.", "A", never);
  expect(records.map(({ name, value }) => `${name} ${value}`)).toEqual([
    "www.acme.example acme.cdn.example",
    "acme.cdn.example edge.cdn.example",
    "edge.cdn.example 192.0.2.1",
  ]);
});

test("a loop of aliases and a chain of a hundred end", async () => {
  const circle = ["a", "b", "a"].map((label, i, all) => ({
    name: `${label}.example`,
    type: "CNAME",
    ttl: 9,
    data: `${all[i + 1] ?? "b"}.example`,
  }));
  const long = Array.from({ length: 100 }, (_, i) => ({
    name: i === 0 ? "long.example" : `n${i}.example`,
    type: "CNAME",
    ttl: 9,
    data: `n${i + 1}.example`,
  }));
  const dns = await serveDns(({ query, reply }) => reply(packet(query, [...circle, ...long])));
  const resolver = resolverOf([dns.address]);
  expect((await resolver.lookup("a.example", "A", never)).records).toHaveLength(2);
  expect((await resolver.lookup("long.example", "A", never)).records).toHaveLength(8);
});

test("no such name, no such record, a refusal and a timeout are distinguished", async () => {
  const dns = await serveDns(({ query, reply, over }) => {
    const { name } = query.question;
    if (name === "dead.example" || over === "tcp") return;
    if (name === "gone.example") return reply(encodeReply(query, "nxdomain", []));
    if (name === "broken.example") return reply(encodeReply(query, "servfail", []));
    if (name === "secret.example") return reply(encodeReply(query, "refused", []));
    reply(encodeReply(query, "ok", []));
  });
  const [patient, hasty] = [resolverOf([dns.address]), resolverOf([dns.address], HASTY)];
  const names = ["gone.example", "acme.example", "broken.example", "secret.example"];
  const asked = names.map((name) => patient.lookup(name, "MX", never));
  const answers = await Promise.all([...asked, hasty.lookup("dead.example", "MX", never)]);
  expect(answers.map(({ status, records, detail }) => [status, records.length, detail])).toEqual([
    ["nxdomain", 0, undefined],
    ["ok", 0, undefined],
    ["failed", 0, "the DNS server answered SERVFAIL"],
    ["failed", 0, "the DNS server answered REFUSED"],
    ["timeout", 0, "no DNS server answered in time"],
  ]);
});

test.each([
  ["no server at all", []],
  ["an address that is none", ["resolver.example"]],
  ["a closed port", ["127.0.0.1:1"]],
  ["a closed port over IPv6", ["[::1]:1"]],
])("%s is a failed lookup and no crash", async (_, servers) => {
  const resolver = resolverOf(servers, HASTY);
  expect(["failed", "timeout"]).toContain((await resolver.lookup("acme.example", "A", never)).status);
  expect(await resolver.reachable(never)).toBe(false);
});

test("a server without a route is a failed lookup and no crash", async () => {
  // The system refuses to connect to the broadcast address, as it does without a route. The network guard of the
  // tests would refuse it first, so a separate process connects.
  const asks = `import { createResolver } from "${import.meta.dir}/../../src/net/resolver.ts";
    const resolver = createResolver(${JSON.stringify({ ...LIMITS, servers: ["255.255.255.255"] })});
    const { status, detail } = await resolver.lookup("acme.example", "A", new AbortController().signal);
    console.log(status, detail);`;
  const child = Bun.spawn([process.execPath, "-e", asks], { stdout: "pipe", stderr: "pipe" });
  expect(await child.stdout.text()).toBe("failed no DNS server could be reached\n");
  expect(await child.exited).toBe(0);
});

test.each(["", ".", "a..b", `${"x".repeat(64)}.example`, `${"abc.".repeat(70)}example`, "a b.example", "ü.example"])(
  "an invalid DNS name is not queried: %j",
  async (name) => {
    const dns = await serveDns(answerFrom(ZONE));
    expect((await resolverOf([dns.address]).lookup(name, "A", never)).status).toBe("failed");
    expect(dns.asked).toEqual([]);
  },
);

test("a truncated response is fetched over TCP", async () => {
  const ways: string[] = [];
  const dns = await serveDns(({ query, over, reply }) => {
    ways.push(over);
    const records = Array.from({ length: 150 }, (_, i) => ({
      name: "acme.example",
      type: "TXT" as const,
      data: `${i} ${"x".repeat(60)}`,
    }));
    reply(encodeReply(query, "ok", records, over === "udp" ? { limit: 1_232 } : {}));
  });
  const answer = await resolverOf([dns.address]).lookup("acme.example", "TXT", never);
  expect([ways, answer.status, answer.records.length]).toEqual([["udp", "tcp"], "ok", 150]);
});

test("a response cut in the middle of a record is fetched over TCP too", async () => {
  const dns = await serveDns(({ query, over, reply }) => {
    const record = { name: "acme.example", type: "TXT", ttl: 9, data: [Buffer.from("whole")] };
    if (over === "tcp") return reply(packet(query, [record]));
    reply(packet(query, [record], 0x8380).subarray(0, -3));
  });
  const answer = await resolverOf([dns.address]).lookup("acme.example", "TXT", never);
  expect(answer.records[0]?.value).toBe("whole");
});

test("a server that does not support EDNS is asked without it", async () => {
  const dns = await serveDns(({ query, reply }) => {
    if (query.udpLimit > 512) return reply(packet(query, [], 0x8181));
    answerFrom(ZONE)({ query, reply });
  });
  expect((await resolverOf([dns.address]).lookup("acme.example", "A", never)).records).toHaveLength(1);
});

test("a forged response with another id, question or type is ignored", async () => {
  const dns = await serveDns(({ query, reply }) => {
    const forged = [{ name: "acme.example", type: "A", ttl: 9, data: "192.0.2.66" }];
    const other = { ...query, question: { ...query.question, name: "evil.example" } };
    reply(packet({ ...query, id: (query.id + 1) & 0xffff }, forged));
    reply(packet(other, forged));
    reply(packet({ ...query, question: { ...query.question, type: "AAAA" } }, forged));
    reply(packet(query, forged, 0x0180).fill(0x01, 2, 3));
    reply(Buffer.from("not dns"));
    answerFrom(ZONE)({ query, reply });
  });
  const answer = await resolverOf([dns.address]).lookup("acme.example", "A", never);
  expect(answer.records.map(({ value }) => value)).toEqual(["93.184.215.14"]);
});

test("a response with the id of another question that waits is ignored", async () => {
  const waiting: Parameters<Parameters<typeof serveDns>[0]>[0][] = [];
  const dns = await serveDns((asked) => {
    waiting.push(asked);
    const [first, second] = waiting;
    if (!first || !second) return;
    const forged = [{ name: first.query.question.name, type: "A", ttl: 9, data: "192.0.2.66" }];
    first.reply(packet({ ...first.query, id: second.query.id }, forged));
    for (const { query, reply } of [first, second])
      reply(packet(query, [{ name: query.question.name, type: "A", ttl: 9, data: "93.184.215.14" }]));
  });
  const resolver = resolverOf([dns.address]);
  const answers = await Promise.all(["a.example", "b.example"].map((name) => resolver.lookup(name, "A", never)));
  expect(answers.map(({ records }) => records.map(({ value }) => value))).toEqual([
    ["93.184.215.14"],
    ["93.184.215.14"],
  ]);
});

test("at most 32 questions that wait share a port, and a later one has another", async () => {
  const ports = new Map<number, number>();
  const replies: (() => void)[] = [];
  const dns = await serveDns(({ query, reply, from }) => {
    ports.set(from, (ports.get(from) ?? 0) + 1);
    replies.push(() => reply(encodeReply(query, "ok", [])));
    if (replies.length === 100) for (const answer of replies) answer();
    if (replies.length > 100) replies.at(-1)?.();
  });
  const resolver = resolverOf([dns.address], { maxConcurrent: 100 });
  await Promise.all(Array.from({ length: 100 }, (_, at) => resolver.lookup(`n${at}.example`, "A", never)));
  expect([...ports.values()]).toEqual([32, 32, 32, 4]);
  for (let at = 0; at < 3; at += 1) await resolver.lookup(`later${at}.example`, "A", never);
  expect(ports.size).toBeGreaterThan(4);
});

test("ids are unpredictable", async () => {
  const ids = new Set<number>();
  const dns = await serveDns((asked) => {
    ids.add(asked.query.id);
    answerFrom(ZONE)(asked);
  });
  const resolver = resolverOf([dns.address]);
  for (let i = 0; i < 20; i += 1) await resolver.lookup(`n${i}.example`, "A", never);
  expect(ids.size).toBeGreaterThan(15);
  expect([...ids].every((id) => id < 20)).toBe(false);
});

test("a dead server costs its timeout once, and a failing one is skipped", async () => {
  const dead = await serveDns(() => {});
  const failing = await serveDns(({ query, reply }) => reply(encodeReply(query, "servfail", [])));
  const good = await serveDns(answerFrom(ZONE));
  const resolver = resolverOf([dead.address, failing.address, good.address], BRISK);
  expect((await resolver.lookup("acme.example", "A", never)).status).toBe("ok");
  expect((await resolver.lookup("acme.example", "MX", never)).status).toBe("ok");
  expect([dead.asked.length, failing.asked.length, good.asked.length]).toEqual([1, 1, 2]);
});

test("a lost packet is asked for again in the next round", async () => {
  let lost = 0;
  const dns = await serveDns((asked) => {
    if (lost++ > 0) answerFrom(ZONE)(asked);
  });
  const answer = await resolverOf([dns.address], { ...BRISK, tries: 2 }).lookup("acme.example", "A", never);
  expect(answer.status).toBe("ok");
});

test("records are cached for their TTL, up to the limit", async () => {
  let now = 0;
  const dns = await serveDns(answerFrom(ZONE));
  const resolver = resolverOf([dns.address], { cacheSeconds: 100 }, () => now);
  const at = async (ms: number) => {
    now = ms;
    await resolver.lookup("acme.example", "A", never);
    return dns.asked.length;
  };
  expect([await at(0), await at(99_000), await at(101_000)]).toEqual([1, 1, 2]);
});

test("a negative answer is cached for a shorter time, and a failure not at all", async () => {
  let now = 0;
  const dns = await serveDns(({ query, reply }) => {
    const status = query.question.name === "broken.example" ? "servfail" : "nxdomain";
    reply(encodeReply(query, status, []));
  });
  const resolver = resolverOf([dns.address], { negativeCacheSeconds: 10 }, () => now);
  const ask = async (name: string) => (await resolver.lookup(name, "A", never)).status;
  expect([await ask("gone.example"), await ask("gone.example")]).toEqual(["nxdomain", "nxdomain"]);
  expect(dns.asked).toHaveLength(1);
  now = 11_000;
  await ask("gone.example");
  expect(dns.asked).toHaveLength(2);
  await ask("broken.example");
  await ask("broken.example");
  expect(dns.asked).toHaveLength(4);
});

test("a name that does not exist has no alias: it is not asked for again, unless an alias led to the missing name", async () => {
  let now = 0;
  const dns = await serveDns(({ query, reply }) => {
    const dangling = [{ name: "dangling.example", type: "CNAME" as const, ttl: 300, data: "missing.vendor.example" }];
    if (query.question.name === "dangling.example") reply(packet(query, dangling, 0x8183));
    else reply(encodeReply(query, "nxdomain", []));
  });
  const resolver = resolverOf([dns.address], { negativeCacheSeconds: 10 }, () => now);
  const answers = async (name: string, ...types: RecordType[]) => {
    const found = [];
    for (const type of types) found.push(await resolver.lookup(name, type, never));
    return found;
  };
  expect(await answers("gone.example", "TXT", "CNAME")).toEqual([
    { name: "gone.example", type: "TXT", status: "nxdomain", records: [] },
    { name: "gone.example", type: "CNAME", status: "nxdomain", records: [] },
  ]);
  await answers("no-mail.example", "MX", "CNAME");
  // Some servers deny the address of one kind of a name that exists.
  await answers("one-kind.example", "AAAA", "CNAME", "A");
  expect((await answers("dangling.example", "TXT", "CNAME"))[1]?.records).toHaveLength(1);
  now = 11_000;
  await answers("gone.example", "CNAME");
  expect(dns.asked).toEqual([
    "gone.example TXT",
    "no-mail.example MX",
    ...["AAAA", "CNAME", "A"].map((type) => `one-kind.example ${type}`),
    "dangling.example TXT",
    "dangling.example CNAME",
    "gone.example CNAME",
  ]);
});

test("concurrent callers share one question, and one that leaves does not end it", async () => {
  const dns = await serveDns(answerFrom(ZONE));
  const resolver = resolverOf([dns.address]);
  const leaving = new AbortController();
  const gone = resolver.lookup("acme.example", "A", leaving.signal);
  const staying = resolver.lookup("acme.example", "A", never);
  leaving.abort(new Error("left"));
  await expect(gone).rejects.toThrow("left");
  expect((await staying).status).toBe("ok");
  expect(dns.asked).toEqual(["acme.example A"]);
});

test("an abort and a close end a lookup at once", async () => {
  const dead = await serveDns(() => {});
  const resolver = resolverOf([dead.address], { timeoutMs: 60_000 });
  const leaving = new AbortController();
  const aborted = resolver.lookup("a.example", "A", leaving.signal);
  const closed = resolver.lookup("b.example", "A", never);
  leaving.abort(new Error("left"));
  await expect(aborted).rejects.toThrow("left");
  resolver.close();
  await expect(closed).rejects.toThrow("closed");
  await expect(resolver.lookup("c.example", "A", never)).rejects.toThrow("closed");
});

test("a response keeps at most 200 records and 64 KiB of text, 4 KiB each", async () => {
  const dns = await serveDns(({ query, over, reply }) => {
    if (over === "udp") return reply(packet(query, [], 0x8380));
    const { name, type } = query.question;
    const many = Array.from({ length: 1_500 }, (_, i) => ({ name, type, ttl: 9, data: `10.0.${i >> 8}.${i & 255}` }));
    const long = Array.from({ length: 8 }, () => ({ name, type, ttl: 9, data: Array(28).fill(Buffer.alloc(255, 1)) }));
    reply(packet(query, type === "A" ? many : long));
  });
  const resolver = resolverOf([dns.address]);
  expect((await resolver.lookup("many.example", "A", never)).records).toHaveLength(200);
  const { records } = await resolver.lookup("long.example", "TXT", never);
  expect(records.map(({ value }) => value.length)).toEqual(Array(8).fill(4_096));
});

test("servers are reachable when one responds without a server failure", async () => {
  const refusing = await serveDns(({ query, reply }) => reply(encodeReply(query, "refused", [])));
  const failing = await serveDns(({ query, reply }) => reply(encodeReply(query, "servfail", [])));
  expect(await resolverOf([refusing.address]).reachable(never)).toBe(true);
  expect(await resolverOf([failing.address]).reachable(never)).toBe(false);
  expect(refusing.asked).toEqual([". NS"]);
});
