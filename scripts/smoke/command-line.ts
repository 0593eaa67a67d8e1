import type { Machine } from "./machine.ts";

/** Completions, help with fingerprints, exit codes and suggestions. */
export async function commandLine({ ok, json, run, check }: Machine): Promise<void> {
  const scripts = await Promise.all(["bash", "zsh", "fish"].map((shell) => ok(["completions", shell])));
  check(
    "prints completions for bash, zsh and fish",
    scripts.every((script) => script.includes("enrich") && script.includes("data-dir")),
  );
  const bash = Bun.spawn(["bash", "-n"], { stdin: new Blob([scripts[0] ?? ""]), stderr: "inherit" });
  check("prints completions that bash accepts", (await bash.exited) === 0);
  const explanation = await ok(["fingerprints", "explain", "HubSpot"]);
  check("explains a fingerprint", explanation.includes("the tag that every portal is told to install"));
  const wrong = await run(["enrich", "--no-such-flag"]);
  check("exits with 2 on a usage error", wrong.code === 2 && wrong.out === "");
  // The system refuses connections to this address, as to any address without a network.
  const offline = await run(["enrich", "acme.com", "--net-resolvers", "255.255.255.255"]);
  check("reports unreachable DNS", offline.code === 1 && offline.err.includes("DNS did not answer"));
  check("finds a vendor by a part of its name", (await json(["companies", "tidewel"])).total === 1);
}
