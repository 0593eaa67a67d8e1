import { useId, useState } from "preact/hooks";
import { go } from "../router.ts";
import { Icon } from "./icon.tsx";

/** A name with a dot in it, as people paste it; the service judges the rest. */
const DOMAIN = /^(?:https?:\/\/)?[^\s/@]{1,250}\.[^\s/@]{2,63}(?:[/?#].*)?$/i;

export function LookUpBox({ start = "" }: { readonly start?: string }) {
  const id = useId();
  const [text, setText] = useState(start);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const given = text.trim();
    if (!DOMAIN.test(given)) return setError("Enter a company's domain, such as acme.com.");
    const host = given.replace(/^https?:\/\//i, "").replace(/[/?#].*$/, "");
    go(`/lookup/${encodeURIComponent(host.toLowerCase())}`);
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
