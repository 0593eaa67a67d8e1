import { useState } from "preact/hooks";
import type { Delivery, Webhook } from "../../../watches/types.ts";
import { askAsOperator } from "../ask.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Field } from "../parts/field.tsx";
import { minuteOf, worded } from "../wording.ts";
import { Listed } from "./listed.tsx";
import { Refused } from "./refused.tsx";
import { Sure } from "./sure.tsx";
import { useDeed } from "./use-deed.ts";

const PATH = "/console/admin/webhooks";
const TONES = { active: "tag", failing: "tag bad", disabled: "tag plain-tag" } as const;
const DELIVERY_TONES = { waiting: "tag warm", delivered: "tag", failed: "tag bad" } as const;

type Issued = Webhook & { readonly secret: string };

/** Who is told what changed at watched companies, and how that went. */
export function Webhooks() {
  const [issued, setIssued] = useState<Issued | null>(null);
  const [turn, setTurn] = useState(0);
  const renew = () => setTurn((before) => before + 1);
  return (
    <>
      {issued && (
        <section class="panel" role="status" aria-label="Secret">
          <p>
            The secret of {issued.url}. It is shown this once; every message is signed with it, as Standard Webhooks
            says.
          </p>
          <p class="secret">
            <code>{issued.secret}</code>
            <CopyButton text={issued.secret} what="secret" />
          </p>
        </section>
      )}
      <Add
        onAdded={(webhook) => {
          setIssued(webhook);
          renew();
        }}
      />
      <Listed<Webhook> path={PATH} field="webhooks" empty="Nobody is told yet" turn={turn}>
        {(webhooks) => (
          <ul class="rows">
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} onDone={renew} onIssued={setIssued} />
            ))}
          </ul>
        )}
      </Listed>
      <section class="stack" aria-labelledby="deliveries">
        <h2 id="deliveries" class="section-title">
          What was sent
        </h2>
        <Listed<Delivery> path={`${PATH}/deliveries`} field="deliveries" empty="Nothing was sent yet" turn={turn}>
          {(deliveries) => (
            <ul class="rows">
              {deliveries.map((delivery) => (
                <li key={delivery.id} class="row">
                  <span class="row-title">{worded(delivery.type.replaceAll(".", " "))}</span>
                  <span class={DELIVERY_TONES[delivery.state]}>{worded(delivery.state)}</span>
                  <span class="faint">
                    {minuteOf(delivery.created_at)}, attempt {delivery.attempts}
                    {delivery.last_status !== null && `, answered ${delivery.last_status}`}
                    {delivery.next_attempt_at && `, again ${minuteOf(delivery.next_attempt_at)}`}
                  </span>
                  {delivery.last_error && <span class="note small">{delivery.last_error}</span>}
                  <code class="faint break">{delivery.id}</code>
                </li>
              ))}
            </ul>
          )}
        </Listed>
      </section>
    </>
  );
}

function Add({ onAdded }: { readonly onAdded: (webhook: Issued) => void }) {
  const [url, setUrl] = useState("");
  const deed = useDeed();
  const add = async (event: Event) => {
    event.preventDefault();
    await deed.run(async () => {
      onAdded(await askAsOperator<Issued>(PATH, { json: { url: url.trim() } }));
      setUrl("");
    });
  };
  return (
    <form class="panel add-row" onSubmit={add} noValidate aria-label="Tell an endpoint">
      <Field
        label="Address that is told of every change"
        type="url"
        value={url}
        onInput={setUrl}
        placeholder="https://hooks.acme.com/casefile"
        error={deed.refusal?.at("/url") ?? deed.refusal?.message}
        required
      />
      <button type="submit" class="button primary" disabled={deed.busy}>
        Add
      </button>
    </form>
  );
}

interface RowProps {
  readonly webhook: Webhook;
  readonly onDone: () => void;
  readonly onIssued: (webhook: Issued) => void;
}

function WebhookRow({ webhook, onDone, onIssued }: RowProps) {
  const [sure, setSure] = useState<"rotate" | "remove" | null>(null);
  const deed = useDeed();
  const path = `${PATH}/${encodeURIComponent(webhook.id)}`;
  const act = async (work: () => Promise<unknown>) => {
    setSure(null);
    if (await deed.run(work)) onDone();
  };
  const test = () => act(() => askAsOperator(`${path}/test`, { method: "POST" }));
  const confirmed = () =>
    act(async () => {
      if (sure === "remove") await askAsOperator(path, { method: "DELETE" });
      else onIssued(await askAsOperator<Issued>(`${path}/rotate`, { method: "POST" }));
    });
  const to = <span class="unseen"> to {webhook.url}</span>;
  return (
    <li class="row">
      <span class="row-title break">{webhook.url}</span>
      <span class={TONES[webhook.state]}>{worded(webhook.state)}</span>
      <span class="faint">
        {webhook.last_success_at === null
          ? "It took nothing yet"
          : `It last took one ${minuteOf(webhook.last_success_at)}`}
        , added {minuteOf(webhook.created_at)}
      </span>
      {sure === null ? (
        <span class="actions">
          <button type="button" class="button small" disabled={deed.busy} onClick={test}>
            Send a test{to}
          </button>
          <button type="button" class="button small" onClick={() => setSure("rotate")}>
            New secret{to}
          </button>
          <button type="button" class="button small danger" onClick={() => setSure("remove")}>
            Remove<span class="unseen"> {webhook.url}</span>
          </button>
        </span>
      ) : (
        <span class="actions">
          <Sure
            yes={sure === "remove" ? "Yes, tell it no more" : "Yes, make a new secret"}
            busy={deed.busy}
            onYes={confirmed}
            onNo={() => setSure(null)}
          />
        </span>
      )}
      <Refused deed={deed} />
    </li>
  );
}
