import { Icon } from "../parts/icon.tsx";
import { PHASES, type Scan } from "./scan.ts";

const WORDS: Readonly<Record<(typeof PHASES)[number], readonly [string, string]>> = {
  identity: ["Identity", "mail and sign-in records"],
  website: ["Website", "pages and scripts"],
  hosting: ["Hosting", "networks and certificates"],
  subdomains: ["Subdomains", "names that lead elsewhere"],
  hiring: ["Hiring", "job boards"],
  disclosures: ["Disclosures", "privacy and sub-processors"],
};

/** The phases of a scan, lit up as they end. */
export function Phases({ scan }: { readonly scan: Scan }) {
  const at = scan.phase === null ? PHASES.length : PHASES.indexOf(scan.phase);
  const now = PHASES[at];
  return (
    <>
      <ol class="phases">
        {PHASES.map((phase, place) => {
          const state = place < at ? "done" : place === at ? "now" : "waiting";
          const [name, about] = WORDS[phase];
          return (
            <li key={phase} class={`phase ${state}`} aria-current={state === "now" ? "step" : undefined}>
              <span class="phase-dot">{state === "done" && <Icon name="check" />}</span>
              <span class="phase-name">{name}</span>
              <span class="phase-about">{(scan.found[phase] ?? 0) > 0 ? `${scan.found[phase]} found` : about}</span>
              <span class="unseen">{state === "done" ? " done" : state === "now" ? " under way" : " not yet"}</span>
            </li>
          );
        })}
      </ol>
      <p class="unseen" role="status">
        {now ? `Looking at ${WORDS[now][1]}; ${scan.tools.length} tools so far.` : `${scan.tools.length} tools found.`}
      </p>
    </>
  );
}
