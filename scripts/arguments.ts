import { type ParseArgsConfig, parseArgs } from "node:util";

/** Ends the script: prints why, and the usage. */
type Refuse = (reason: string) => never;

/**
 * Parses the arguments of a script. `--help` prints the usage and ends with 0; an argument that is not understood prints
 * it after the reason and ends with 2.
 *
 * @param usage lines after `Usage: `
 */
export function readArguments<const T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> & { readonly refuse: Refuse } {
  const refuse: Refuse = (reason) => {
    console.error(`${reason}\nUsage: ${usage}`);
    process.exit(2);
  };
  if (process.argv.includes("--help") || process.argv.includes("-h")) {
    console.log(`Usage: ${usage}`);
    process.exit(0);
  }
  try {
    return { ...parseArgs(config), refuse };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_"))) throw error;
    // Only the first sentence is about the argument.
    return refuse(`${error.message.replace(/\.\s.*/s, "")}.`);
  }
}
