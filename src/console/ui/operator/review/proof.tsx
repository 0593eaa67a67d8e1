import type { StudyDetail } from "../../api-types.ts";
import { percentOf } from "../../wording.ts";
import type { FieldName } from "./study-fields.ts";

type Proofs = StudyDetail["provenance"];

const ENGINES: Readonly<Record<string, string>> = {
  local: "Read from the page",
  "language-model": "Read by the language model",
};

/** Below this a reviewer had better look. */
export const UNSURE = 0.6;

interface ProofProps {
  readonly name: FieldName;
  readonly proofs: Proofs;
  /** JSON pointer of what has the focus. */
  readonly point: string;
  readonly isKnown: boolean;
}

/** Those that stand behind what has the focus: of one outcome its own, else all of the field. */
export function pointedAt(proofs: Proofs, point: string): Proofs {
  const own = proofs.filter(({ pointer }) => pointer === point || pointer.startsWith(`${point}/`));
  return own.length > 0 ? own : proofs.filter(({ pointer }) => point.startsWith(`${pointer}/`));
}

/** Who told a field, how surely, and while it has the focus the sentence. */
export function Proof({ name, proofs, point, isKnown }: ProofProps) {
  if (proofs.some(({ engine }) => engine === "operator")) return <p class="tag">Corrected by hand</p>;
  const [first] = proofs;
  if (!first) return <p class="faint small">{isKnown ? "As it was given" : "Not known"}</p>;
  const least = Math.min(...proofs.map(({ confidence }) => confidence));
  const shown = point.split("/")[1] === name ? pointedAt(proofs, point) : [];
  const sentence = shown.find((proof) => proof.sentence !== null)?.sentence;
  return (
    <div class="proof">
      <p class="small">
        <span class="faint">{ENGINES[first.engine] ?? first.engine}, </span>
        <span class={least < UNSURE ? "tag warm" : "faint"}>
          {percentOf(least)} sure{proofs.length > 1 && " at least"}
        </span>
      </p>
      {sentence && (
        <blockquote class="proof-sentence">
          <span class="unseen">It stands on: </span>
          {sentence}
        </blockquote>
      )}
    </div>
  );
}
