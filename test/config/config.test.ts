import { describe, expect, test } from "bun:test";
import { type ConfigInput, configKeys, loadConfig } from "../../src/config/config.ts";
import { type DataSources, PUBLIC_SOURCES } from "../../src/core/data-sources.ts";
import { Failure, type Problem } from "../../src/core/errors.ts";
import { LEAST } from "../../src/detection/levels.ts";
import { LOWEST_MIN_CONFIDENCE } from "../../src/detection/weights.ts";

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
    ["the default applies when nothing is given", {}, 7171],
    ["the file overrides the default", { toml }, 3000],
    ["a variable overrides the file", { toml, env }, 4000],
    ["a flag overrides a variable", { toml, env, flags: { "server-port": "5000" } }, 5000],
    ["a short flag is an alias of the long one", { toml, env, flags: { port: "5000" } }, 5000],
    ["a flag may be given in camel case", { env, flags: { serverPort: "5000" } }, 5000],
    ["an empty variable counts as unset", { toml, env: { CASEFILE_SERVER_PORT: "" } }, 3000],
  ])("%s", (_, input, port) => {
    expect(load(input).server.port).toBe(port);
  });

  test("the file is --config, else CASEFILE_CONFIG, else casefile.toml", () => {
    const files = (path: string) => `log = { level = "${{ "a.toml": "warn", "b.toml": "error" }[path] ?? "debug"}" }`;
    const env = { CASEFILE_CONFIG: "b.toml" };
    expect(load({ readFile: files }).log.level).toBe("debug");
    expect(load({ readFile: files, env }).log.level).toBe("error");
    expect(load({ readFile: files, env, flags: { config: "a.toml" } }).log.level).toBe("warn");
  });
});

describe("values", () => {
  test("every setting has a default", () => {
    const config = load();
    expect(config.dataDir).toBe("./casefile-data");
    expect(config.server).toEqual({
      host: "127.0.0.1",
      port: 7171,
      origins: [],
      publicUrl: null,
      trustProxy: 0,
      metricsPublic: false,
      maxStreams: 200,
      shutdownDelayMs: 0,
      shutdownTimeoutMs: 20_000,
    });
    expect(config.accounts).toEqual({
      ...{ monthlyLimit: 1000, keylessPerHour: 20 },
      ...{ signUp: "open", signUpDomains: [] },
    });
    expect(config.scan).toEqual({
      deadlineMs: 15_000,
      concurrency: 8,
      cacheSeconds: 86_400,
      minConfidence: 0.5,
      keepSnapshots: 5,
      browserUrl: null,
      contact: null,
      robots: "home-page-only",
      optOutsFile: null,
      signingKeyFile: null,
      signatureAgent: null,
      allowedReservedTlds: [],
    });
    expect(config.net.maxPageBytes).toBe(3 * 1024 * 1024);
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
    ["net.max_page_bytes", "1MiB", 1_048_576],
    ["scan.min_confidence", ".75", 0.75],
    ["scan.min_confidence", "0.46", LOWEST_MIN_CONFIDENCE],
    ["scan.min_confidence", "likely", LEAST.likely],
    ["scan.min_confidence", "confirmed", LEAST.confirmed],
    ["scan.min_confidence", "1", 1],
    ["server.metrics_public", "true", true],
    ["server.trust_proxy", "false", 0],
    ["server.trust_proxy", "2", 2],
    ["scan.allowed_reserved_tlds", "internal, corp", ["internal", "corp"]],
    ["net.resolvers", "9.9.9.9,[2620:fe::fe]:5353,127.0.0.1:53", ["9.9.9.9", "[2620:fe::fe]:5353", "127.0.0.1:53"]],
    ["net.allow_cidrs", "10.0.0.0/8,fd00::/8,192.0.2.7", ["10.0.0.0/8", "fd00::/8", "192.0.2.7/32"]],
    ["net.extra_ports", "8080,8443", [8080, 8443]],
    ["net.connect_ports", "443:8443", [{ from: 443, to: 8443 }]],
    ["net.proxy", "off", null],
    ["smtp.from", "Casefile <casefile@acme.example>", "Casefile <casefile@acme.example>"],
    [
      "database.url",
      "postgres://one.example:5432,[::1]:5433/casefile",
      "postgres://one.example:5432,[::1]:5433/casefile",
    ],
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
  ])("%s accepts %s", (name, text, expected) => {
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
    ["scan.min_confidence", "1.5"],
    ["scan.min_confidence", ".3"],
    ["scan.min_confidence", "possible"],
    ["scan.min_confidence", "toString"],
    ["scan.deadline_ms", "15 parsecs"],
    ["scan.deadline_ms", "999h"],
    ["net.resolvers", "dns.acme.example"],
    ["net.resolvers", "127.0.0.1:99999"],
    ["net.allow_cidrs", "10.0.0.0/40"],
    ["net.allow_cidrs", "10/8"],
    ["net.connect_ports", "443"],
    ["net.proxy", "ftp://proxy.acme.example"],
    ["scan.contact", "a\nX-Evil: 1"],
    ["scan.contact", "our office"],
    ["smtp.url", "https://mail.acme.example"],
    ["database.url", "mysql://db.example/casefile"],
    ["database.url", "postgres://db.example:5432"],
    ["database.url", "postgres://ada:hunter2@one.example,two.example:x/casefile"],
    ["database.url", "postgres://one.example/casefile?target_session_attrs=standby"],
    ["database.url", `postgres://${"db.example,".repeat(8)}db.example/casefile`],
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
  test("all problems of all sources are reported together, each with its source", () => {
    const problems = problemsOf({
      flags: { port: "none" },
      env: { CASEFILE_LOG_LEVEL: "loud", CASEFILE_SERVER_PROT: "1" },
      toml: `colour = "red"\nlog = "json"\n[server]\nport = "no"\nmax_steams = 3\n[scan]\nmin_confidence = 0.3`,
    });
    expect(problems).toContainEqual({
      pointer: "casefile.toml: scan.min_confidence",
      detail:
        'Invalid value "0.3" for scan.min_confidence: expected confirmed, likely, or a number from 0.46 to 1 (one question may ask for less: --min-confidence possible).',
    });
    expect(problems).toContainEqual({
      pointer: "--port",
      detail: 'Invalid value "none" for server.port: expected a whole number from 0 to 65535.',
    });
    expect(problems).toContainEqual({
      pointer: "CASEFILE_LOG_LEVEL",
      detail: 'Unknown value "loud" for log.level: use trace, debug, info, warn, error or silent.',
    });
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
      "casefile.toml: scan.min_confidence",
      "casefile.toml: server.max_steams",
      "casefile.toml: server.port",
    ]);
  });

  test.each([
    ["CASEFILE_PORT", "8080", "CASEFILE_SERVER_PORT"],
    ["CASEFILE_DATADIR", "/srv", "CASEFILE_DATA_DIR"],
    ["CASEFILE_MONTHLY_LIMIT", "5", "CASEFILE_ACCOUNTS_MONTHLY_LIMIT"],
  ])("%s is refused with a suggestion", (name, value, meant) => {
    expect(problemsOf({ env: { [name]: value } })).toEqual([
      { pointer: name, detail: `There is no such setting; did you mean ${meant}?` },
    ]);
  });

  test("a name unlike any setting gets no suggestion", () => {
    expect(problemsOf({ env: { CASEFILE_ZZZZZZ: "1" } })).toEqual([
      { pointer: "CASEFILE_ZZZZZZ", detail: "There is no such setting." },
    ]);
  });

  test("variables of the install script and the release command are ignored", () => {
    expect(problemsOf({ env: { CASEFILE_VERSION: "0.2.0", CASEFILE_SIGNING_KEY: "/keys/casefile" } })).toEqual([]);
  });

  test("variables that Kubernetes sets for a service named casefile are ignored", () => {
    const env = {
      CASEFILE_PORT: "tcp://10.0.0.7:7171",
      CASEFILE_PORT_7171_TCP_ADDR: "10.0.0.7",
      CASEFILE_SERVICE_HOST: "10.0.0.7",
      CASEFILE_SERVICE_PORT_HTTP: "7171",
    };
    expect(problemsOf({ env })).toEqual([]);
  });

  test.each([
    ["a configured file that does not exist", () => undefined, "There is no such file."],
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

  test("an SMTP server without a sender is a problem", () => {
    expect(problemsOf({ env: { CASEFILE_SMTP_URL: "smtp://mail.acme.example" } })).toEqual([
      { pointer: "smtp.from", detail: "Must be set when smtp.url is." },
    ]);
    const env = { CASEFILE_SMTP_URL: "smtp://mail.acme.example", CASEFILE_SMTP_FROM: "casefile@acme.example" };
    expect(load({ env }).smtp.url).toBe("smtp://mail.acme.example");
  });

  test("a file that is not TOML is a problem", () => {
    expect(problemsOf({ toml: "[server" })[0]?.pointer).toBe("casefile.toml");
  });

  test("no problem repeats a value that may hold a password", () => {
    const problems = problemsOf({ env: { CASEFILE_NET_PROXY: "ftp://ada:hunter2@proxy.acme.example" } });
    expect(JSON.stringify(problems)).not.toContain("hunter2");
  });
});

describe("help", () => {
  test("flags and variables are derived from the name and unique", () => {
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
    "%s has a one-sentence help text and parses its own default",
    (_, key) => {
      expect(key.doc).toMatch(/^[A-Z].{10,110}\.$/);
      expect(key.group === null).toBe(key.name === "data_dir");
      expect(load({ env: { [key.env]: key.default } })).toEqual(load());
    },
  );
});

test("CASEFILE_API_KEY is not a setting and causes no problem", () => {
  const env = { CASEFILE_API_KEY: "cf_live_x" };
  expect(JSON.stringify(loadConfig({ flags: {}, env, readFile: () => undefined }))).not.toContain("cf_live_x");
});
