import { useId } from "preact/hooks";

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly type?: "text" | "email" | "url" | "search" | "date" | "number" | "password";
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Without the word that it may be left empty: where every field may. */
  readonly plain?: boolean;
  readonly inputMode?: "decimal" | "url";
  readonly mono?: boolean;
  /** Proposals. */
  readonly proposals?: readonly string[];
  /** More than one line. */
  readonly rows?: number;
}

/** A labelled input whose hint and fault are read out with it. */
export function Field({
  label,
  value,
  onInput,
  hint,
  error,
  proposals,
  rows,
  mono,
  plain,
  type = "text",
  ...rest
}: FieldProps) {
  const id = useId();
  const said = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const common = {
    id,
    value,
    class: mono ? "mono" : undefined,
    "aria-invalid": error ? ("true" as const) : undefined,
    "aria-describedby": said || undefined,
    spellcheck: !mono && rows !== undefined,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
    ...rest,
  };
  return (
    <div class="field">
      <label for={id}>
        {label}
        {rest.required || plain ? null : <span class="optional"> optional</span>}
      </label>
      {rows === undefined ? (
        // The element's types know one role for each kind of input, and not a kind that is chosen later.
        <input {...common} {...({ type, list: proposals ? `${id}-list` : undefined } as { readonly type: "text" })} />
      ) : (
        <textarea {...common} rows={rows} />
      )}
      {proposals && (
        <datalist id={`${id}-list`}>
          {proposals.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
