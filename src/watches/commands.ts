import { type Command, InvalidArgumentError, Option } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../cli/list-options.ts";
import { jsonText, minuteOf, plain, table } from "../cli/table.ts";
import type { Services } from "../compose.ts";
import { Failure } from "../core/errors.ts";
import { DELIVERY_STATES, type Delivery, type DeliveryState, type Watch } from "./types.ts";

interface WatchFlags {
  readonly every?: number;
  readonly paused?: boolean;
  readonly json?: boolean;
}

/** `casefile watch`: companies that a running service scans again and again. */
export function addWatches(program: Command, host: CliHost<Services>): Command[] {
  const watch = program
    .command("watch")
    .description("Watch companies: a running service scans them again and again, and keeps what changed.");
  const tell = (flags: { json?: boolean }, value: unknown, text: string) =>
    host.out(`${flags.json ? jsonText(value) : text}\n`);

  const add = watch
    .command("add", { isDefault: true })
    .description("Watch a domain, or change how it is watched.")
    .argument("<domain>")
    .option(
      "--every <time>",
      "time between two scans, such as 12h, 7d or 2w; a new watch has watch.every_hours",
      readTime,
    )
    .option("--paused", "keep the watch and do not scan, until it is watched again without this")
    .option("--json", "print the same JSON as PUT /admin/watches/{domain}");
  add.action((domain: string, flags: WatchFlags) =>
    withApp(host, add.opts(), async (app) => {
      const { every, paused = false } = flags;
      const made = await app.watches.watch(domain, { ...(every === undefined ? {} : { everyHours: every }), paused });
      tell(flags, made, watchedText(made));
    }),
  );

  const list = listOptions(
    watch
      .command("list")
      .description(
        "List what is watched, how its last scan ended, and when the next one is due: soon when it is to make sure.",
      ),
    "/admin/watches",
  );
  list.action((flags: ListFlags) =>
    withApp(host, list.opts(), async (app) => {
      const page = await app.watches.listWatches(pageOf(flags));
      const rows = page.watches.map((one) => [
        one.domain,
        timeText(one.every_hours),
        one.last_scan_at === null ? "never" : minuteOf(one.last_scan_at),
        one.last_outcome ?? "",
        String(one.tools_detected),
        nextText(one),
        one.last_error ?? "",
      ]);
      const text =
        rows.length === 0
          ? "Nothing is watched yet; casefile watch DOMAIN begins."
          : `${table(WATCHES, rows, host.columns)}\n${footer(rows.length, page)}`;
      tell(flags, page, text);
    }),
  );

  const changes = listOptions(
    watch
      .command("changes")
      .description("List tools that appeared or disappeared, newest first.")
      .argument("[domain]")
      .option("--since <date>", "a day or an instant, such as 2026-05-04"),
    "/admin/changes",
  );
  changes.action((domain: string | undefined, { since, ...flags }: ListFlags & { since?: string }) =>
    withApp(host, changes.opts(), async (app) => {
      const filter = { ...(domain ? { domain } : {}), ...(since === undefined ? {} : { since }) };
      const page = await app.watches.listChanges(filter, pageOf(flags));
      const rows = page.changes.map((one) => [
        minuteOf(one.at),
        one.domain,
        one.change,
        one.tool,
        one.category,
        one.first_seen.slice(0, 10),
        one.last_seen.slice(0, 10),
        one.evidence,
      ]);
      const text =
        rows.length === 0
          ? "No change was found."
          : `${table(CHANGES, rows, host.columns)}\n${footer(rows.length, page)}`;
      tell(flags, page, text);
    }),
  );

  const remove = watch
    .command("remove")
    .description("Watch a domain no more; its changes stay listed.")
    .argument("<domain>")
    .option("--json", "print the same JSON as DELETE /admin/watches/{domain}");
  remove.action((domain: string, flags: { json?: boolean }) =>
    withApp(host, remove.opts(), async (app) => {
      const removed = await app.watches.unwatch(domain);
      tell(flags, removed, `${plain(removed.domain)} is watched no more.`);
    }),
  );
  return [add, list, changes, remove];
}

const WATCHES = [
  { title: "DOMAIN" },
  { title: "EVERY" },
  { title: "LAST SCAN (UTC)" },
  { title: "OUTCOME" },
  { title: "TOOLS" },
  { title: "NEXT (UTC)" },
  { title: "LAST ERROR", yields: true },
];
const CHANGES = [
  { title: "WHEN (UTC)" },
  { title: "DOMAIN" },
  { title: "CHANGE" },
  { title: "TOOL" },
  { title: "CATEGORY" },
  { title: "FIRST SEEN" },
  { title: "LAST SEEN" },
  { title: "PROOF", yields: true },
];

const watchedText = ({ domain, every_hours, paused }: Watch): string =>
  paused
    ? `${plain(domain)} is kept and not scanned; watch it again to go on.`
    : `${plain(domain)} is watched every ${timeText(every_hours)}, by a service that runs: casefile serve`;

/** A scan that missed a tool, or saw a source in part alone, is looked after before the interval is over. */
function nextText({ paused, every_hours, last_scan_at, last_outcome, next_scan_at }: Watch): string {
  if (paused) return "paused";
  const regular = Date.parse(last_scan_at ?? "") + every_hours * 3_600_000;
  const again = last_outcome !== "failed" && Date.parse(next_scan_at) < regular;
  return `${minuteOf(next_scan_at)}${again ? " to make sure" : ""}`;
}

const DAY_HOURS = 24;

/** `168` → `7d`, `30` → `30h`. */
const timeText = (hours: number): string => (hours % DAY_HOURS === 0 ? `${hours / DAY_HOURS}d` : `${hours}h`);

const UNIT_HOURS: Readonly<Record<string, number>> = { h: 1, d: DAY_HOURS, w: 7 * DAY_HOURS };

/** Whole hours, from 1 to 8760. */
function readTime(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,4})([hdw])$/.exec(text) ?? [];
  const hours = Number(digits) * (UNIT_HOURS[unit] ?? Number.NaN);
  if (!(hours >= 1 && hours <= 8_760)) throw new InvalidArgumentError("Give 1h to 365d, such as 12h, 7d or 2w.");
  return hours;
}

interface JsonFlag {
  readonly json?: boolean;
}

/** `casefile webhooks`: who is told what changed at watched companies. */
export function addWebhooks(program: Command, host: CliHost<Services>): Command[] {
  const webhooks = program
    .command("webhooks")
    .description("Tell endpoints of your own what changed at watched companies, signed as Standard Webhooks says.");
  const tell = (flags: JsonFlag, value: unknown, text: string) => host.out(`${flags.json ? jsonText(value) : text}\n`);
  /** A command over one thing that is named. */
  const one = (name: string, argument: string, description: string, act: Act) => {
    const command = webhooks.command(name).description(description).argument(argument).option("--json", "print JSON");
    command.action((named: string, flags: JsonFlag) =>
      withApp(host, command.opts(), async (app) => {
        const { value, text, fault } = await act(app, named);
        tell(flags, value, text);
        if (fault) throw fault;
      }),
    );
    return command;
  };

  const list = webhooks
    .command("list", { isDefault: true })
    .description("List the endpoints, oldest first.")
    .option("--json", "print the same JSON as GET /admin/webhooks");
  list.action((flags: JsonFlag) =>
    withApp(host, list.opts(), async (app) => {
      const all = await app.watches.listWebhooks();
      const rows = all.map(({ id, url, state, last_success_at }) => [
        id,
        state,
        last_success_at === null ? "never" : minuteOf(last_success_at),
        url,
      ]);
      const text = rows.length === 0 ? "Nobody is told yet." : table(WEBHOOKS, rows, host.columns);
      tell(flags, { webhooks: all, total: all.length, next_cursor: null }, text);
    }),
  );

  const add = one(
    "add",
    "<url>",
    "Tell an endpoint of every change; its secret is shown this once.",
    async (app, url) => {
      const made = await app.watches.addWebhook(url);
      return { value: made, text: `${made.id}\n${made.secret}\n${KEEP} Try it: casefile webhooks test ${made.id}` };
    },
  );
  const remove = one("remove", "<id>", "Tell an endpoint no more; what waits for it is dropped.", async (app, id) => ({
    value: await app.watches.removeWebhook(id),
    text: "Removed.",
  }));
  const rotate = one(
    "rotate",
    "<id>",
    "Give an endpoint another secret; the former one signs beside it for a day.",
    async (app, id) => {
      const made = await app.watches.rotateWebhook(id);
      return {
        value: made,
        text: `${made.secret}\n${KEEP} For a day messages carry the signature of the former one too.`,
      };
    },
  );
  const test = one(
    "test",
    "<id>",
    "Send a test now, once; an endpoint that takes it is active again, and one that does not is exit code 1.",
    async (app, id) => {
      const delivery = await app.watches.testWebhook(id, host.signal);
      const done = { value: delivery, text: testedText(delivery) };
      return delivery.state === "delivered" ? done : { ...done, fault: new Failure("webhook.not_taken", NOT_TAKEN) };
    },
  );

  const deliveries = listOptions(
    webhooks
      .command("deliveries")
      .description("List what was sent, or waits to be, newest first.")
      .argument("[id]", "those of one endpoint")
      .addOption(new Option("--state <state>", "those in one state").choices(DELIVERY_STATES)),
    "/admin/webhooks/deliveries",
  );
  deliveries.action((id: string | undefined, { state, ...flags }: ListFlags & { state?: DeliveryState }) =>
    withApp(host, deliveries.opts(), async (app) => {
      const filter = { ...(id ? { webhook: id } : {}), ...(state ? { state } : {}) };
      const page = await app.watches.listDeliveries(filter, pageOf(flags));
      const rows = page.deliveries.map((delivery) => [
        delivery.id,
        delivery.webhook_id,
        delivery.type,
        delivery.state,
        String(delivery.attempts),
        minuteOf(delivery.next_attempt_at ?? delivery.created_at),
        delivery.last_error ?? "",
      ]);
      const text =
        rows.length === 0
          ? "No delivery was found."
          : `${table(DELIVERIES, rows, host.columns)}\n${footer(rows.length, page)}`;
      tell(flags, page, text);
    }),
  );
  return [list, add, remove, rotate, test, deliveries];
}

/** `fault`: it was done, and is told, and what came of it is not what was wanted. */
type Act = (
  app: Services,
  named: string,
) => Promise<{ readonly value: unknown; readonly text: string; readonly fault?: Failure }>;

const NOT_TAKEN = "The endpoint did not take the test; mend it, and test it again.";
const KEEP = "Keep the secret: it is not shown again.";

const WEBHOOKS = [{ title: "ID" }, { title: "STATE" }, { title: "LAST TAKEN (UTC)" }, { title: "URL", yields: true }];
const DELIVERIES = [
  { title: "ID" },
  { title: "WEBHOOK" },
  { title: "TYPE" },
  { title: "STATE" },
  { title: "TRIED" },
  { title: "WHEN (UTC)" },
  { title: "LAST ERROR", yields: true },
];

const testedText = ({ state, last_status, last_error }: Delivery) =>
  state === "delivered" ? `Taken: it answered ${last_status}.` : `Not taken. ${plain(last_error ?? "")}`;
