import { Argument, type Command } from "commander";
import { bashScript } from "./completions/bash.ts";
import { fishScript } from "./completions/fish.ts";
import { type Place, placesOf } from "./completions/tree.ts";
import { zshScript } from "./completions/zsh.ts";
import type { CliHost } from "./host.ts";

const SCRIPTS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `casefile completions`: what completes commands and flags in a shell, written from the commands themselves. */
export function addCompletions(program: Command, host: CliHost): void {
  program
    .command("completions")
    .description("Print a script that completes commands and flags in your shell.")
    .addArgument(new Argument("<shell>").choices(Object.keys(SCRIPTS)))
    .action((shell: string) => host.out(SCRIPTS[shell]?.(placesOf(program)) ?? ""));
}
