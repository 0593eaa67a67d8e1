import { apiKey } from "../api-key.ts";
import type { Comparison } from "../api-types.ts";
import { ask } from "../ask.ts";
import { Picker } from "../compare/picker.tsx";
import { SideBySide } from "../compare/side-by-side.tsx";
import { useObservable } from "../observable.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Empty, Told } from "../parts/states.tsx";
import { addressOf, go, useTitle } from "../router.ts";
import { useAnswer } from "../use-answer.ts";

const MOST = 5;

export function Compare({ query }: { readonly query: URLSearchParams }) {
  useTitle("Compare vendors");
  const key = useObservable(apiKey);
  const slugs = [...new Set((query.get("c") ?? "").split(",").filter(Boolean))].slice(0, MOST);
  const industry = query.get("industry")?.slice(0, 200) ?? "";
  const show = (companies: readonly string[], within = industry) =>
    go(addressOf("/compare", { c: companies.join(","), industry: within }), { replace: true });
  const [answer, again] = useAnswer(
    slugs.length === 0
      ? null
      : (signal) =>
          ask<Comparison>("/v1/compare", { json: { companies: slugs, ...(industry ? { industry } : {}) }, signal }),
    [slugs.join(","), industry, key],
  );
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Compare vendors</h1>
          <p class="lead">Up to five side by side. The address holds the comparison: send it to share it.</p>
        </div>
        {slugs.length > 0 && (
          <div class="actions">
            <CopyButton text={location.href} what="to this comparison" label="Copy link" />
          </div>
        )}
      </div>
      <Picker slugs={slugs} industry={industry} most={MOST} onChange={show} />
      {slugs.length === 0 ? (
        <Empty title="Choose the first vendor">
          <p>
            Type a name above, or begin with <a href="/compare?c=kubernetes,prometheus">Kubernetes and Prometheus</a>{" "}
            from what comes with the program.
          </p>
        </Empty>
      ) : (
        <Told answer={answer} again={again} lines={8}>
          {(comparison) => (
            <SideBySide comparison={comparison} onRemove={(slug) => show(slugs.filter((each) => each !== slug))} />
          )}
        </Told>
      )}
    </>
  );
}
