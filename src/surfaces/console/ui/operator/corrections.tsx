import { useState } from "preact/hooks";
import type { Study, StudyDetail } from "../api-types.ts";
import { askAsOperator } from "../ask.ts";
import { Field } from "../parts/field.tsx";
import { percentOf, worded } from "../wording.ts";
import { FIELDS, readValue, type StudyField, textOf } from "./study-fields.ts";
import { useDeed } from "./use-deed.ts";

interface CorrectionsProps {
  readonly detail: StudyDetail;
  readonly path: string;
  readonly onSaved: () => void;
  /** The sentences that a field stands on. */
  readonly onPoint: (sentences: readonly string[]) => void;
}

const ENGINES: Readonly<Record<string, string>> = {
  local: "read from the page",
  "language-model": "read by the language model",
  operator: "corrected by the operator",
};

const MOST_ROWS = 16;

/** Every field with where it is from; each is corrected by itself, and what is corrected holds for good. */
export const Corrections = ({ detail, path, onSaved, onPoint }: CorrectionsProps) => (
  <div class="corrections">
    {FIELDS.map((field) => (
      <OneField
        key={`${field.name} ${textOf(detail.study, field)}`}
        field={field}
        detail={detail}
        path={path}
        onSaved={onSaved}
        onPoint={onPoint}
      />
    ))}
  </div>
);

function OneField({ field, detail, path, onSaved, onPoint }: CorrectionsProps & { readonly field: StudyField }) {
  const before = textOf(detail.study, field);
  const [text, setText] = useState(before);
  const [fault, setFault] = useState<string | undefined>();
  const deed = useDeed();
  const proofs = detail.provenance.filter(({ pointer }) => pointer.split("/")[1] === field.name);
  const [proof] = proofs;
  const rows =
    field.rows === undefined ? undefined : Math.min(MOST_ROWS, Math.max(field.rows, before.split("\n").length));
  const save = async () => {
    const value = readValue(text, field);
    if (value === undefined) return setFault(field.shape === "json" ? "This is no valid JSON." : "This is no value.");
    setFault(undefined);
    const json: Partial<Record<keyof Study, unknown>> = { [field.name]: value };
    if (await deed.run(() => askAsOperator(path, { method: "PATCH", json }))) onSaved();
  };
  return (
    <form
      class="correction"
      onFocusCapture={() => onPoint(proofs.flatMap(({ sentence }) => sentence ?? []))}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label={worded(field.name)}
        value={text}
        onInput={setText}
        error={fault ?? deed.refusal?.problem.errors?.[0]?.detail ?? deed.refusal?.message}
        hint={field.hint}
        mono={field.shape === "json"}
        {...(rows === undefined ? {} : { rows })}
        required
      />
      <p class="from">
        {proof ? (
          <>
            <span class={proof.engine === "operator" ? "tag" : "faint"}>{ENGINES[proof.engine]}</span>{" "}
            {proof.engine !== "operator" && <span class="faint">{percentOf(proof.confidence)} sure</span>}
          </>
        ) : (
          <span class="faint">{before === "" ? "Not known" : "As it was given"}</span>
        )}
        {text !== before && (
          <button type="submit" class="button small primary" disabled={deed.busy}>
            Save {worded(field.name).toLowerCase()}
          </button>
        )}
      </p>
    </form>
  );
}
