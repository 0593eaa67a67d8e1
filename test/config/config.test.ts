import { describe, expect, test } from "bun:test";
import { type ConfigInput, configKeys, describeConfig, loadConfig } from "../../src/config/config.ts";
import { Failure, type Problem } from "../../src/core/errors.ts";
import { type DataSources, PUBLIC_SOURCES } from "../../src/detection/visit/visit.ts";

const load = (input: Partial<ConfigInput> & { toml?: string } = {}) =>
  loadConfig({ flags: {}, env: {}, readFile: () => input.toml, ...input });

function problemsOf(input: Parameters<typeof load>[0]): readonly Problem[] {
  try {
    load(input);
  } catch (error) {
    if (error instanceof Failure && error.code === "config.invalid") return error.details.problems ?? [];
    throw error;
  }
  return [];
}

describe("precedence", () => {
  const toml = "[server]\nport = 3000";
  const env = { CASEFILE_SERVER_PORT: "4000" };

  test.each([
    ["the default holds when nothing is given", {}, 7171],
    ["the file comes before the default", { toml }, 3000],
    ["a variable comes before the file", { toml, env }, 4000],
    ["a flag comes before a variable", { toml, env, flags: { "server-port": "5000" } }, 5000],
    ["a short flag is the same as the long one", { toml, env, flags: { port: "5000" } }, 5000],
    ["a flag may be given in camel case", { env, flags: { serverPort: "5000" } }, 5000],
    ["an empty variable is as good as none", { toml, env: { CASEFILE_SERVER_PORT: "" } }, 3000],
  ])("%s", (_, input, port) => {
    expect(load(input).server.port).toBe(port);
  });

  test("the file is the one that --config names, else the one of CASEFILE_CONFIG, else casefile.toml", () => {
    const files = (path: string) => `log = { level = "${{ "a.toml": "warn", "b.toml": "error" }[path] ?? "debug"}" }`;
    const env = { CASEFILE_CONFIG: "b.toml" };
    expect(load({ readFile: files }).log.level).toBe("debug");
    expect(load({ readFile: files, env }).log.level).toBe("error");
    expect(load({ readFile: files, env, flags: { config: "a.toml" } }).log.level).toBe("warn");
  });
});

describe("values", () => {
  test("defaults stand for every setting", () => {
    const config = load();
    expect(config.dataDir).toBe("./casefile-data");
    expect(config.server).toEqual({
      host: "127.0.0.1",
      port: 7171,
      metricsPublic: false,
      trustProxy: 0,
      drainMs: 10_000,
      origins: [],
      maxStreams: 200,
    });
    expect(config.accounts).toEqual({ monthlyLimit: 1000, keylessPerHour: 20 });
    expect(config.scan).toEqual({
      deadlineMs: 15_000,
      cacheSeconds: 86_400,
      threshold: 0.5,
      maxConcurrent: 8,
      reservedNames: [],
      keepSnapshots: 5,
    });
    expect(config.net.pageBytes).toBe(3 * 1024 * 1024);
    expect(config.net.proxy).toBeNull();
    expect(config.smtp).toEqual({ url: null, from: null });
    expect(config.languageModel).toEqual({
      url: null,
      model: null,
      apiKey: null,
      timeoutMs: 60_000,
      maxPerHour: 500,
    });
  });

  test("the default sources are the public ones", () => {
    const sources: DataSources = load().sources;
    expect(sources).toEqual(PUBLIC_SOURCES);
  });

  test.each([
    ["scan.deadline_ms", "20s", 20_000],
    ["scan.deadline_ms", "1500", 1_500],
    ["net.page_bytes", "1MiB", 1_048_576],
    ["scan.threshold", ".25", 0.25],
    ["scan.threshold", "1", 1],
    ["server.metrics_public", "true", true],
    ["server.trust_proxy", "false", 0],
    ["server.trust_proxy", "2", 2],
    ["scan.reserved_names", "internal, corp", ["internal", "corp"]],
    ["net.resolvers", "9.9.9.9,[2620:fe::fe]:5353,127.0.0.1:53", ["9.9.9.9", "[2620:fe::fe]:5353", "127.0.0.1:53"]],
    ["net.allow_cidrs", "10.0.0.0/8,fd00::/8,192.0.2.7", ["10.0.0.0/8", "fd00::/8", "192.0.2.7/32"]],
    ["net.extra_ports", "8080,8443", [8080, 8443]],
    ["net.connect_ports", "443:8443", [{ from: 443, to: 8443 }]],
    ["net.proxy", "off", null],
    ["smtp.from", "Casefile <casefile@acme.example>", "Casefile <casefile@acme.example>"],
    ["language_model.url", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"],
    ["language_model.api_key", "sk-test", "sk-test"],
    ["sources.certificate_logs", "off", []],
    ["sources.tag_manager", "off", null],
    ["sources.job_boards.lever", "https://boards.acme.example/{board}", "https://boards.acme.example/{board}"],
    [
      "sources.tenant_lookups",
      "sso=https://{label}.sso.example/",
      [{ label: "sso", url: "https://{label}.sso.example/" }],
    ],
  ])("%s takes %s", (name, text, expected) => {
    const key = configKeys.find((candidate) => candidate.name === name);
    const variable = load({ env: { [key?.env ?? ""]: text } });
    const flag = load({ flags: { [key?.flag.slice(2) ?? ""]: text } });
    const file = load({ toml: `${name} = ${JSON.stringify(text)}` });
    const place = name.split(".").map((part) => part.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()));
    for (const config of [variable, flag, file]) expect(config).toHaveProperty(place, expected);
  });

  test("a list is an array in the file and a repeated flag", () => {
    expect(load({ toml: `net.extra_ports = [8080, 8443]` }).net.extraPorts).toEqual([8080, 8443]);
    expect(load({ flags: { netExtraPorts: ["8080", "8443,9443"] } }).net.extraPorts).toEqual([8080, 8443, 9443]);
  });

  test.each([
    ["server.port", "70000"],
    ["server.port", "80x"],
    ["server.trust_proxy", "true"],
    ["server.metrics_public", "yes"],
    ["log.level", "loud"],
    ["scan.threshold", "1.5"],
    ["scan.deadline_ms", "15 parsecs"],
    ["scan.deadline_ms", "999h"],
    ["net.resolvers", "dns.acme.example"],
    ["net.resolvers", "127.0.0.1:99999"],
    ["net.allow_cidrs", "10.0.0.0/40"],
    ["net.allow_cidrs", "10/8"],
    ["net.connect_ports", "443"],
    ["net.proxy", "ftp://proxy.acme.example"],
    ["net.contact", "a\nX-Evil: 1"],
    ["smtp.url", "https://mail.acme.example"],
    ["smtp.url", "smtp://"],
    ["smtp.from", "a\nBcc: eve@acme.example"],
    ["language_model.api_key", "two words"],
    ["language_model.max_per_hour", "0"],
    ["sources.asn_zone", "https://zone.example"],
    ["sources.tag_manager", "https://tags.acme.example/without-a-place"],
    ["sources.tag_manager", "https://tags.acme.example/{id}/{domain}"],
    ["sources.tenant_lookups", "https://{label}.sso.example/"],
  ])("%s refuses %j", (name, text) => {
    const env = configKeys.find((key) => key.name === name)?.env ?? "";
    expect(problemsOf({ env: { [env]: text } }).map(({ pointer }) => pointer)).toEqual([env]);
  });
});

describe("problems", () => {
  test("every problem of every place is told at once, and where it is", () => {
    const problems = problemsOf({
      flags: { port: "none" },
      env: { CASEFILE_LOG_LEVEL: "loud", CASEFILE_SERVER_PROT: "1" },
      toml: `colour = "red"\nlog = "json"\n[server]\nport = "no"\nmax_steams = 3\n[scan]\nthreshold = 2`,
    });
    expect(problems).toContainEqual({ pointer: "--port", detail: "Must be a whole number from 0 to 65535." });
    expect(problems).toContainEqual({
      pointer: "CASEFILE_SERVER_PROT",
      detail: "There is no such setting; did you mean CASEFILE_SERVER_PORT?",
    });
    expect(problems).toContainEqual({
      pointer: "casefile.toml: server.max_steams",
      detail: "There is no such setting; did you mean server.max_streams?",
    });
    expect(problems.map(({ pointer }) => pointer).sort()).toEqual([
      "--port",
      "CASEFILE_LOG_LEVEL",
      "CASEFILE_SERVER_PROT",
      "casefile.toml: colour",
      "casefile.toml: log",
      "casefile.toml: scan.threshold",
      "casefile.toml: server.max_steams",
      "casefile.toml: server.port",
    ]);
  });

  test.each([
    ["CASEFILE_PORT", "8080", "CASEFILE_SERVER_PORT"],
    ["CASEFILE_DATADIR", "/srv", "CASEFILE_DATA_DIR"],
    ["CASEFILE_MONTHLY_LIMIT", "5", "CASEFILE_ACCOUNTS_MONTHLY_LIMIT"],
  ])("%s is refused with the name that was meant", (name, value, meant) => {
    expect(problemsOf({ env: { [name]: value } })).toEqual([
      { pointer: name, detail: `There is no such setting; did you mean ${meant}?` },
    ]);
  });

  test("a name like nothing else gets no suggestion", () => {
    expect(problemsOf({ env: { CASEFILE_ZZZZZZ: "1" } })).toEqual([
      { pointer: "CASEFILE_ZZZZZZ", detail: "There is no such setting." },
    ]);
  });

  test("what Kubernetes sets beside a service of this name is no setting", () => {
    const env = {
      CASEFILE_PORT: "tcp://10.0.0.7:7171",
      CASEFILE_PORT_7171_TCP_ADDR: "10.0.0.7",
      CASEFILE_SERVICE_HOST: "10.0.0.7",
      CASEFILE_SERVICE_PORT_HTTP: "7171",
    };
    expect(problemsOf({ env })).toEqual([]);
  });

  test.each([
    ["a file that was asked for and is not there", () => undefined, "There is no such file."],
    [
      "a file that cannot be read",
      () => {
        throw new Error("EACCES");
      },
      "The file cannot be read.",
    ],
  ])("%s is a problem", (_, readFile, detail) => {
    expect(problemsOf({ flags: { config: "mine.toml" }, readFile })).toEqual([{ pointer: "mine.toml", detail }]);
  });

  test("a mail server without a sender is a problem", () => {
    expect(problemsOf({ env: { CASEFILE_SMTP_URL: "smtp://mail.acme.example" } })).toEqual([
      { pointer: "smtp.from", detail: "Must be set when smtp.url is." },
    ]);
    const env = { CASEFILE_SMTP_URL: "smtp://mail.acme.example", CASEFILE_SMTP_FROM: "casefile@acme.example" };
    expect(load({ env }).smtp.url).toBe("smtp://mail.acme.example");
  });

  test("a file that is no TOML is a problem", () => {
    expect(problemsOf({ toml: "[server" })[0]?.pointer).toBe("casefile.toml");
  });

  test("no problem repeats what was given, which may be a password", () => {
    const told = problemsOf({ env: { CASEFILE_NET_PROXY: "ftp://ada:hunter2@proxy.acme.example" } });
    expect(JSON.stringify(told)).not.toContain("hunter2");
  });
});

describe("help and doctor", () => {
  test("names, flags and variables are unique and derived from each other", () => {
    expect(configKeys.find(({ name }) => name === "server.max_streams")).toMatchObject({
      flag: "--server-max-streams",
      env: "CASEFILE_SERVER_MAX_STREAMS",
      default: "200",
    });
    const flags = configKeys.flatMap(({ flag, alias }) => (alias ? [flag, alias] : [flag]));
    expect(new Set(flags).size).toBe(flags.length);
    expect(new Set(configKeys.map(({ env }) => env)).size).toBe(configKeys.length);
  });

  test.each(configKeys.map((key) => [key.name, key] as const))(
    "%s has a sentence and reads its own default",
    (_, key) => {
      expect(key.doc).toMatch(/^[A-Z].{10,110}\.$/);
      expect(load({ env: { [key.env]: key.default } })).toEqual(load());
    },
  );

  test("a description tells what was changed and no password", () => {
    const described = describeConfig(
      load({
        env: {
          CASEFILE_NET_PROXY: "http://ada:hunter2@proxy.acme.example:3128",
          CASEFILE_SOURCES_TAG_MANAGER: "https://tags.acme.example/?id={id}&api_key=hunter2",
          CASEFILE_NET_RESOLVERS: "9.9.9.9",
          CASEFILE_SMTP_URL: "smtps://ada:hunter2@mail.acme.example",
          CASEFILE_SMTP_FROM: "casefile@acme.example",
          CASEFILE_LANGUAGE_MODEL_API_KEY: "hunter2",
        },
      }),
    );
    expect(described).toHaveLength(configKeys.length);
    expect(described).toContainEqual({
      name: "net.proxy",
      value: "http://***@proxy.acme.example:3128",
      changed: true,
    });
    expect(described).toContainEqual({ name: "smtp.url", value: "smtps://***@mail.acme.example", changed: true });
    expect(described).toContainEqual({ name: "language_model.api_key", value: "***", changed: true });
    expect(described).toContainEqual({ name: "net.resolvers", value: "9.9.9.9", changed: true });
    expect(described).toContainEqual({ name: "server.port", value: "7171", changed: false });
    expect(JSON.stringify(described)).not.toContain("hunter2");
  });
});

test("the key with which the command line asks a service elsewhere is no setting, and no fault", () => {
  const env = { CASEFILE_API_KEY: "cf_live_x" };
  expect(JSON.stringify(loadConfig({ flags: {}, env, readFile: () => undefined }))).not.toContain("cf_live_x");
});
