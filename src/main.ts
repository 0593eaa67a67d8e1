import { existsSync, readFileSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import manifest from "../package.json" with { type: "json" };
import { type OpenOptions, openApp } from "./app/open.ts";
import { type Config, configKeys, loadConfig } from "./config.ts";
import type { CliHost } from "./surfaces/cli/host.ts";
import { runCommand } from "./surfaces/cli/program.ts";
import { welcome } from "./surfaces/cli/welcome.ts";
import { createHttp } from "./surfaces/http/http-app.ts";
import { createLifecycle } from "./surfaces/http/lifecycle.ts";
import { createMetrics } from "./surfaces/http/metrics.ts";
import { serveHttp } from "./surfaces/http/serve.ts";
import { Failure } from "./vocabulary/failure.ts";

const { version } = manifest;
type Flags = Readonly<Record<string, unknown>>;

const interrupted = new AbortController();

function configOf(flags: Flags): Config {
  return loadConfig({
    flags,
    env: process.env,
    readFile: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
  });
}

/** Logs go to standard error: standard output belongs to results. */
function logOf(config: Config): Logger {
  const onTerminal = process.stderr.isTTY === true;
  const human = config.log.format === "pretty" || (config.log.format === "auto" && onTerminal);
  const stream = human
    ? pretty({ destination: 2, sync: true, colorize: onTerminal, ignore: "pid,hostname" })
    : pino.destination({ dest: 2, sync: true });
  return pino({ level: config.log.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

const bugLog =
  (log: Logger): OpenOptions["onBug"] =>
  (source, err) =>
    log.error({ source, err }, "a scanner broke");

async function serve(flags: Flags): Promise<void> {
  const config = configOf(flags);
  const log = logOf(config);
  const lifecycle = createLifecycle();
  const metrics = createMetrics(() => app.scansRunning(), version);
  const app = await openApp({
    config,
    version,
    onBug: bugLog(log),
    onScan: (report) => {
      metrics.scan(report.sources, report.duration_ms / 1_000);
      log.info({ domain: report.domain, tools: report.detections.length, duration_ms: report.duration_ms }, "scanned");
    },
  });
  try {
    const handler = createHttp({
      app,
      log,
      metrics,
      lifecycle,
      settings: {
        metricsPublic: config.server.metricsPublic,
        trustProxyHops: config.server.trustProxy,
        maxStreams: config.server.maxStreams,
      },
    });
    const serving = listen(
      () => serveHttp(handler, { host: config.server.host, port: config.server.port }, lifecycle),
      config,
    );
    const { token } = await app.operator.ensureOperatorToken();
    lifecycle.become("ready");
    log.info({ url: serving.url, version, data_dir: config.dataDir }, "serving");
    process.stdout.write(
      welcome({ url: serving.url, version, operatorToken: token, tools: (await app.stats()).tools }),
    );
    await until(interrupted.signal);
    log.info("stopping");
    await serving.stop(config.server.drainMs);
  } finally {
    await app.close();
  }
}

function listen<T>(open: () => T, { server }: Config): T {
  try {
    return open();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const reason =
      code === "EADDRINUSE" ? "another program uses it" : code === "EACCES" ? "this user may not" : undefined;
    if (!reason) throw error;
    throw new Failure(
      "config.invalid",
      `Cannot listen on ${server.host} port ${server.port}: ${reason}; choose another with --port.`,
    );
  }
}

const until = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

const host: CliHost = {
  version,
  configKeys,
  serve,
  open: async (flags, options = {}) => {
    const config = configOf(flags);
    return openApp({ config, version, onBug: bugLog(logOf(config)), ...options });
  },
  async readFile(path) {
    if (path === "-") return { name: "", text: await Bun.stdin.text(), modified: new Date() };
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw new Failure("snapshot.invalid", `${path} is no file that can be read.`);
    return { name: basename(path), text: await Bun.file(path).text(), modified: found.mtime };
  },
  writeFile: (path, text) => writeFile(path, text),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  interactive: process.stderr.isTTY === true,
  columns: process.stdout.columns ?? 160,
  signal: interrupted.signal,
};

for (const name of ["SIGTERM", "SIGINT"] as const) {
  process.on(name, () => {
    // A second one means that the user does not want to wait.
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort(new Error("interrupted"));
  });
}

process.exitCode = await runCommand(process.argv.slice(2), host);
