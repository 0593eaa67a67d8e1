import { useEffect, useState } from "preact/hooks";
import type { StudyDetail } from "../../api-types.ts";
import { askAsOperator } from "../../ask.ts";
import { worded } from "../../wording.ts";
import { useDeed } from "../use-deed.ts";
import { Inputs } from "./inputs.tsx";
import { Proof } from "./proof.tsx";
import { type Draft, draftOf, type FieldName, isSame, sentOf } from "./study-fields.ts";

interface OneFieldProps {
  readonly name: FieldName;
  readonly detail: StudyDetail;
  /** Of the case study in the operator's part. */
  readonly path: string;
  readonly onSaved: (detail: StudyDetail) => void;
  /** JSON pointer of what has the focus. */
  readonly point: string;
  readonly onPoint: (pointer: string) => void;
}

/** A field with why it says what it says. It is saved by itself, and what is saved holds whatever a later crawl reads. */
export function OneField({ name, detail, path, onSaved, point, onPoint }: OneFieldProps) {
  const kept = draftOf(detail.study, name);
  const text = JSON.stringify(kept);
  const [draft, write] = useState<Draft>(kept);
  const [told, tell] = useState("");
  const deed = useDeed();
  useEffect(() => write(kept), [text]);
  const isCorrected = name in detail.corrections;
  const isChanged = !isSame(draft, kept);
  const title = worded(name === "published_at" ? "published" : name);
  const pointer = `/${name}`;
  const proofs = detail.provenance.filter((proof) => proof.pointer.split("/")[1] === name);

  const change = async (work: () => Promise<StudyDetail>, done: string) => {
    tell("");
    await deed.run(async () => {
      onSaved(await work());
      tell(done);
    });
  };
  const save = () =>
    change(
      () => askAsOperator(path, { method: "PATCH", json: { [name]: sentOf(draft, name) } }),
      `${title} is saved and holds whatever a later crawl reads.`,
    );
  const takeBack = () =>
    change(
      () => askAsOperator(`${path}/corrections/${name}`, { method: "DELETE" }),
      `${title} says again what was read.`,
    );
  const at = (place: string) => deed.refusal?.at(`${pointer}${place}`);
  const errors = deed.refusal?.problem.errors ?? [];
  return (
    <form
      class={point.split("/")[1] === name ? "review-field pointed" : "review-field"}
      noValidate
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Inputs name={name} title={title} draft={draft} onDraft={write} at={at} onPoint={onPoint} />
      {deed.refusal && errors.every(({ pointer: wrong }) => !wrong.startsWith(pointer)) && (
        <p class="error" role="alert">
          {deed.refusal.message}
        </p>
      )}
      <div class="review-foot">
        <Proof name={name} proofs={proofs} point={point} isKnown={text !== EMPTY && !isNothing(kept)} />
        {isChanged ? (
          <span class="actions">
            <button type="submit" class="button small primary" disabled={deed.busy}>
              Save {title.toLowerCase()}
            </button>
            <button type="button" class="button small quiet" onClick={() => write(kept)}>
              Undo
            </button>
          </span>
        ) : (
          isCorrected && (
            <button type="button" class="button small" disabled={deed.busy} onClick={takeBack}>
              Take correction back<span class="unseen"> of {title.toLowerCase()}</span>
            </button>
          )
        )}
      </div>
      <p class="unseen" role="status">
        {told}
      </p>
    </form>
  );
}

const EMPTY = JSON.stringify({ texts: {}, outcomes: [] });

const isNothing = ({ texts, outcomes }: Draft) =>
  outcomes.length === 0 && Object.values(texts).every((each) => each === "");
