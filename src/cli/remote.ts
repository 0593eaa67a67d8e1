import { type Command, InvalidArgumentError } from "commander";
import type { Client } from "../../client/src/index.ts";
import { CasefileProblem } from "../../client/src/index.ts";
import type { CliHost } from "./host.ts";

/** The option of commands that can ask a running service instead of opening the data directory. */
export const serverOption = (command: Command): Command =>
  command.option(
    "--server <url>",
    "query the service at this URL with the API key in CASEFILE_API_KEY, instead of using the data directory",
    readServer,
  );

/**
 * Asks a service.
 *
 * @throws CasefileProblem with a hint for the command line when the service does not answer or refuses the key
 */
export async function fromServer<T>(host: CliHost, server: string, ask: (casefile: Client) => Promise<T>): Promise<T> {
  try {
    return await ask(host.connect(server));
  } catch (error) {
    throw error instanceof CasefileProblem ? (withHint(error, server, host.hasApiKey) ?? error) : error;
  }
}

function withHint({ status, code }: CasefileProblem, server: string, hasApiKey: boolean): CasefileProblem | undefined {
  if (status === 401) {
    return new CasefileProblem(
      status,
      code,
      `${hasApiKey ? `${server} does not accept the API key` : `CASEFILE_API_KEY is not set, and ${server} requires an API key`}. Set CASEFILE_API_KEY to a key that was issued there with \`casefile keys issue\` or POST /v1/keys.`,
    );
  }
  if (status !== 0) return undefined;
  return new CasefileProblem(
    status,
    code,
    `Cannot connect to ${server}. Start the service with \`casefile serve\`, or omit --server to use the data directory.`,
  );
}

/** @throws InvalidArgumentError for text that is not the address of a service */
export function readServer(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "" || url.hash !== "")
    throw new InvalidArgumentError("Give the URL of a service, such as http://127.0.0.1:7171.");
  return url.href.replace(/\/+$/, "");
}
