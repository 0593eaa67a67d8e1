import { type Command, Option } from "commander";
import type { App } from "../../app/app.ts";
import { Failure } from "../../vocabulary/failure.ts";
import { DELIVERY_STATES, type Delivery, type DeliveryState } from "../../vocabulary/watch.ts";
import { minuteOf } from "./details.ts";
import type { CliHost } from "./host.ts";
import { footer, type ListFlags, listOptions, pageOf } from "./list-options.ts";
import { jsonText, plain, table } from "./table.ts";
import { withApp } from "./with-app.ts";

interface JsonFlag {
  readonly json?: boolean;
}

/** `casefile webhooks`: who is told what changed at watched companies. */
export function addWebhooks(program: Command, host: CliHost): Command[] {
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
      const all = await app.listWebhooks();
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
      const made = await app.addWebhook(url);
      return { value: made, text: `${made.id}\n${made.secret}\n${KEEP} Try it: casefile webhooks test ${made.id}` };
    },
  );
  const remove = one("remove", "<id>", "Tell an endpoint no more; what waits for it is dropped.", async (app, id) => ({
    value: await app.removeWebhook(id),
    text: "Removed.",
  }));
  const rotate = one(
    "rotate",
    "<id>",
    "Give an endpoint another secret; the former one signs beside it for a day.",
    async (app, id) => {
      const made = await app.rotateWebhook(id);
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
      const delivery = await app.testWebhook(id, host.signal);
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
      const page = await app.listDeliveries(filter, pageOf(flags));
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
  app: App,
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
