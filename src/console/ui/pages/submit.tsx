import { useState } from "preact/hooks";
import type { Receipt } from "../api-types.ts";
import { ask, type Refusal } from "../ask.ts";
import { Field } from "../parts/field.tsx";
import { useTitle } from "../router.ts";
import { refusalOf } from "../use-answer.ts";
import { minuteOf, spanOf } from "../wording.ts";

const EMPTY = { company_name: "", case_study_url: "", contact_email: "" };

export function Submit() {
  useTitle("Submit case studies");
  const [form, fill] = useState(EMPTY);
  const [busy, setBusy] = useState(false);
  const [refusal, refuse] = useState<Refusal | null>(null);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const field = (name: keyof typeof EMPTY) => ({
    value: form[name],
    onInput: (value: string) => fill({ ...form, [name]: value }),
    error: refusal?.at(`/${name}`),
    required: true,
  });
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    refuse(null);
    try {
      setReceipt(await ask<Receipt>("/v1/submit", { json: form }));
    } catch (error) {
      refuse(refusalOf(error));
    }
    setBusy(false);
  };
  const another = () => {
    fill(EMPTY);
    setReceipt(null);
  };
  if (receipt) return <Received receipt={receipt} another={another} />;
  return (
    <div class="narrow">
      <h1>Submit case studies</h1>
      <p class="lead">
        Name the page that lists your case studies. It is reviewed by a person, then read, and what it tells is found by
        whoever searches here. No key is needed.
      </p>
      <form class="panel" onSubmit={submit} noValidate>
        <Field label="Company" autocomplete="organization" {...field("company_name")} />
        <Field
          label="Page that lists the case studies"
          type="url"
          placeholder="https://acme.com/customers"
          {...field("case_study_url")}
        />
        <Field
          label="E-mail address"
          type="email"
          autocomplete="email"
          hint="It is told how the review goes on, and nothing else."
          {...field("contact_email")}
        />
        {refusal && (
          <p class="error" role="alert">
            {refusal.message}
            {refusal.retryAfter !== null && ` Try again in ${spanOf(refusal.retryAfter)}.`}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            {busy ? "Sending…" : "Submit"}
          </button>
        </div>
      </form>
    </div>
  );
}

const Received = ({ receipt, another }: { readonly receipt: Receipt; readonly another: () => void }) => (
  <div class="narrow" role="status">
    <h1>Received</h1>
    <p class="lead">{receipt.message}</p>
    <dl class="pairs panel">
      <dt>Company</dt>
      <dd>{receipt.company_name}</dd>
      <dt>Page</dt>
      <dd class="break">{receipt.case_study_url}</dd>
      <dt>Received</dt>
      <dd>{minuteOf(receipt.received_at)}</dd>
      <dt>Number</dt>
      <dd>
        <code>{receipt.submission_id}</code>
      </dd>
    </dl>
    <button type="button" class="button" onClick={another}>
      Submit another page
    </button>
  </div>
);
