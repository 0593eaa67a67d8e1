import { useState } from "preact/hooks";
import { request, requestAsOperator } from "../api-client.ts";
import { Field } from "../components/fields.tsx";
import { MutationError } from "../components/status.tsx";
import { signedIn } from "../credentials.ts";
import { useObservable } from "../observable.ts";
import { useMutation } from "../queries.ts";
import { caller, checkSession, SESSION, ways } from "../session.ts";

const OWN = { "x-casefile-console": "1" };

/** @throws ApiError for a wrong token */
async function signIn(token: string): Promise<void> {
  await request(SESSION, { method: "POST", headers: { ...OWN, authorization: `Bearer ${token}` } });
  await checkSession();
}

export async function signOut(): Promise<void> {
  await requestAsOperator(SESSION, { method: "DELETE" });
  caller.set(null);
  signedIn.set(false);
}

/** Takes the secret of a sign-in link out of the address, so that it stays in no history. */
export function takeLink(): string | null {
  const link = /^#link=(\w{40})$/.exec(location.hash)?.[1];
  if (link === undefined) return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  return link;
}

/** A button signs in, not the address: programs that open the links of emails must not use them up. */
export function LinkSignIn({ link, onDone }: { readonly link: string; readonly onDone: () => void }) {
  const mutation = useMutation();
  const use = async () => {
    await request(`${SESSION}/link`, { json: { link }, headers: OWN });
    await checkSession();
    onDone();
  };
  return (
    <div class="narrow">
      <h1>Operator</h1>
      <p class="lead">This link signs you in to manage this service. It works once.</p>
      <div class="panel">
        <MutationError mutation={mutation} />
        <div class="actions">
          <button type="button" class="button primary" disabled={mutation.busy} onClick={() => mutation.run(use)}>
            Sign in
          </button>
          <button type="button" class="button quiet" onClick={onDone}>
            Cancel
          </button>
        </div>
      </div>
    </div>
  );
}

const REFUSALS: Readonly<Record<string, string>> = {
  refused: "Your account has no role here: ask an admin to invite you.",
  failed: "The identity provider did not confirm the sign-in. Try again; the log of the service has the reason.",
};

export function SignIn({ query }: { readonly query: URLSearchParams }) {
  const [token, setToken] = useState("");
  const mutation = useMutation();
  const { email, provider } = useObservable(ways);
  const refusal = REFUSALS[query.get("sign_in") ?? ""];
  return (
    <div class="narrow">
      <h1>Operator</h1>
      <p class="lead">Sign in to manage this service. The first start of the service printed the token.</p>
      {refusal && (
        <p class="note" role="alert">
          {refusal}
        </p>
      )}
      {provider && <ProviderSignIn />}
      {email && <EmailSignIn />}
      <form
        class="panel"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void mutation.run(() => signIn(token.trim()));
        }}
      >
        <Field
          label="Operator token"
          type="password"
          autocomplete="current-password"
          value={token}
          onInput={setToken}
          error={mutation.error?.message}
          hint="The session lasts 12 hours. The token is not stored in the browser."
          mono
          required
        />
        <div class="actions">
          <button type="submit" class={provider ? "button" : "button primary"} disabled={mutation.busy}>
            Sign in
          </button>
        </div>
      </form>
    </div>
  );
}

function ProviderSignIn() {
  const mutation = useMutation();
  const go = async () => {
    const { url } = await request<{ url: string }>(`${SESSION}/provider`, { method: "POST", headers: OWN });
    location.assign(url);
  };
  return (
    <div class="panel">
      <MutationError mutation={mutation} />
      <div class="actions">
        <button type="button" class="button primary" disabled={mutation.busy} onClick={() => mutation.run(go)}>
          Sign in with your identity provider
        </button>
      </div>
    </div>
  );
}

function EmailSignIn() {
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const mutation = useMutation();
  return (
    <form
      class="panel"
      noValidate
      aria-label="Link by email"
      onSubmit={(event) => {
        event.preventDefault();
        const send = () => request(`${SESSION}/email`, { json: { email }, headers: OWN });
        void mutation.run(send).then(setSent);
      }}
    >
      <Field
        label="Email"
        type="email"
        autocomplete="email"
        value={email}
        onInput={setEmail}
        error={mutation.error?.message}
        required
      />
      <div class="actions">
        <button type="submit" class="button" disabled={mutation.busy}>
          Send a sign-in link
        </button>
      </div>
      {sent && <p role="status">If an operator has this address, a link is on its way. It works for 15 minutes.</p>}
    </form>
  );
}
