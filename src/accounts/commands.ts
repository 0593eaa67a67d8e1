import { type Command, InvalidArgumentError } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { jsonText, table } from "../cli/table.ts";
import type { Services } from "../compose.ts";
import { Failure } from "../core/errors.ts";

/** `casefile keys`: everything that an operator does with API keys. */
export function addKeys(program: Command, host: CliHost<Services>): Command[] {
  const keys = program.command("keys").description("Issue, list, revoke and reissue API keys.");
  const withApp = (command: Command, work: (app: Services) => Promise<string>) => async () => {
    const app = await host.open(command.optsWithGlobals());
    try {
      host.out(`${await work(app)}\n`);
    } finally {
      await app.close();
    }
  };
  const json = (command: Command, value: unknown, text: string) => (command.opts().json ? jsonText(value) : text);

  const issue = keys
    .command("issue")
    .description("Issue a key for an address; it is shown this once.")
    .argument("<email>");
  const list = keys.command("list", { isDefault: true }).description("List all keys, oldest first.");
  const revoke = keys.command("revoke").description("End a key at once.").argument("<email-or-id>");
  const reissue = keys
    .command("reissue")
    .description("End the active key of an address and issue a new one.")
    .argument("<email-or-id>");
  const limit = keys
    .command("limit")
    .description("Set how many requests a key may make in a month.")
    .argument("<email-or-id>")
    .argument("<requests>", "0 or more", readLimit);
  const commands = [issue, list, revoke, reissue, limit];
  for (const command of commands) command.option("--json", "print JSON");

  issue.action((email: string) =>
    withApp(issue, async (app) => {
      const key = await app.accounts.issue(email).catch(naming(email));
      return json(issue, key, `${key.api_key}\nKeep it: only a hash is stored. ${key.monthly_limit} requests a month.`);
    })(),
  );
  list.action(() =>
    withApp(list, async (app) => {
      const all = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await app.accounts.list({ limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
        all.push(...page.keys);
        cursor = page.next_cursor;
      }
      const rows = all.map((key) => [
        key.id,
        key.email,
        `…${key.hint}`,
        `${key.used_this_month}/${key.monthly_limit}`,
        key.created_at.slice(0, 10),
        key.revoked_at ? "revoked" : "active",
      ]);
      return json(
        list,
        { keys: all, total: all.length, next_cursor: null },
        rows.length === 0 ? "No key was issued yet." : table(COLUMNS, rows, host.columns),
      );
    })(),
  );
  revoke.action((which: string) =>
    withApp(revoke, async (app) => {
      return json(revoke, await app.accounts.revoke(which), "Revoked.");
    })(),
  );
  reissue.action((which: string) =>
    withApp(reissue, async (app) => {
      const key = await app.accounts.reissue(which);
      return json(reissue, key, `${key.api_key}\nThe former key no longer counts.`);
    })(),
  );
  limit.action((which: string, requests: number) =>
    withApp(limit, async (app) => {
      return json(limit, await app.accounts.setLimit(which, requests), `${requests} requests a month from now on.`);
    })(),
  );
  return commands;
}

/** Who asks here is the operator. */
const naming = (email: string) => (error: unknown) => {
  if (!(error instanceof Failure) || error.code !== "key.exists") throw error;
  const advice = `This address has an active key; if it is lost: casefile keys reissue ${email.trim()}`;
  throw new Failure(error.code, advice, error.details);
};

const COLUMNS = [
  { title: "ID" },
  { title: "ADDRESS", yields: true },
  { title: "KEY" },
  { title: "THIS MONTH" },
  { title: "SINCE" },
  { title: "STATE" },
];

function readLimit(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Give a whole number, 0 or more.");
  return Number(text);
}

/** `casefile operator`: a new token in place of one that was lost, or that somebody saw. */
export function addOperator(program: Command, host: CliHost<Services>): Command {
  const operator = program.command("operator").description("Look after the token that opens /admin and the console.");
  const reset = operator
    .command("reset-token")
    .description("Make a new operator token and show it this once; the former one and its sessions end at once.")
    .option("--json", "print JSON");
  reset.action(() =>
    withApp(host, reset.opts(), async (app) => {
      const made = await app.operator.replaceOperatorToken();
      const told =
        "Keep it: only a hash is stored. The former token no longer counts, and its sessions in the console end.";
      host.out(`${reset.opts().json ? jsonText(made) : `${made.token}\n${told}`}\n`);
    }),
  );
  return reset;
}
