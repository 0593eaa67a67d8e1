import { useState } from "preact/hooks";
import { Field } from "../parts/field.tsx";
import { signIn } from "./session.ts";
import { useDeed } from "./use-deed.ts";

export function SignIn() {
  const [token, setToken] = useState("");
  const deed = useDeed();
  return (
    <div class="narrow">
      <h1>Operator</h1>
      <p class="lead">For who runs the service. Its first start showed the token, once.</p>
      <form
        class="panel"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void deed.run(() => signIn(token.trim()));
        }}
      >
        <Field
          label="Operator token"
          type="password"
          autocomplete="current-password"
          value={token}
          onInput={setToken}
          error={deed.refusal?.message}
          hint="It is exchanged for a cookie that ends with the working day, and is not kept in the browser."
          mono
          required
        />
        <div class="actions">
          <button type="submit" class="button primary" disabled={deed.busy}>
            Sign in
          </button>
        </div>
      </form>
    </div>
  );
}
