import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { access, appendFile, constants, stat, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import { createClient } from "../client/src/index.ts";
import manifest from "../package.json" with { type: "json" };
import { createHttp } from "./api.ts";
import { openBackupFiles } from "./backup/service.ts";
import { startupBanner } from "./cli/startup-banner.ts";
import { type ProgramHost, runCommand } from "./commands.ts";
import { type LogHandlers, openServices, type ServicesOptions } from "./compose.ts";
import { configKeys, loadConfig } from "./config/config.ts";
import type { Config } from "./config/keys.ts";
import { Failure } from "./core/errors.ts";
import { MAX_CAPTURE_BYTES } from "./detection/captures/read-capture.ts";
import { checkUp } from "./health/doctor.ts";
import { createMetrics } from "./health/metrics.ts";
import { type Lifecycle, serveHttp } from "./http/server.ts";

const { version } = manifest;
type Flags = Readonly<Record<string, unknown>>;

const interrupted = new AbortController();

function configOf(flags: Flags): Config {
  const config = loadConfig({
    flags,
    env: process.env,
    readFile: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
  });
  // Native code resolves a relative path in its own way.
  return { ...config, dataDir: resolve(config.dataDir) };
}

/** Logs go to standard error: standard output belongs to results. */
function logOf(config: Config): Logger {
  const onTerminal = process.stderr.isTTY === true;
  const human = config.log.format === "pretty" || (config.log.format === "auto" && onTerminal);
  const stream = human
    ? pretty({ destination: 2, sync: true, colorize: onTerminal && !process.env.NO_COLOR, ignore: "pid,hostname" })
    : pino.destination({ dest: 2, sync: true });
  return pino({ level: config.log.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

/** @throws Failure `store.unusable` when a file is in the directory's place, which the system tells as a lack of rights */
async function openIn(options: ServicesOptions) {
  const { dataDir } = options.config;
  const found = options.inMemory ? undefined : await stat(dataDir).catch(() => undefined);
  if (found && !found.isDirectory()) {
    const advice = `The data directory ${dataDir} is a file, not a folder; give another with --data-dir.`;
    throw new Failure("store.unusable", advice);
  }
  return await openServices(options);
}

const logHandlers = (log: Logger): LogHandlers => ({
  scannerFailed: (scanner, err) => log.error({ source: scanner, err }, "scanner failed"),
  taskFailed: (task, err) => log.error({ work: task, err }, "background task failed"),
  note: (message) => log.info(message),
});

async function serve(flags: Flags): Promise<void> {
  const config = configOf(flags);
  const log = logOf(config);
  const lifecycle: Lifecycle = { state: "starting" };
  const app = await openIn({
    config,
    version,
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
  try {
    // Only who serves agents pays for loading their protocol.
    const { createMcpHttp } = await import("./mcp/http.ts");
    const { createConsole } = await import("./console/console.ts");
    const agents = createMcpHttp({ app, onBug: toolBroke(log) });
    const handler = createHttp({
      app,
      agents,
      pages: createConsole(app, { origins: config.server.allowedOrigins }),
      log,
      metrics,
      lifecycle,
      settings: {
        metricsPublic: config.server.metricsPublic,
        trustProxyHops: config.server.trustProxy,
        maxStreams: config.server.maxStreams,
        origins: [addressOf(config.server), ...config.server.allowedOrigins],
      },
    });
    const serving = serveHttp(handler, { host: config.server.host, port: config.server.port }, lifecycle);
    const { token } = await app.operator.ensureOperatorToken();
    await app.starter.loadStarter();
    const upkeep = app.caseStudies.startUpkeep();
    if (upkeep.isShared) log.warn(SHARED);
    const work = app.intake.startWork();
    const watching = app.watches.startWatching();
    lifecycle.state = "ready";
    log.info({ url: serving.url, version, data_dir: config.dataDir }, "serving");
    process.stdout.write(
      startupBanner({
        url: serving.url,
        version,
        operatorToken: token,
        tools: (await app.health.stats()).tools,
        recorded: (await app.detection.recordedDomains())[0],
      }),
    );
    await until(interrupted.signal);
    log.info("stopping");
    // Who waits for an answer may have it yet; nobody waits for the scans of what is watched.
    await Promise.all([watching.stop(), serving.stop(config.server.shutdownTimeoutMs)]);
    await agents.close();
    await work.stop();
    await upkeep.stop();
  } finally {
    await app.close();
  }
}

/** Leases and locks in the data directory see to it; what is held in memory is not shared. */
const SHARED =
  "Another process works on this data directory too. Each piece of background work is done once, by whichever takes it first: a second service shares all of it, casefile mcp the search index alone. The limits of keyless calls, the scans under way and the metrics are each one's own.";

const toolBroke = (log: Logger) => (tool: string, err: unknown) => log.error({ tool, err }, "a tool broke");

const addressOf = ({ host, port }: Config["server"]) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Standard output belongs to the protocol. */
async function serveMcp(flags: Flags): Promise<void> {
  const config = configOf(flags);
  const log = logOf(config);
  const app = await openIn({ config, version, log: logHandlers(log) });
  try {
    await app.starter.loadStarter();
    const upkeep = app.caseStudies.startUpkeep();
    const { serveMcpStdio } = await import("./mcp/stdio.ts");
    await serveMcpStdio({
      app,
      input: process.stdin,
      output: process.stdout,
      signal: interrupted.signal,
      onBug: toolBroke(log),
      onFault: (err) => log.warn({ err }, "a message was not understood"),
    });
    await upkeep.stop();
  } finally {
    await app.close();
  }
}

const unreadable = (path: string) => new Failure("snapshot.invalid", `${path} is no file that can be read.`);

/** As it streams. @throws Failure `snapshot.invalid` when this user may not read it, which a stream would tell too late */
async function streamOf(path: string): Promise<AsyncIterable<Uint8Array>> {
  await access(path, constants.R_OK).catch(() => {
    throw unreadable(path);
  });
  return createReadStream(path);
}

const unwritable = (path: string) => () => {
  throw new Failure("config.invalid", `${path} cannot be written; choose another file with --output.`);
};

/** @throws Failure `snapshot.invalid` as soon as it is known to be longer than any capture */
async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > MAX_CAPTURE_BYTES) throw new Failure("snapshot.invalid", "The file is larger than 128 MiB.");
    read.push(chunk);
  }
  return Buffer.concat(read).toString("utf8");
}

const until = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

const host: ProgramHost = {
  version,
  configKeys,
  serve,
  serveMcp,
  connect: (server) => createClient({ baseUrl: server, apiKey: process.env.CASEFILE_API_KEY }),
  open: async (flags, options = {}) => {
    const config = configOf(flags);
    return openIn({ config, version, log: logHandlers(logOf(config)), ...options });
  },
  checkUp(flags, options) {
    const config = configOf(flags);
    return checkUp(config.dataDir, () => openIn({ config, version, log: logHandlers(logOf(config)) }), options);
  },
  backupFiles: (flags) => openBackupFiles(configOf(flags)),
  async readFile(path) {
    if (path === "-") return { name: "", text: await textOf(Bun.stdin.stream()), modified: new Date() };
    const found = await stat(path).catch(() => undefined);
    if (!found || found.isDirectory()) throw unreadable(path);
    // A pipe that the shell made, `<(dig acme.com)`, has neither a name nor a time that say anything.
    if (!found.isFile()) return { name: "", text: await textOf(createReadStream(path)), modified: new Date() };
    const text = await textOf(createReadStream(path)).catch((error) => {
      throw error instanceof Failure ? error : unreadable(path);
    });
    return { name: basename(path), text, modified: found.mtime };
  },
  async openFile(path) {
    if (path === "-") return { name: "", content: Bun.stdin.stream() };
    const found = await stat(path).catch(() => undefined);
    if (!found || found.isDirectory()) throw unreadable(path);
    return { name: basename(path), content: await streamOf(path) };
  },
  writeFile: (path, text) => writeFile(path, text).catch(unwritable(path)),
  appendFile: (path, text) => appendFile(path, text).catch(unwritable(path)),
  async findFile(path) {
    const found = await stat(path).catch(() => undefined);
    if (found && !found.isFile()) throw unreadable(path);
    return found && (await streamOf(path));
  },
  async write(path, text) {
    if (path === undefined || path === "-") {
      for await (const part of text) if (!process.stdout.write(part)) await once(process.stdout, "drain");
    } else await pipeline(text, createWriteStream(path)).catch(unwritable(path));
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  interactive: process.stderr.isTTY === true,
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  // A terminal that does not know its width says 0.
  columns: process.stdout.columns || 160,
  signal: interrupted.signal,
};

for (const name of ["SIGTERM", "SIGINT"] as const) {
  process.on(name, () => {
    // A second one means that the user does not want to wait.
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort(new Error("interrupted"));
  });
}

// Whoever reads may have seen enough, as `head` has.
process.stdout.on("error", (error) => {
  if ("code" in error && error.code === "EPIPE") process.exit(0);
  throw error;
});

// Not awaited: an entry point that awaits cannot be compiled ahead, and a start would take twice as long.
runCommand(process.argv.slice(2), host).then((code) => {
  process.exitCode = code;
});
