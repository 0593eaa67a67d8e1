import { useState } from "preact/hooks";
import { takeKey } from "../api-key.ts";
import type { IssuedKey } from "../api-types.ts";
import { ask, type Refusal } from "../ask.ts";
import { refusalOf } from "../use-answer.ts";
import { numberOf } from "../wording.ts";
import { CopyButton } from "./copy-button.tsx";
import { Field } from "./field.tsx";

/** What is shown when a key was issued; it can be shown only now. */
export function SignUp() {
  const [issued, show] = useState<IssuedKey | null>(null);
  const [has, setHas] = useState(false);
  if (issued) return <NewKey issued={issued} />;
  return has ? <EnterKey back={() => setHas(false)} /> : <Issue onIssued={show} hasOne={() => setHas(true)} />;
}

function Issue({ onIssued, hasOne }: { readonly onIssued: (key: IssuedKey) => void; readonly hasOne: () => void }) {
  const [email, setEmail] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, refuse] = useState<Refusal | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    refuse(null);
    try {
      onIssued(await ask<IssuedKey>("/v1/keys", { json: { email } }));
    } catch (error) {
      refuse(refusalOf(error));
      setBusy(false);
    }
  };
  return (
    <form class="sign-up" onSubmit={submit} noValidate>
      <Field
        label="E-mail address"
        type="email"
        autocomplete="email"
        value={email}
        onInput={setEmail}
        error={refusal?.message}
        required
      />
      <div class="actions">
        <button type="submit" class="button primary" disabled={busy}>
          {busy ? "Issuing…" : "Get a key"}
        </button>
        <button type="button" class="button quiet" onClick={hasOne}>
          I have a key
        </button>
      </div>
    </form>
  );
}

function EnterKey({ back }: { readonly back: () => void }) {
  const [key, setKey] = useState("");
  const [remember, setRemember] = useState(false);
  const [error, setError] = useState<string | undefined>();
  const submit = (event: Event) => {
    event.preventDefault();
    const given = key.trim();
    if (/^cf_live_[0-9A-Za-z]{38}$/.test(given)) takeKey(given, remember);
    else setError("A key begins with cf_live_ and has 46 characters in all.");
  };
  return (
    <form class="sign-up" onSubmit={submit} noValidate>
      <Field label="Your key" value={key} onInput={setKey} error={error} autocomplete="off" mono required />
      <Remember checked={remember} onChange={setRemember} />
      <div class="actions">
        <button type="submit" class="button primary">
          Use this key
        </button>
        <button type="button" class="button quiet" onClick={back}>
          Get a new one
        </button>
      </div>
    </form>
  );
}

function NewKey({ issued }: { readonly issued: IssuedKey }) {
  const [remember, setRemember] = useState(false);
  return (
    <div class="new-key" role="status">
      <h3>Your key</h3>
      <p>
        It is shown this once: only a fingerprint of it is kept. It is for {issued.email} and good for{" "}
        {numberOf(issued.monthly_limit)} requests a month.
      </p>
      <p class="secret">
        <code>{issued.api_key}</code>
        <CopyButton text={issued.api_key} what="key" />
      </p>
      <Remember checked={remember} onChange={setRemember} />
      <div class="actions">
        <button type="button" class="button primary" onClick={() => takeKey(issued.api_key, remember)}>
          I have copied it, go on
        </button>
      </div>
    </div>
  );
}

const Remember = ({ checked, onChange }: { readonly checked: boolean; readonly onChange: (on: boolean) => void }) => (
  <label class="tick">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>Remember it on this device. Otherwise it is forgotten with this tab.</span>
  </label>
);
