import { type Command, InvalidArgumentError } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { readServer } from "../cli/remote.ts";
import { jsonText, minuteOf, plain, table } from "../cli/table.ts";
import { Failure } from "../core/errors.ts";
import type { NodeRepository } from "../db/nodes.ts";
import type { Check } from "./doctor.ts";

const MARKS: Readonly<Record<Check["status"], string>> = { ok: "ok", warning: "!!", failed: "XX", skipped: "--" };
const COLOURS: Readonly<Record<Check["status"], number>> = { ok: 32, warning: 33, failed: 31, skipped: 90 };

export interface DoctorHost extends Pick<CliHost, "out" | "colour"> {
  /** Checks the installation, also one that cannot be opened. */
  checkUp(flags: Readonly<Record<string, unknown>>, options: { offline: boolean }): AsyncIterable<Check>;
}

/** `casefile doctor`: prints each check when it is done, with a remedy if needed. */
export function addDoctorCommand(program: Command, host: DoctorHost): Command {
  const doctor = program
    .command("doctor")
    .description(
      "Check the data directory, database, model, index, DNS, every data source and the browser of --browser-url.",
    )
    .option("--offline", "send no requests to other machines")
    .option("--json", "print JSON");
  doctor.action(async () => {
    const { offline = false, json = false } = doctor.opts<{ offline?: boolean; json?: boolean }>();
    const checks: Check[] = [];
    for await (const check of host.checkUp(doctor.optsWithGlobals(), { offline })) {
      checks.push(check);
      if (!json) host.out(lineOf(check, host.colour));
    }
    const failed = checks.filter(({ status }) => status === "failed").length;
    const warnings = checks.filter(({ status }) => status === "warning").length;
    if (json) host.out(`${jsonText({ checks, failed, warnings })}\n`);
    else host.out(`\n${checks.length} checks, ${failed} failed, ${warnings} with a warning.\n`);
    if (failed > 0)
      throw new Failure(
        "installation.unsound",
        "Follow the remedy of each failed check, then run casefile doctor again.",
      );
  });
  return doctor;
}

function lineOf({ title, status, detail, remedy }: Check, colour: boolean): string {
  const mark = colour ? `\u001b[${COLOURS[status]}m${MARKS[status]}\u001b[0m` : MARKS[status];
  const advice = remedy === null || status === "ok" ? "" : `    ${plain(remedy)}\n`;
  return `${mark}  ${title}: ${plain(detail)}\n${advice}`;
}

/** `casefile health`: whether a running service is ready, for health checks of containers. */
export function addHealthCommand(program: Command, host: CliHost): Command {
  const command = program
    .command("health")
    .description("Check that a running service is ready. Exit status 1 when it is not, or does not respond.")
    .option("--server <url>", "the service", readServer, "http://127.0.0.1:7171")
    .option("--timeout <seconds>", "give up after this time, 1 to 60", readTimeout, 5)
    .option("--json", "print JSON");
  command.action(async () => {
    const { server, timeout, json = false } = command.opts<{ server: string; timeout: number; json?: boolean }>();
    const signal = AbortSignal.timeout(timeout * 1_000);
    const state = await host
      .connect(server)
      .readiness({ signal })
      .catch((cause: unknown) => {
        if (!signal.aborted) throw cause;
        throw new Failure("installation.unsound", `${server} did not respond in ${timeout} seconds.`, { cause });
      });
    if (json) host.out(`${jsonText(state)}\n`);
    else if (state.ready)
      host.out(`${server} is ready.\n${state.alarms.map((alarm) => `!!  ${plain(alarm)}\n`).join("")}`);
    if (!state.ready)
      throw new Failure("installation.unsound", `${server} is not ready. ${plain(state.reason ?? "")}`.trim());
  });
  return command;
}

function readTimeout(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 1 && seconds <= 60)) throw new InvalidArgumentError("Give seconds from 1 to 60.");
  return seconds;
}

/** Of a digest, enough to compare some nodes. */
const DIGITS = 8;
const NODES = [
  { title: "HOST" },
  { title: "VERSION" },
  { title: "STARTED (UTC)" },
  { title: "SEEN (UTC)" },
  { title: "DETECTION" },
  { title: "MODEL" },
  { title: "TO INDEX" },
  { title: "WORKING ON" },
];

/** `casefile nodes`: the processes that serve one PostgreSQL database. */
export function addNodesCommand(program: Command, host: CliHost<{ nodes: Pick<NodeRepository, "list"> }>): Command {
  const command = program
    .command("nodes")
    .description("List the nodes that share a PostgreSQL database, and what their indexes lack.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  casefile nodes\n  casefile nodes --json");
  command.action(() =>
    withApp(host, command.opts(), async (app) => {
      const nodes = await app.nodes.list();
      if (command.opts<{ json?: boolean }>().json) return host.out(`${jsonText({ nodes })}\n`);
      const rows = nodes.map(({ host: name, version, started_at, seen_at, rules, model, waiting, working }) => [
        name,
        version ?? "",
        minuteOf(started_at),
        minuteOf(seen_at),
        (rules ?? "").slice(0, DIGITS),
        model ?? "",
        String(waiting),
        String(working),
      ]);
      if (rows.length === 0) return host.out("No nodes: they are listed with database.url.\n");
      const problems = nodes.flatMap(({ host: name, problem }) =>
        problem === null ? [] : [`!!  ${name}: ${plain(problem)}\n`],
      );
      host.out(`${table(NODES, rows, host.columns)}\n${problems.join("")}`);
    }),
  );
  return command;
}
