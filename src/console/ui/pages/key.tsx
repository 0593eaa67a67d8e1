import { apiKey, forgetKey, isRemembered, quota } from "../api-key.ts";
import type { Usage } from "../api-types.ts";
import { askKeyed } from "../ask.ts";
import { QuickStart } from "../key/quick-start.tsx";
import { useObservable } from "../observable.ts";
import { SignUp } from "../parts/sign-up.tsx";
import { Told } from "../parts/states.tsx";
import { useTitle } from "../router.ts";
import { useAnswer } from "../use-answer.ts";
import { numberOf, percentOf, spanOf } from "../wording.ts";

export function KeyPage() {
  useTitle("Your key");
  const key = useObservable(apiKey);
  return (
    <div class="narrow">
      <h1>{key === null ? "Get a key" : "Your key"}</h1>
      {key === null ? (
        <>
          <p class="lead">
            A key opens the API and this console. It takes an e-mail address, is shown once, and counts what you ask in
            a month.
          </p>
          <section class="panel" aria-label="Sign up">
            <SignUp />
          </section>
        </>
      ) : (
        <Held apiKey={key} />
      )}
      <QuickStart />
    </div>
  );
}

function Held({ apiKey: key }: { readonly apiKey: string }) {
  const [answer, again] = useAnswer(
    async (signal) => {
      const usage = await askKeyed<Usage>("/console/usage", { signal });
      quota.set({ limit: usage.limit, remaining: usage.remaining, reset: usage.reset_seconds });
      return usage;
    },
    [key],
  );
  return (
    <section class="panel" aria-labelledby="usage">
      <h2 id="usage">This month</h2>
      <Told answer={answer} again={again} lines={3}>
        {({ email, limit, remaining, reset_seconds }) => (
          <>
            <p class="usage">
              <strong class="big">{numberOf(limit - remaining)}</strong> of {numberOf(limit)} requests used
            </p>
            <meter
              class="meter"
              aria-label="Requests used this month"
              min={0}
              max={Math.max(1, limit)}
              value={limit - remaining}
              high={limit * 0.9}
            >
              {percentOf(limit === 0 ? 1 : (limit - remaining) / limit)}
            </meter>
            <p class="faint">
              A new month begins in {spanOf(reset_seconds)} (UTC). The key ends in <code>{key.slice(-4)}</code> and is
              of {email}.
            </p>
          </>
        )}
      </Told>
      <p class="faint">
        Here a look-up counts as two requests, the stream and the evidence; a company's page as three; all else as one.
      </p>
      <p class="faint">
        {isRemembered()
          ? "It is remembered on this device until you forget it."
          : "It is forgotten when this tab is closed."}
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={forgetKey}>
          Forget it here
        </button>
      </div>
    </section>
  );
}
