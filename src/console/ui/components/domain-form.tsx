import { useId, useState } from "preact/hooks";
import { DOMAIN, hostOf } from "../domain-name.ts";
import { navigate } from "../router.ts";
import { Icon } from "./icon.tsx";

export function DomainForm({ initial = "" }: { readonly initial?: string }) {
  const id = useId();
  const [text, setText] = useState(initial);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const address = text.trim();
    if (!DOMAIN.test(address)) return setError("Enter a domain, such as acme.com.");
    navigate(`/lookup/${encodeURIComponent(hostOf(address))}`);
  };
  return (
    <search>
      <form class="look-up" onSubmit={submit} noValidate>
        <label for={id}>Company domain</label>
        <div class="look-up-row">
          <input
            id={id}
            type="text"
            inputMode="url"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder="acme.com"
            value={text}
            aria-invalid={error ? "true" : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setError(null);
            }}
          />
          <button type="submit" class="button primary">
            <Icon name="search" />
            Look up
          </button>
        </div>
        {error && (
          <p class="error" id={`${id}-error`} role="alert">
            {error}
          </p>
        )}
      </form>
    </search>
  );
}
