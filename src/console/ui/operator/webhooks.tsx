import { useState } from "preact/hooks";
import type { Delivery, Webhook } from "../../../watches/types.ts";
import { requestAsOperator } from "../api-client.ts";
import { CardTable } from "../components/card-table.tsx";
import { Field } from "../components/fields.tsx";
import { Secret, Section } from "../components/panels.tsx";
import { MutationError } from "../components/status.tsx";
import { formatDay, formatMoment, humanise } from "../format.ts";
import { useMutation } from "../queries.ts";
import { ConfirmButton, PagedList, stateTone } from "./parts.tsx";

const PATH = "/console/admin/webhooks";
const TONES = { active: "tag", failing: "tag bad", disabled: "tag plain-tag" } as const;

type IssuedWebhook = Webhook & { readonly secret: string };

/** Endpoints that are notified of changes, and the deliveries to them. */
export function Webhooks() {
  const [issued, setIssued] = useState<IssuedWebhook | null>(null);
  const [version, setVersion] = useState(0);
  const reload = () => setVersion((before) => before + 1);
  return (
    <>
      {issued && (
        <section class="panel" role="status" aria-label="Secret">
          <p>
            Signing secret for {issued.url}. It is shown only once. Messages follow the Standard Webhooks specification.
          </p>
          <Secret value={issued.secret} what="secret" />
        </section>
      )}
      <AddWebhook
        onAdded={(webhook) => {
          setIssued(webhook);
          reload();
        }}
      />
      <PagedList<Webhook> path={PATH} field="webhooks" empty="No webhooks" version={version}>
        {(webhooks) => (
          <CardTable label="Webhooks" heads={["Endpoint", "State", "Last delivery", "Added", { hidden: "Actions" }]}>
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} onDone={reload} onIssued={setIssued} />
            ))}
          </CardTable>
        )}
      </PagedList>
      <Section title="Deliveries" class="stack">
        <PagedList<Delivery> path={`${PATH}/deliveries`} field="deliveries" empty="No deliveries" version={version}>
          {(deliveries) => (
            <CardTable
              label="All deliveries"
              heads={["Event", "State", { number: "Attempts" }, "Answer", "Created", "Message"]}
            >
              {deliveries.map((delivery) => (
                <tr key={delivery.id}>
                  <th scope="row" class="one-line">
                    {humanise(delivery.type.replaceAll(".", " "))}
                    {delivery.last_error && <p class="row-fault">{delivery.last_error}</p>}
                  </th>
                  <td class="state">
                    <span class={stateTone(delivery.state)}>{humanise(delivery.state)}</span>
                  </td>
                  <td class="number" data-label="Attempts">
                    {delivery.attempts}
                  </td>
                  <td data-label="Answer" class="one-line">
                    {delivery.last_status === null ? "–" : `status ${delivery.last_status}`}
                    {delivery.next_attempt_at && (
                      <span class="faint">, again {formatMoment(delivery.next_attempt_at)}</span>
                    )}
                  </td>
                  <td data-label="Created" class="one-line">
                    {formatMoment(delivery.created_at)}
                  </td>
                  <td class="cut" title={delivery.id}>
                    <code class="faint">{delivery.id}</code>
                  </td>
                </tr>
              ))}
            </CardTable>
          )}
        </PagedList>
      </Section>
    </>
  );
}

function AddWebhook({ onAdded }: { readonly onAdded: (webhook: IssuedWebhook) => void }) {
  const [url, setUrl] = useState("");
  const mutation = useMutation();
  const add = (event: Event) => {
    event.preventDefault();
    void mutation.run(async () => {
      onAdded(await requestAsOperator<IssuedWebhook>(PATH, { json: { url: url.trim() } }));
      setUrl("");
    });
  };
  return (
    <form class="panel add-row" onSubmit={add} noValidate aria-label="Add a webhook">
      <Field
        label="Endpoint URL"
        type="url"
        value={url}
        onInput={setUrl}
        placeholder="https://hooks.acme.com/casefile"
        error={mutation.error?.fieldError("/url") ?? mutation.error?.message}
        required
      />
      <button type="submit" class="button primary" disabled={mutation.busy}>
        Add
      </button>
    </form>
  );
}

interface WebhookRowProps {
  readonly webhook: Webhook;
  readonly onDone: () => void;
  readonly onIssued: (webhook: IssuedWebhook) => void;
}

function WebhookRow({ webhook, onDone, onIssued }: WebhookRowProps) {
  const mutation = useMutation();
  const { busy } = mutation;
  const path = `${PATH}/${encodeURIComponent(webhook.id)}`;
  const run = async (work: () => Promise<unknown>) => {
    if (await mutation.run(work)) onDone();
  };
  const rotate = async () => onIssued(await requestAsOperator<IssuedWebhook>(`${path}/rotate`, { method: "POST" }));
  const target = <span class="visually-hidden"> for {webhook.url}</span>;
  return (
    <tr>
      <th scope="row" class="break">
        {webhook.url}
        <MutationError mutation={mutation} />
      </th>
      <td class="state">
        <span class={TONES[webhook.state]}>{humanise(webhook.state)}</span>
      </td>
      <td data-label="Last delivery" class="one-line">
        {webhook.last_success_at === null ? "None yet" : formatMoment(webhook.last_success_at)}
      </td>
      <td data-label="Added" class="one-line">
        {formatDay(webhook.created_at)}
      </td>
      <td>
        <div class="actions">
          <button
            type="button"
            class="button small"
            disabled={busy}
            onClick={() => run(() => requestAsOperator(`${path}/test`, { method: "POST" }))}
          >
            Send test{target}
          </button>
          <ConfirmButton confirm="Confirm new secret" busy={busy} onConfirm={() => run(rotate)}>
            New secret{target}
          </ConfirmButton>
          <ConfirmButton
            confirm="Confirm removal"
            class="button small danger"
            busy={busy}
            onConfirm={() => run(() => requestAsOperator(path, { method: "DELETE" }))}
          >
            Remove<span class="visually-hidden"> {webhook.url}</span>
          </ConfirmButton>
        </div>
      </td>
    </tr>
  );
}
