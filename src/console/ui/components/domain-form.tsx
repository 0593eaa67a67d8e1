import { useId, useState } from "preact/hooks";
import { DOMAIN, hostOf } from "../domain-name.ts";
import { pluralise } from "../format.ts";
import { navigate } from "../router.ts";
import { useSuggestions } from "../suggestions.ts";
import { CompanyIcon } from "./tool-icon.tsx";

interface DomainFormProps {
  readonly initial?: string;
  readonly label?: string;
  readonly action?: string;
  /** By default the look-up of the domain is opened. */
  readonly onDomain?: (host: string) => void;
}

const lookUp = (host: string) => navigate(`/lookup/${encodeURIComponent(host)}`);

/** A field for a domain, which suggests the companies that were scanned. */
export function DomainForm({
  initial = "",
  label = "Company domain",
  action = "Look up",
  onDomain = lookUp,
}: DomainFormProps) {
  const id = useId();
  const [text, setText] = useState(initial);
  const [error, setError] = useState<string | null>(null);
  // Suggestions show while the field is typed in; −1 is the text itself.
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const { companies } = useSuggestions(open ? hostOf(text) : "");
  const suggestions = open ? companies : [];
  const choose = (host: string) => {
    setText(host);
    setOpen(false);
    onDomain(host);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const chosen = suggestions[at];
    if (chosen) return choose(chosen.domain);
    if (!DOMAIN.test(text.trim())) return setError("Enter a domain, such as acme.com.");
    choose(hostOf(text));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && suggestions.length > 0) {
      event.preventDefault();
      return setOpen(false);
    }
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0 || suggestions.length === 0) return;
    event.preventDefault();
    setAt(Math.max(-1, Math.min(suggestions.length - 1, at + by)));
  };
  return (
    <search>
      <form class="look-up" onSubmit={submit} noValidate>
        <label for={id}>{label}</label>
        <div class="look-up-row">
          <div class="combobox">
            <input
              id={id}
              type="text"
              role="combobox"
              inputMode="url"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              placeholder="acme.com"
              value={text}
              aria-expanded={suggestions.length > 0}
              aria-controls={`${id}-list`}
              aria-activedescendant={at >= 0 && suggestions[at] ? `${id}-${at}` : undefined}
              aria-invalid={error ? "true" : undefined}
              aria-describedby={error ? `${id}-error` : undefined}
              onInput={(event) => {
                setText(event.currentTarget.value);
                setError(null);
                setOpen(true);
                setAt(-1);
              }}
              onBlur={() => setOpen(false)}
              onKeyDown={onKeyDown}
            />
            <div
              id={`${id}-list`}
              class="combobox-list"
              role="listbox"
              aria-label="Scanned companies"
              hidden={suggestions.length === 0}
            >
              {suggestions.map(({ domain, tools_detected }, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                <div
                  key={domain}
                  id={`${id}-${index}`}
                  class="palette-item"
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === at}
                  // Before the field loses the focus.
                  onMouseDown={(event) => event.preventDefault()}
                  onMouseMove={() => setAt(index)}
                  onClick={() => choose(domain)}
                >
                  <CompanyIcon domain={domain} />
                  <span>{domain}</span>
                  <span class="faint">{pluralise(tools_detected, "tool")}</span>
                </div>
              ))}
            </div>
          </div>
          <button type="submit" class="button primary">
            {action}
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
