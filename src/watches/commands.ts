import { type Command, InvalidArgumentError, Option } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "../cli/list-options.ts";
import { jsonText, minuteOf, plain, table } from "../cli/table.ts";
import { Failure } from "../core/errors.ts";
import type { WatchService } from "./service.ts";
import { DELIVERY_STATES, type Delivery, type DeliveryState, type Watch } from "./types.ts";

type Host = CliHost<{ readonly watches: WatchService }>;

interface JsonFlag {
  readonly json?: boolean;
}

const print = (host: Host, { json }: JsonFlag, value: unknown, text: string) =>
  host.out(`${json ? jsonText(value) : text}\n`);

/** A page of a list as a table. */
const pageText = (
  host: Host,
  columns: Parameters<typeof table>[0],
  rows: readonly (readonly string[])[],
  page: { readonly total: number; readonly next_cursor: string | null },
  empty: string,
) => (rows.length === 0 ? empty : `${table(columns, rows, host.columns)}\n${footer(rows.length, page)}`);

interface WatchFlags extends JsonFlag {
  readonly every?: number;
  readonly paused?: boolean;
}

/** `casefile watch`. */
export function addWatchCommands(program: Command, host: Host): Command[] {
  const watch = program
    .command("watch")
    .description("Watch domains: a running service rescans them regularly and reports changes.");

  const add = watch
    .command("add", { isDefault: true })
    .description("Watch a domain, or change its watch.")
    .argument("<domain>")
    .option("--every <time>", "interval, such as 12h, 7d or 2w; a new watch uses watch.every_hours", parseInterval)
    .option("--paused", "keep the watch without scanning; run the command without this option to resume")
    .option("--json", "print the same JSON as PUT /admin/watches/{domain}");
  add.action((domain: string, { every, paused = false, ...flags }: WatchFlags) =>
    withApp(host, add.opts(), async ({ watches }) => {
      const added = await watches.watch(domain, { everyHours: every, paused });
      print(host, flags, added, watchText(added));
    }),
  );

  const list = listOptions(
    watch.command("list").description("List the watches with their last outcome and next scan."),
    "/admin/watches",
  );
  list.action((flags: ListFlags) =>
    withApp(host, list.opts(), async ({ watches }) => {
      const page = await watches.listWatches(pageOf(flags));
      const rows = page.watches.map((each) => [
        each.domain,
        formatInterval(each.every_hours),
        each.last_scan_at === null ? "never" : minuteOf(each.last_scan_at),
        each.last_outcome ?? "",
        String(each.tools_detected),
        nextText(each),
        each.last_error ?? "",
      ]);
      print(host, flags, page, pageText(host, WATCHES, rows, page, "No watches. Add one: casefile watch DOMAIN"));
    }),
  );

  const changes = listOptions(
    watch
      .command("changes")
      .description("List tools that appeared or disappeared, newest first.")
      .argument("[domain]")
      .option("--since <date>", "date or timestamp, such as 2026-05-04"),
    "/admin/changes",
  );
  changes.action((domain: string | undefined, { since, ...flags }: ListFlags & { since?: string }) =>
    withApp(host, changes.opts(), async ({ watches }) => {
      const page = await watches.listChanges({ domain, since }, pageOf(flags));
      const rows = page.changes.map((each) => [
        minuteOf(each.at),
        each.domain,
        each.change,
        each.tool,
        each.category,
        each.first_seen.slice(0, 10),
        each.last_seen.slice(0, 10),
        each.evidence,
      ]);
      print(host, flags, page, pageText(host, CHANGES, rows, page, "No changes."));
    }),
  );

  const remove = watch
    .command("remove")
    .description("Stop watching a domain; its changes stay listed.")
    .argument("<domain>")
    .option("--json", "print the same JSON as DELETE /admin/watches/{domain}");
  remove.action((domain: string, flags: JsonFlag) =>
    withApp(host, remove.opts(), async ({ watches }) => {
      const removed = await watches.unwatch(domain);
      print(host, flags, removed, `${plain(removed.domain)} is no longer watched.`);
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
  { title: "EVIDENCE", yields: true },
];

const watchText = ({ domain, every_hours, paused }: Watch): string =>
  paused
    ? `${plain(domain)} is paused. Watch it again to resume.`
    : `${plain(domain)} is scanned every ${formatInterval(every_hours)} while the service runs: casefile serve`;

/** A scan that missed a tool or checked a data source only in part is verified before the interval ends. */
function nextText({ paused, every_hours, last_scan_at, last_outcome, next_scan_at }: Watch): string {
  if (paused) return "paused";
  const regular = Date.parse(last_scan_at ?? "") + every_hours * 3_600_000;
  const isEarly = last_outcome !== "failed" && Date.parse(next_scan_at) < regular;
  return `${minuteOf(next_scan_at)}${isEarly ? " to verify" : ""}`;
}

const DAY_HOURS = 24;

/** `168` → `7d`, `30` → `30h`. */
const formatInterval = (hours: number): string => (hours % DAY_HOURS === 0 ? `${hours / DAY_HOURS}d` : `${hours}h`);

const UNIT_HOURS: Readonly<Record<string, number>> = { h: 1, d: DAY_HOURS, w: 7 * DAY_HOURS };

/** Whole hours, from 1 to 8760. */
function parseInterval(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,4})([hdw])$/.exec(text) ?? [];
  const hours = Number(digits) * (UNIT_HOURS[unit] ?? Number.NaN);
  if (!(hours >= 1 && hours <= 8_760)) throw new InvalidArgumentError("Give 1h to 365d, such as 12h, 7d or 2w.");
  return hours;
}

/** What a command on one webhook prints; it exits with `failure` afterwards if there is one. */
interface Outcome {
  readonly value: unknown;
  readonly text: string;
  readonly failure?: Failure | undefined;
}

/** `casefile webhooks`. */
export function addWebhookCommands(program: Command, host: Host): Command[] {
  const webhooks = program
    .command("webhooks")
    .description("Notify your endpoints of changes. Webhooks follow the Standard Webhooks specification.");
  /** Adds a command on one webhook. */
  const onWebhook = (
    name: string,
    argument: string,
    description: string,
    run: (watches: WatchService, argument: string) => Promise<Outcome>,
  ) => {
    const command = webhooks.command(name).description(description).argument(argument).option("--json", "print JSON");
    command.action((given: string, flags: JsonFlag) =>
      withApp(host, command.opts(), async ({ watches }) => {
        const { value, text, failure } = await run(watches, given);
        print(host, flags, value, text);
        if (failure) throw failure;
      }),
    );
    return command;
  };

  const list = webhooks
    .command("list", { isDefault: true })
    .description("List the webhooks, oldest first.")
    .option("--json", "print the same JSON as GET /admin/webhooks");
  list.action((flags: JsonFlag) =>
    withApp(host, list.opts(), async ({ watches }) => {
      const all = await watches.listWebhooks();
      const rows = all.map(({ id, url, state, last_success_at }) => [
        id,
        state,
        last_success_at === null ? "never" : minuteOf(last_success_at),
        url,
      ]);
      const text = rows.length === 0 ? "No webhooks." : table(WEBHOOKS, rows, host.columns);
      print(host, flags, { webhooks: all, total: all.length, next_cursor: null }, text);
    }),
  );

  const add = onWebhook("add", "<url>", "Add a webhook; its secret is shown only once.", async (watches, url) => {
    const value = await watches.addWebhook(url);
    return { value, text: `${value.id}\n${value.secret}\n${KEEP_SECRET} Test it: casefile webhooks test ${value.id}` };
  });
  const remove = onWebhook("remove", "<id>", "Remove a webhook and its waiting deliveries.", async (watches, id) => ({
    value: await watches.removeWebhook(id),
    text: "Removed.",
  }));
  const rotate = onWebhook(
    "rotate",
    "<id>",
    "Issue a new secret; the old one also signs for a day.",
    async (watches, id) => {
      const value = await watches.rotateWebhook(id);
      return { value, text: `${value.secret}\n${KEEP_SECRET} The old secret also signs for a day.` };
    },
  );
  const test = onWebhook(
    "test",
    "<id>",
    "Send a test message once. Success activates the webhook; otherwise the exit code is 1.",
    async (watches, id) => {
      const value = await watches.testWebhook(id, host.signal);
      const failure = value.state === "delivered" ? undefined : new Failure("webhook.not_taken", NOT_DELIVERED);
      return { value, text: testText(value), failure };
    },
  );

  const deliveries = listOptions(
    webhooks
      .command("deliveries")
      .description("List deliveries, newest first.")
      .argument("[id]", "of one webhook")
      .addOption(new Option("--state <state>", "in one state").choices(DELIVERY_STATES)),
    "/admin/webhooks/deliveries",
  );
  deliveries.action((webhook: string | undefined, { state, ...flags }: ListFlags & { state?: DeliveryState }) =>
    withApp(host, deliveries.opts(), async ({ watches }) => {
      const page = await watches.listDeliveries({ webhook, state }, pageOf(flags));
      const rows = page.deliveries.map((delivery) => [
        delivery.id,
        delivery.webhook_id,
        delivery.type,
        delivery.state,
        String(delivery.attempts),
        minuteOf(delivery.next_attempt_at ?? delivery.created_at),
        delivery.last_error ?? "",
      ]);
      print(host, flags, page, pageText(host, DELIVERIES, rows, page, "No deliveries."));
    }),
  );
  return [list, add, remove, rotate, test, deliveries];
}

const NOT_DELIVERED = "The endpoint did not accept the test message. Correct the endpoint, then test it again.";
const KEEP_SECRET = "Keep the secret: it is shown only once.";

const WEBHOOKS = [{ title: "ID" }, { title: "STATE" }, { title: "LAST SUCCESS (UTC)" }, { title: "URL", yields: true }];
const DELIVERIES = [
  { title: "ID" },
  { title: "WEBHOOK" },
  { title: "TYPE" },
  { title: "STATE" },
  { title: "ATTEMPTS" },
  { title: "WHEN (UTC)" },
  { title: "LAST ERROR", yields: true },
];

const testText = ({ state, last_status, last_error }: Delivery) =>
  state === "delivered"
    ? `Delivered: the endpoint answered ${last_status}.`
    : `Not delivered. ${plain(last_error ?? "")}`;
