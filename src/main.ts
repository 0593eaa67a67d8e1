import { existsSync, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import { createClient } from "../client/src/index.ts";
import manifest from "../package.json" with { type: "json" };
import { createHttp } from "./api.ts";
import { openBackupFiles } from "./backup/service.ts";
import { runChildTask } from "./child.ts";
import { createProcessHost } from "./cli/process-host.ts";
import { startupBanner } from "./cli/startup-banner.ts";
import { type ProgramHost, runCommand } from "./commands.ts";
import { consoleUrlOf, type LogHandlers, openServices, type ServicesOptions } from "./compose.ts";
import { configKeys, loadConfig } from "./config/config.ts";
import type { Config } from "./config/keys.ts";
import { onAbort } from "./core/async.ts";
import { Failure } from "./core/errors.ts";
import { MAX_CAPTURE_BYTES } from "./detection/captures/read-capture.ts";
import { checkUp } from "./health/doctor.ts";
import { createMetrics } from "./health/metrics.ts";
import { lowOpenFileLimit } from "./health/open-files.ts";
import { type Lifecycle, serveHttp } from "./http/server.ts";
import { CHILD_COMMAND } from "./processes/child.ts";

/** A release writes its page into the manifest; a source tree has none. */
const { version, homepage = null }: { version: string; homepage?: string | null } = manifest;
type Flags = Readonly<Record<string, unknown>>;

const interrupted = new AbortController();

function configFrom(flags: Flags): Config {
  const config = loadConfig({
    flags,
    env: process.env,
    readFile: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
  });
  // Native libraries resolve relative paths differently.
  return { ...config, dataDir: resolve(config.dataDir) };
}

/** Logs go to standard error: standard output is for results. */
function createLogger(config: Config): Logger {
  const onTerminal = process.stderr.isTTY === true;
  const human = config.log.format === "pretty" || (config.log.format === "auto" && onTerminal);
  const stream = human
    ? pretty({ destination: 2, sync: true, colorize: onTerminal && !process.env.NO_COLOR, ignore: "pid,hostname" })
    : pino.destination({ dest: 2, sync: true });
  return pino({ level: config.log.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

/** @throws Failure `store.unusable` when the data directory is a file, for which the system reports missing permission */
async function open(options: Omit<ServicesOptions, "version" | "page">) {
  const { dataDir } = options.config;
  const found = options.inMemory ? undefined : await stat(dataDir).catch(() => undefined);
  if (found && !found.isDirectory()) {
    const message = `The data directory ${dataDir} is a file, not a folder; give another with --data-dir.`;
    throw new Failure("store.unusable", message);
  }
  return await openServices({ ...options, version, page: homepage });
}

const logHandlers = (log: Logger): LogHandlers => ({
  scannerFailed: (scanner, err) => log.error({ source: scanner, err }, "scanner failed"),
  taskFailed: (task, err) => log.error({ work: task, err }, "background task failed"),
  note: (message) => log.info(message),
});

/** Starts again, on the same port, when the installation has got other fingerprints: all that is built from them is. */
async function serve(flags: Flags): Promise<void> {
  let config = configFrom(flags);
  const log = createLogger(config);
  for (let isFirst = true; ; isFirst = false) {
    const port = await serveOnce(config, log, isFirst);
    if (port === undefined) return;
    config = { ...config, server: { ...config.server, port } };
  }
}

/** @returns the port, when the service is to start again */
async function serveOnce(config: Config, log: Logger, isFirst: boolean): Promise<number | undefined> {
  const restarting = new AbortController();
  const drained = new AbortController();
  const lifecycle: Lifecycle = { state: "starting", drained: drained.signal };
  const app = await open({
    config,
    isolated: true,
    log: {
      ...logHandlers(log),
      alarm: (alarm) => log.warn(alarm),
      scanFinished(report) {
        metrics.scan(report.sources, report.duration_ms / 1_000);
        log.info(
          { domain: report.domain, tools: report.detections.length, duration_ms: report.duration_ms },
          "scan finished",
        );
      },
    },
  });
  const metrics = createMetrics(app);
  const running: { stop(): Promise<void> }[] = [];
  // A start that fails waits for no request.
  let drainMs = 0;
  let port: number | undefined;
  try {
    // Loaded here, so that other commands start without these modules.
    const { createMcpHttp } = await import("./mcp/http.ts");
    const { createConsole } = await import("./console/routes.ts");
    const agents = createMcpHttp({
      services: app,
      onBug: toolFailed(log),
      isIndexHidden: config.stack.operatorOnly,
    });
    const handler = createHttp({
      app,
      agents,
      console: createConsole(app, {
        isIndexHidden: config.stack.operatorOnly,
        consoleUrl: consoleUrlOf(config),
        onSignInError: (err) => log.warn({ err }, "a sign-in at the identity provider failed"),
      }),
      log,
      metrics,
      lifecycle,
      settings: {
        metricsPublic: config.server.metricsPublic,
        trustProxyHops: config.server.trustProxy,
        maxStreams: config.server.maxStreams,
        addresses: {
          host: config.server.host,
          origins: [...config.server.origins, ...(config.server.publicUrl === null ? [] : [config.server.publicUrl])],
        },
        isIndexHidden: config.stack.operatorOnly,
      },
    });
    const serving = serveHttp(handler, { host: config.server.host, port: config.server.port }, lifecycle);
    running.push({
      async stop() {
        await serving.stop(drainMs, () => {
          drained.abort(new Failure("service.draining", "The service is stopping; try again in a moment."));
          app.detection.stop();
        });
        await agents.close();
      },
    });
    const { token } = await app.operator.ensureOperatorToken();
    await app.starter.load();
    await app.nodes.enter();
    await app.models.removeAbandoned();
    const { shutdownDelayMs, shutdownTimeoutMs } = config.server;
    running.push(
      await app.shareContent({
        signal: interrupted.signal,
        onWait(reason) {
          if (reason !== lifecycle.waitsFor) log.info({ reason }, "waiting");
          lifecycle.waitsFor = reason;
        },
        restart(reason) {
          log.info(`starting again ${reason}`);
          restarting.abort();
        },
        turnSeconds: Math.ceil((shutdownDelayMs + shutdownTimeoutMs) / 1_000) + START_SECONDS,
      }),
    );
    const indexing = app.index.startWorker();
    if (indexing.isShared) log.warn(SHARED);
    running.push(
      indexing,
      app.jobs.startWorker(),
      app.stack.startWorker(),
      app.watches.startWatching(),
      app.batches.startWorker(),
      app.activity.startWriting(),
    );
    const lowLimit = await lowOpenFileLimit();
    if (lowLimit) log.warn(`${lowLimit.detail} ${lowLimit.remedy}`);
    lifecycle.state = "ready";
    log.info({ url: serving.url, version, data_dir: config.dataDir }, "serving");
    if (isFirst)
      process.stdout.write(
        startupBanner({
          url: serving.url,
          version,
          operatorToken: token,
          tools: (await app.health.stats()).tools,
          hasContact: config.scan.contact !== null,
          recorded: (await app.detection.recordedDomains())[0],
        }),
      );
    await until(AbortSignal.any([interrupted.signal, restarting.signal]));
    log.info("stopping");
    lifecycle.state = "leaving";
    await Bun.sleep(shutdownDelayMs);
    if (!interrupted.signal.aborted) port = serving.port;
    // In-flight requests may finish; scans of watched domains are cancelled.
    drainMs = shutdownTimeoutMs;
  } catch (error) {
    // Interrupting a node that waits for a model is no failure.
    if (!interrupted.signal.aborted || error !== interrupted.signal.reason) throw error;
  } finally {
    const stopped = await Promise.allSettled(running.map((part) => part.stop()));
    for (const result of stopped)
      if (result.status === "rejected") log.error({ err: result.reason }, "stopping failed");
    await app.close();
  }
  return interrupted.signal.aborted ? undefined : port;
}

/** Until a node that starts again is ready, about. */
const START_SECONDS = 30;

const SHARED =
  "Another process uses this data directory too. Background jobs are shared: leases and locks make sure that each runs once. Keyless limits, scans in progress and metrics are counted per process.";

const toolFailed = (log: Logger) => (tool: string, err: unknown) => log.error({ tool, err }, "tool failed");

/** Standard output carries the protocol. */
async function serveMcp(flags: Flags): Promise<void> {
  const config = configFrom(flags);
  const log = createLogger(config);
  const app = await open({ config, log: logHandlers(log) });
  try {
    await app.starter.load();
    await app.nodes.enter();
    const upkeep = [app.index.startWorker(), app.stack.startWorker()];
    const { serveMcpStdio } = await import("./mcp/stdio.ts");
    await serveMcpStdio({
      services: app,
      input: process.stdin,
      output: process.stdout,
      signal: interrupted.signal,
      onBug: toolFailed(log),
      onFault: (err) => log.warn({ err }, "invalid MCP message"),
    });
    for (const worker of upkeep) await worker.stop();
  } finally {
    await app.close();
  }
}

const until = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    onAbort(signal, resolve);
  });

const host: ProgramHost = {
  version,
  configKeys,
  serve,
  serveMcp,
  hasApiKey: Boolean(process.env.CASEFILE_API_KEY),
  connect: (server) => createClient({ baseUrl: server, apiKey: process.env.CASEFILE_API_KEY }),
  open: async (flags, options = {}) => {
    const config = configFrom(flags);
    const log = createLogger(config);
    const hasData = config.database.url !== null || existsSync(config.dataDir);
    const inMemory = options.inMemory === "without-data" ? !hasData : options.inMemory;
    // A command that ends by itself prints results; notes of the start would be noise on standard error.
    return open({
      config,
      log: { ...logHandlers(log), note: (message) => log.debug(message) },
      inMemory,
      withoutInstalled: options.withoutInstalled,
    });
  },
  checkUp(flags, options) {
    const config = configFrom(flags);
    return checkUp(config.dataDir, () => open({ config, log: logHandlers(createLogger(config)) }), options);
  },
  backupFiles(flags) {
    const { dataDir, database } = configFrom(flags);
    const postgres = database.url === null ? undefined : { url: database.url, maxConnections: database.maxConnections };
    return openBackupFiles({ dataDir, postgres });
  },
  ...createProcessHost(interrupted.signal, MAX_CAPTURE_BYTES),
};

for (const name of ["SIGTERM", "SIGINT"] as const) {
  process.on(name, () => {
    // A second signal exits at once.
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort(new Error("interrupted"));
  });
}

// The reader of a pipe may stop early, as `head` does.
process.stdout.on("error", (error) => {
  if ("code" in error && error.code === "EPIPE") process.exit(0);
  throw error;
});

// Not awaited: an entry point with a top-level await cannot be compiled to bytecode, which would double the start time.
if (process.argv[2] === CHILD_COMMAND) runChildTask(process.argv[3]);
else
  runCommand(process.argv.slice(2), host).then((code) => {
    process.exitCode = code;
  });
