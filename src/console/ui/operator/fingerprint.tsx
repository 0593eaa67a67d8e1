import { Fragment } from "preact";
import type { ToolExplanation } from "../api-types.ts";
import { askAsOperator } from "../ask.ts";
import { Told } from "../parts/states.tsx";
import { useAnswer } from "../use-answer.ts";
import { minuteOf, percentOf, withQuota, worded } from "../wording.ts";

/** A tool's rules with their reasons, and where it was told last and why. */
export function FingerprintPage({ tool }: { readonly tool: string }) {
  const path = `/console/admin/fingerprints/${encodeURIComponent(tool)}`;
  const [answer, again] = useAnswer((signal) => askAsOperator<ToolExplanation>(path, { signal }), [path]);
  return (
    <>
      <p>
        <a href="/operator/fingerprints">All fingerprints</a>
      </p>
      <Told answer={answer} again={again} lines={8}>
        {(told) => <Explained tool={told} />}
      </Told>
    </>
  );
}

function Explained({ tool }: { readonly tool: ToolExplanation }) {
  const facts: readonly (readonly [string, string])[] = [
    ["Vendor", tool.vendor],
    ["Also called", tool.aliases.join(", ")],
    ["Part of", tool.product_of ?? ""],
    ["Does with mail", tool.roles.join(", ")],
    ["Brings with it", tool.implies.join(", ")],
    ["Never beside", tool.excludes.join(", ")],
    ["Only beside", tool.requires.join(", ")],
  ];
  return (
    <>
      <header>
        <h2 class="section-title">{tool.name}</h2>
        <p class="faint">
          {tool.category} · seen at {withQuota(tool.domains, "company", "companies")} ·{" "}
          <a href={tool.website} target="_blank" rel="noreferrer">
            {URL.parse(tool.website)?.hostname ?? tool.website}
            <span class="unseen"> (opens in a new tab)</span>
          </a>
        </p>
      </header>
      <dl class="pairs panel">
        {facts
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        <dt>Id</dt>
        <dd>
          <code>{tool.id}</code>
        </dd>
      </dl>
      <section class="stack" aria-labelledby="rules">
        <h2 id="rules" class="section-title">
          What tells it
        </h2>
        <ul class="rows">
          {tool.rules.map((rule) => (
            <Rule key={rule.id} rule={rule} />
          ))}
        </ul>
      </section>
      <section class="stack" aria-labelledby="latest">
        <h2 id="latest" class="section-title">
          Where it was told last
        </h2>
        {tool.latest.length === 0 ? (
          <p class="faint">No scan that is kept tells it.</p>
        ) : (
          <ul class="rows">
            {tool.latest.map((scan) => (
              <li key={scan.domain} class="row">
                <span class="row-title">
                  <a href={`/lookup/${encodeURIComponent(scan.domain)}?tool=${encodeURIComponent(tool.name)}`}>
                    {scan.domain}
                  </a>
                </span>
                <span class="faint">
                  {percentOf(scan.confidence)} sure, {minuteOf(scan.scanned_at)}
                </span>
                <ul class="plain proofs-short">
                  {scan.evidence.map((proof) => (
                    <li key={`${proof.rule} ${proof.value} ${proof.location}`}>
                      <code class="break">{proof.value}</code>{" "}
                      <span class="faint break">
                        {proof.rule.split("/").at(-1)}, {proof.signal} at {proof.location}
                      </span>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function Rule({ rule }: { readonly rule: ToolExplanation["rules"][number] }) {
  return (
    <li class="row">
      <span class="row-title">{worded(rule.id)}</span>
      <span>
        <span class={rule.strength === "weak" ? "tag warm" : "tag"}>{worded(rule.strength)}</span>{" "}
        {rule.own && <span class="tag plain-tag">Your own</span>}
      </span>
      <span>{worded(rule.why)}.</span>
      <dl class="rule-match">
        {Object.entries(rule.match).map(([test, value]) => (
          <div key={test}>
            <dt>{worded(test).toLowerCase()}</dt>
            <dd class="break">
              <code>{Array.isArray(value) ? value.join(", ") : String(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <span class="faint small break">in {rule.see.join(", ")}</span>
      {rule.means !== "runs" && <span class="faint">It says: {worded(rule.means).toLowerCase()}</span>}
    </li>
  );
}
