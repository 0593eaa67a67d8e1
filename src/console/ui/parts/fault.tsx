import { apiKey } from "../api-key.ts";
import type { Refusal } from "../ask.ts";
import { spanOf } from "../wording.ts";
import { Icon } from "./icon.tsx";
import { SignUp } from "./sign-up.tsx";

interface FaultProps {
  readonly refusal: Refusal;
  readonly again?: (() => void) | undefined;
}

/** Asked again they are answered the same. */
const FINAL = new Set([400, 403, 404, 405, 409, 413, 415, 422]);

/** Why there is nothing to see, and what to do now. */
export function Fault({ refusal, again }: FaultProps) {
  if (refusal.status === 401 && refusal.problem.code === "key.invalid") return <NoKey />;
  const final = FINAL.has(refusal.status);
  return (
    <section class={final ? "fault calm" : "fault"} role="alert">
      <Icon name={final ? "search" : "warning"} />
      <div>
        <h2>{refusal.problem.title ?? "That did not work"}</h2>
        <p>{refusal.message}</p>
        {refusal.retryAfter !== null && <p>Try again in {spanOf(refusal.retryAfter)}.</p>}
        <div class="actions">
          {again && !final && (
            <button
              type="button"
              class="button"
              onClick={() => {
                again();
                // The button goes with the fault; the page stays.
                document.getElementById("main")?.focus({ preventScroll: true });
              }}
            >
              <Icon name="again" />
              Try again
            </button>
          )}
          {refusal.status === 404 && (
            <a href={placeAbove()}>{placeAbove() === "/" ? "To the start" : "See what there is"}</a>
          )}
          {refusal.problem.code === "quota.exceeded" && (
            <a class="button" href="/key">
              See this month's use
            </a>
          )}
        </div>
        {refusal.problem.request_id && <p class="faint">Request {refusal.problem.request_id}</p>}
      </div>
    </section>
  );
}

/** `/studies/x` → `/studies`: where what is missing would be listed. */
const placeAbove = () => (/^\/(?:studies|companies|operator\/\w+)(?=\/)/.exec(location.pathname) ?? ["/"])[0];

/** A page that needs a key gives one on the spot, and goes on by itself when there is one. */
function NoKey() {
  const refused = apiKey.get() !== null;
  return (
    <section class="gate">
      <h2>{refused ? "This key is not valid any more" : "This needs a key"}</h2>
      <p>
        {refused
          ? "It was revoked, or is of another installation. Get a new one, or enter another."
          : "A key is free of charge, takes an e-mail address and no more, and counts what you ask."}
      </p>
      <SignUp />
    </section>
  );
}
