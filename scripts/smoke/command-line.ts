import type { Machine } from "./machine.ts";

/** What the command line tells of itself and of the catalogue. */
export async function commandLine({ ok, json, run, check }: Machine): Promise<void> {
  const scripts = await Promise.all(["bash", "zsh", "fish"].map((shell) => ok(["completions", shell])));
  check(
    "prints completions for bash, zsh and fish",
    scripts.every((script) => script.includes("enrich") && script.includes("data-dir")),
  );
  const bash = Bun.spawn(["bash", "-n"], { stdin: new Blob([scripts[0] ?? ""]), stderr: "inherit" });
  check("prints completions that bash reads", (await bash.exited) === 0);
  const told = await ok(["fingerprints", "explain", "HubSpot"]);
  check("explains a fingerprint", told.includes("the tag that every portal is told to install"));
  const wrong = await run(["enrich", "--no-such-flag"]);
  check("ends with 2 where it is used wrongly", wrong.code === 2 && wrong.out === "");
  // The system lets nobody connect to this address, as to any where there is no network.
  const cut = await run(["enrich", "acme.com", "--net-resolvers", "255.255.255.255"]);
  check("says where DNS cannot be reached", cut.code === 1 && cut.err.includes("DNS gave no answer"));
  check("finds a company by a part of its name", (await json(["companies", "tidewel"])).total === 1);
}
