import type { Command } from "commander";

export interface McpHost {
  /** Serves the agent tools on standard input and output until the input ends or the process is interrupted. */
  serveMcp(flags: Readonly<Record<string, unknown>>): Promise<void>;
}

/** `casefile mcp`: the tools for an agent that starts this program itself. */
export function addMcp(program: Command, host: McpHost): Command {
  const command = program
    .command("mcp")
    .description(
      "Serve the agent tools (MCP) on standard input and output, from the data directory, until the input ends; logs go to standard error.",
    )
    .addHelpText(
      "after",
      `
For a client that starts it itself:
  { "mcpServers": { "casefile": { "command": "casefile", "args": ["mcp", "--data-dir", "/path/to/casefile-data"] } } }
A running service answers the same tools at /mcp, for an API key.`,
    );
  return command.action(() => host.serveMcp(command.opts()));
}
