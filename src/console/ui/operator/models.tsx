import { useEffect, useState } from "preact/hooks";
import { askAsOperator } from "../ask.ts";
import { Told } from "../parts/states.tsx";
import { useAnswer } from "../use-answer.ts";
import { numberOf, percentOf, withQuota, worded } from "../wording.ts";
import { Refused } from "./refused.tsx";
import { Sure } from "./sure.tsx";
import { useDeed } from "./use-deed.ts";

interface Model {
  readonly name: string;
  readonly state: "used" | "next" | "idle" | "damaged";
  readonly id: string | null;
  readonly description: string | null;
  readonly dimensions: number | null;
  readonly max_tokens: number | null;
  readonly size: number | null;
  readonly licence: string | null;
}

interface Models {
  readonly models: readonly Model[];
  readonly progress: { readonly model: string; readonly embedded: number; readonly of: number } | null;
}

const TONES = { used: "tag", next: "tag warm", idle: "tag plain-tag", damaged: "tag bad" } as const;
const WORDS = { used: "In use", next: "Takes over next", idle: "Not used", damaged: "Damaged" } as const;
const LOOK_MS = 1_500;

/** The models that searches by meaning can use, and how far a change is. */
export function Models() {
  const [answer, again] = useAnswer((signal) => askAsOperator<Models>("/console/admin/models", { signal }), []);
  const changing = answer.state === "told" && answer.value.models.some(({ state }) => state === "next");
  useEffect(() => {
    if (!changing) return;
    const timer = setTimeout(again, LOOK_MS);
    return () => clearTimeout(timer);
  }, [answer]);
  return (
    <>
      <p class="lead">
        A model turns texts into numbers that lie near each other when the texts mean alike. When another one is chosen,
        every case study is embedded anew; searches go on with the former one until that is done.
      </p>
      <Told answer={answer} again={again} lines={6}>
        {({ models, progress }) => (
          <>
            {progress && <Progress {...progress} />}
            <ul class="rows">
              {models.map((model) => (
                <ModelRow key={model.name} model={model} onUsed={again} />
              ))}
            </ul>
          </>
        )}
      </Told>
      <p class="faint">
        <code>casefile model add FOLDER</code> on the machine of the service adds one: an ONNX sentence encoder with its
        tokenizer. <code>casefile model eval</code> measures it with questions of your own.
      </p>
    </>
  );
}

function Progress({ model, embedded, of }: NonNullable<Models["progress"]>) {
  return (
    <section class="panel" aria-label="Embedding anew">
      <label class="progress">
        <span>
          Embedding everything with <strong>{model}</strong>: {numberOf(embedded)} of{" "}
          {withQuota(of, "case study", "case studies")}, {percentOf(of === 0 ? 1 : Math.min(1, embedded / of))}
        </span>
        <progress value={embedded} max={Math.max(1, of)} />
      </label>
    </section>
  );
}

const sizeOf = (bytes: number): string =>
  bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

function ModelRow({ model, onUsed }: { readonly model: Model; readonly onUsed: () => void }) {
  const [sure, setSure] = useState(false);
  const deed = useDeed();
  const use = async () => {
    setSure(false);
    const path = `/console/admin/models/${encodeURIComponent(model.name)}/use`;
    if (await deed.run(() => askAsOperator(path, { method: "POST" }))) onUsed();
  };
  const facts = [
    model.dimensions && `${numberOf(model.dimensions)} dimensions`,
    model.max_tokens && `${numberOf(model.max_tokens)} tokens at most`,
    model.size && sizeOf(model.size),
    model.licence === "unknown" ? "licence not known" : model.licence,
  ].filter(Boolean);
  return (
    <li class="row">
      <span class="row-title">{model.name === "built-in" ? "The program's own" : model.name}</span>
      <span class={TONES[model.state]}>{WORDS[model.state]}</span>
      <span class="faint">{facts.length > 0 ? facts.join(", ") : "It cannot be read; add it again."}</span>
      {model.description && <span>{model.description}</span>}
      {model.id && <code class="faint break">{model.id}</code>}
      {model.state === "idle" && (
        <span class="actions">
          {sure ? (
            <Sure
              yes="Yes, embed everything with it"
              tone="primary"
              busy={deed.busy}
              onYes={use}
              onNo={() => setSure(false)}
            />
          ) : (
            <button type="button" class="button small" disabled={deed.busy} onClick={() => setSure(true)}>
              Use<span class="unseen"> {worded(model.name)}</span>
            </button>
          )}
        </span>
      )}
      <Refused deed={deed} />
    </li>
  );
}
