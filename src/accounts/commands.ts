import { type Command, InvalidArgumentError } from "commander";
import { type CliHost, withApp } from "../cli/host.ts";
import { jsonText, table } from "../cli/table.ts";
import { Failure } from "../core/errors.ts";
import { COMMAND } from "./roles.ts";
import type { Accounts, Operator } from "./service.ts";

/** `casefile keys`: manages API keys. */
export function addKeys(program: Command, host: CliHost<{ accounts: Accounts }>): Command[] {
  const keys = program.command("keys").description("Issue, list, limit, revoke and reissue API keys.");
  /** Runs a command and prints its result, as JSON or as text. */
  const run =
    <Args extends unknown[]>(
      command: Command,
      work: (accounts: Accounts, ...args: Args) => Promise<readonly [json: unknown, text: string]>,
    ) =>
    (...args: Args) =>
      withApp(host, command.optsWithGlobals(), async ({ accounts }) => {
        const [json, text] = await work(accounts, ...args);
        host.out(`${command.opts().json ? jsonText(json) : text}\n`);
      });

  const issue = keys
    .command("issue")
    .description("Issue a key for an email address. The key is shown only once.")
    .argument("<email>");
  issue.action(
    run(issue, async (accounts, email: string) => {
      const key = await accounts.issue(email).catch((error) => {
        throw withReissueHint(error, email);
      });
      return [key, `${key.api_key}\nStore it now: Casefile keeps only a hash. ${key.monthly_limit} requests a month.`];
    }),
  );

  const list = keys.command("list", { isDefault: true }).description("List all keys, oldest first.");
  list.action(
    run(list, async (accounts) => {
      const all = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await accounts.list({ limit: 1_000, cursor });
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
      const text = rows.length === 0 ? "No keys." : table(COLUMNS, rows, host.columns);
      return [{ keys: all, total: all.length, next_cursor: null }, text];
    }),
  );

  const revoke = keys.command("revoke").description("Revoke a key.").argument("<email-or-id>");
  revoke.action(run(revoke, async (accounts, which: string) => [await accounts.revoke(which), "Revoked."]));

  const reissue = keys
    .command("reissue")
    .description("Revoke the active key of an email address and issue a new one.")
    .argument("<email-or-id>");
  reissue.action(
    run(reissue, async (accounts, which: string) => {
      const key = await accounts.reissue(which);
      return [key, `${key.api_key}\nThe previous key no longer works.`];
    }),
  );

  const limit = keys
    .command("limit")
    .description("Set the monthly request limit of a key.")
    .argument("<email-or-id>")
    .argument("<requests>", "0 or more", parseLimit);
  limit.action(
    run(limit, async (accounts, which: string, requests: number) => [
      await accounts.setLimit(which, requests),
      `${requests} requests a month from now on.`,
    ]),
  );

  const commands = [issue, list, revoke, reissue, limit];
  for (const command of commands) command.option("--json", "print JSON");
  return commands;
}

/** Adds the command that replaces an existing key. */
function withReissueHint(error: unknown, email: string): unknown {
  if (!(error instanceof Failure) || error.code !== "key.exists") return error;
  const message = `This email address already has an active key. If you lost the key, run: casefile keys reissue ${email.trim()}`;
  return new Failure(error.code, message, error.details);
}

const COLUMNS = [
  { title: "ID" },
  { title: "EMAIL", yields: true },
  { title: "KEY" },
  { title: "THIS MONTH" },
  { title: "SINCE" },
  { title: "STATE" },
];

function parseLimit(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Give a whole number, 0 or more.");
  return Number(text);
}

/** `casefile operator`: replaces the operator token. */
export function addOperator(program: Command, host: CliHost<{ operator: Operator }>): Command {
  const command = program.command("operator").description("Manage the token for /admin and the console.");
  const reset = command
    .command("reset-token")
    .description("Create a new operator token and show it once. The previous token and its sessions end.")
    .option("--json", "print JSON");
  reset.action(() =>
    withApp(host, reset.opts(), async ({ operator }) => {
      const entry = await operator.audit.begin({ ...COMMAND, action: "operator reset-token", target: null });
      const made = await operator.replaceOperatorToken();
      await operator.audit.finish(entry, 200);
      const text = `${made.token}\nStore it now: Casefile keeps only a hash. The previous token and its console sessions no longer work.`;
      host.out(`${reset.opts().json ? jsonText(made) : text}\n`);
    }),
  );
  return reset;
}
