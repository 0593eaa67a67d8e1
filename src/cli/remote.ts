import { type Command, InvalidArgumentError } from "commander";
import type { Client } from "../../client/src/index.ts";
import { CasefileProblem } from "../../client/src/index.ts";
import type { CliHost } from "./host.ts";

/** For a command that can ask a service in place of the data directory. */
export const serverOption = (command: Command): Command =>
  command.option(
    "--server <url>",
    "ask the service there, with the key in CASEFILE_API_KEY, and leave the data directory alone",
    readServer,
  );

/**
 * Asks a service.
 *
 * @throws CasefileProblem in words of the command line when there is no answer or no key, else in the service's own
 */
export async function fromServer<T>(host: CliHost, server: string, ask: (casefile: Client) => Promise<T>): Promise<T> {
  try {
    return await ask(host.connect(server));
  } catch (error) {
    throw error instanceof CasefileProblem ? (remedied(error, server) ?? error) : error;
  }
}

function remedied({ status, code }: CasefileProblem, server: string): CasefileProblem | undefined {
  if (status === 401) {
    return new CasefileProblem(
      status,
      code,
      `${server} does not take the key; set CASEFILE_API_KEY to one that \`casefile keys issue\` or POST /v1/keys issued there.`,
    );
  }
  if (status !== 0) return undefined;
  return new CasefileProblem(
    status,
    code,
    `Nothing answers at ${server}; start it with \`casefile serve\`, or leave --server out to use the data directory.`,
  );
}

function readServer(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "" || url.hash !== "")
    throw new InvalidArgumentError("Give the address of a service, such as http://127.0.0.1:7171.");
  return url.href.replace(/\/+$/, "");
}
