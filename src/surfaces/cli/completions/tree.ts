import type { Command, Option } from "commander";

/** A place on the command line, and what may stand next there. */
export interface Place {
  /** Words of the commands so far: `""`, `keys`, `keys issue`. */
  readonly at: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly Flag[];
}

export interface Flag {
  /** With its dashes. */
  readonly name: string;
  readonly description: string;
  /** Whether a value follows. */
  readonly valued: boolean;
  /** The values that it takes, when they are few. */
  readonly choices: readonly string[];
  /** Whether the value is a path. */
  readonly path: boolean;
}

/** Names that need no quoting in any shell; one that does is not completed. */
const PLAIN = /^-{0,2}[A-Za-z0-9][\w-]{0,60}$/;

/** Every place that help shows, the program's own first. */
export function placesOf(command: Command, at = ""): Place[] {
  const help = command.createHelp();
  const shown = help.visibleCommands(command);
  const commands = shown
    .flatMap((inner) =>
      [inner.name(), ...inner.aliases()].map((name) => ({ name, description: shortOf(inner.description()) })),
    )
    .filter(({ name }) => PLAIN.test(name));
  const flags = help
    .visibleOptions(command)
    .map(flagOf)
    .filter(({ name }) => PLAIN.test(name));
  const inner = shown
    .filter((one) => one.parent === command)
    .flatMap((one) => [one.name(), ...one.aliases()].flatMap((name) => placesOf(one, `${at} ${name}`.trim())));
  return [{ at, commands, flags }, ...inner];
}

const flagOf = (option: Option): Flag => ({
  name: option.long ?? option.short ?? "",
  description: shortOf(option.description),
  valued: option.required || option.optional,
  choices: (option.argChoices ?? []).filter((choice) => PLAIN.test(choice)),
  path: /[<[](?:file|dir|folder|path)[>\]]/.test(option.flags),
});

/** A menu has one line. */
const shortOf = (text: string) => text.replace(/\s+/g, " ").slice(0, 90);
