import type { Command } from "commander";

export interface McpHost {
  /** Serves the agent tools on standard input and output until the input ends or the process is interrupted. */
  serveMcp(flags: Readonly<Record<string, unknown>>): Promise<void>;
}

/** `casefile mcp`: the tools for an agent that starts this process. */
export function addMcp(program: Command, host: McpHost): Command {
  const command = program
    .command("mcp")
    .description(
      "Run an MCP server for agents on standard input and output until the input ends. It uses the data directory and logs to standard error.",
    )
    .addHelpText(
      "after",
      `
Configuration of a client that starts this command:
  { "mcpServers": { "casefile": { "command": "casefile", "args": ["mcp", "--data-dir", "/path/to/casefile-data"] } } }
A running service offers the same tools at /mcp with an API key.`,
    );
  return command.action(() => host.serveMcp(command.opts()));
}
