import { useEffect, useState } from "preact/hooks";
import { request } from "../api-client.ts";
import type { IssuedKey } from "../api-types.ts";
import { apiKey, isKeyRemembered, saveKey, storeKey } from "../credentials.ts";
import { formatNumber } from "../format.ts";
import { serviceInfo, useMutation, useQuery } from "../queries.ts";
import { Field } from "./fields.tsx";
import { Secret } from "./panels.tsx";

/** Issues a key or accepts an existing one. A new key is shown once. */
export function KeyForm() {
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const [hasKey, setHasKey] = useState(false);
  const [info] = useQuery(serviceInfo, []);
  const signUp = info.state === "loaded" ? info.data.sign_up : "open";
  if (issued) return <NewKey issued={issued} />;
  if (signUp === "closed")
    return (
      <>
        <p>Sign-up is closed. Ask the operator of this service for a key.</p>
        <EnterKey />
      </>
    );
  return hasKey ? (
    <EnterKey onBack={() => setHasKey(false)} />
  ) : (
    <RequestKey
      domains={info.state === "loaded" ? info.data.sign_up_domains : []}
      onIssued={setIssued}
      onHasKey={() => setHasKey(true)}
    />
  );
}

/** What works without a key, so that nobody has to sign up to see what this is. */
export function WithoutKey() {
  const [info] = useQuery(serviceInfo, []);
  const example = info.state === "loaded" ? info.data.preview?.domain : undefined;
  return (
    <p class="faint">
      Without a key:{" "}
      {example && (
        <>
          <a href={`/lookup/${example}`}>the scan of {example}</a>,{" "}
        </>
      )}
      the <a href="/">included case studies</a>, the <a href="/docs">API reference</a>, and{" "}
      <a href="/submit">submitting case studies</a>. With one: scans of any company, search, lists, vendors and
      comparisons.
    </p>
  );
}

interface RequestKeyProps {
  /** Of the email addresses that may sign up; all when empty. */
  readonly domains: readonly string[];
  readonly onIssued: (key: IssuedKey) => void;
  readonly onHasKey: () => void;
}

function RequestKey({ domains, onIssued, onHasKey }: RequestKeyProps) {
  const [email, setEmail] = useState("");
  const { run, busy, error } = useMutation();
  const submit = (event: Event) => {
    event.preventDefault();
    void run(async () => onIssued(await request<IssuedKey>("/v1/keys", { json: { email } })));
  };
  return (
    <form class="sign-up" onSubmit={submit} noValidate>
      {domains.length > 0 && <p>Only email addresses of {domains.join(", ")} may sign up.</p>}
      <Field
        label="Email address"
        type="email"
        autocomplete="email"
        value={email}
        onInput={setEmail}
        error={error?.message}
        required
      />
      <div class="actions">
        <button type="submit" class="button primary" disabled={busy}>
          {busy ? "Creating…" : "Get a key"}
        </button>
        <button type="button" class="button quiet" onClick={onHasKey}>
          I have a key
        </button>
      </div>
    </form>
  );
}

function EnterKey({ onBack }: { readonly onBack?: () => void }) {
  const [key, setKey] = useState("");
  const [remember, setRemember] = useState(false);
  const [error, setError] = useState<string | undefined>();
  const submit = (event: Event) => {
    event.preventDefault();
    const trimmed = key.trim();
    if (/^cf_live_[0-9A-Za-z]{38}$/.test(trimmed)) saveKey(trimmed, remember);
    else setError("A key starts with cf_live_ and has 46 characters.");
  };
  return (
    <form class="sign-up" onSubmit={submit} noValidate>
      <Field label="API key" value={key} onInput={setKey} error={error} autocomplete="off" mono required />
      <Remember checked={remember} onChange={setRemember} />
      <div class="actions">
        <button type="submit" class="button primary">
          Use this key
        </button>
        {onBack && (
          <button type="button" class="button quiet" onClick={onBack}>
            Get a new key
          </button>
        )}
      </div>
    </form>
  );
}

interface NewKeyProps {
  readonly issued: IssuedKey;
  readonly onContinue?: () => void;
}

export function NewKey({ issued, onContinue = () => {} }: NewKeyProps) {
  const [remember, setRemember] = useState(isKeyRemembered() || !apiKey.get());
  // The key is shown once: it is stored before the user has copied it.
  useEffect(() => storeKey(issued.api_key, remember), [remember]);
  return (
    <div class="new-key" role="status">
      <h3>Your API key</h3>
      <p>
        Copy the key now: it is shown only once, and the service stores only its hash. It belongs to {issued.email} and
        allows {formatNumber(issued.monthly_limit)} requests a month.
      </p>
      <Secret value={issued.api_key} what="key" />
      <Remember checked={remember} onChange={setRemember} />
      <div class="actions">
        <button
          type="button"
          class="button primary"
          onClick={() => {
            saveKey(issued.api_key, remember);
            onContinue();
          }}
        >
          Continue
        </button>
      </div>
    </div>
  );
}

const Remember = ({ checked, onChange }: { readonly checked: boolean; readonly onChange: (on: boolean) => void }) => (
  <label class="checkbox">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>Remember the key on this device. Otherwise it is removed when you close this tab.</span>
  </label>
);
