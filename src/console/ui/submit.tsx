import { useState } from "preact/hooks";
import { request } from "./api-client.ts";
import type { Receipt } from "./api-types.ts";
import { Field } from "./components/fields.tsx";
import { formatSpan, formatTime } from "./format.ts";
import { useMutation } from "./queries.ts";
import { useTitle } from "./router.ts";
import { TryPage } from "./try-page.tsx";

const EMPTY = { company_name: "", case_study_url: "", contact_email: "" };

export function SubmitPage() {
  useTitle("Submit case studies");
  const [form, setForm] = useState(EMPTY);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const { run, busy, error } = useMutation();
  const field = (name: keyof typeof EMPTY) => ({
    value: form[name],
    onInput: (value: string) => setForm({ ...form, [name]: value }),
    error: error?.fieldError(`/${name}`),
    required: true,
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void run(async () => setReceipt(await request<Receipt>("/v1/submit", { json: form })));
  };
  const reset = () => {
    setForm(EMPTY);
    setReceipt(null);
  };
  if (receipt) return <Received receipt={receipt} onReset={reset} />;
  return (
    <>
      <div class="narrow">
        <h1>Submit case studies</h1>
        <p class="lead">
          Give the page that lists your case studies. A person reviews it; then Casefile crawls it and adds the case
          studies to the search index. No key is needed.
        </p>
        <form class="panel" onSubmit={submit} noValidate>
          <Field label="Company" autocomplete="organization" {...field("company_name")} />
          <Field
            label="Case-study page"
            type="url"
            placeholder="https://acme.com/customers"
            {...field("case_study_url")}
          />
          <Field
            label="Email address"
            type="email"
            autocomplete="email"
            hint="Used only for updates about this submission."
            {...field("contact_email")}
          />
          {error && (
            <p class="error" role="alert">
              {error.message}
              {error.retryAfter !== null && ` Try again in ${formatSpan(error.retryAfter)}.`}
            </p>
          )}
          <div class="actions">
            <button type="submit" class="button primary" disabled={busy}>
              {busy ? "Submitting…" : "Submit"}
            </button>
          </div>
        </form>
      </div>
      <TryPage />
    </>
  );
}

const Received = ({ receipt, onReset }: { readonly receipt: Receipt; readonly onReset: () => void }) => (
  <div class="narrow" role="status">
    <h1>Submission received</h1>
    <p class="lead">{receipt.message}</p>
    <dl class="pairs panel">
      <dt>Company</dt>
      <dd>{receipt.company_name}</dd>
      <dt>Page</dt>
      <dd class="break">{receipt.case_study_url}</dd>
      <dt>Received</dt>
      <dd>{formatTime(receipt.received_at)}</dd>
      <dt>Submission ID</dt>
      <dd>
        <code>{receipt.submission_id}</code>
      </dd>
    </dl>
    <button type="button" class="button" onClick={onReset}>
      Submit another page
    </button>
  </div>
);
