import { useState } from "preact/hooks";
import { request, requestAsOperator } from "../api-client.ts";
import { Field } from "../components/fields.tsx";
import { signedIn } from "../credentials.ts";
import { useMutation } from "../queries.ts";

const SESSION = "/console/session";

export async function checkSession(): Promise<void> {
  signedIn.set((await requestAsOperator<{ signed_in: boolean }>(SESSION)).signed_in);
}

/** @throws ApiError for a wrong token */
async function signIn(token: string): Promise<void> {
  await request(SESSION, {
    method: "POST",
    headers: { "x-casefile-console": "1", authorization: `Bearer ${token}` },
  });
  signedIn.set(true);
}

export async function signOut(): Promise<void> {
  await requestAsOperator(SESSION, { method: "DELETE" });
  signedIn.set(false);
}

export function SignIn() {
  const [token, setToken] = useState("");
  const mutation = useMutation();
  return (
    <div class="narrow">
      <h1>Operator</h1>
      <p class="lead">Sign in to manage this service. The first start of the service printed the token.</p>
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
          <button type="submit" class="button primary" disabled={mutation.busy}>
            Sign in
          </button>
        </div>
      </form>
    </div>
  );
}
