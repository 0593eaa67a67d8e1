import { useEffect } from "preact/hooks";
import { requestAsOperator } from "../api-client.ts";
import { CardTable, DetailRow } from "../components/card-table.tsx";
import { MutationError, QueryResult } from "../components/status.tsx";
import { countStudies, formatNumber, formatPercent, humanise } from "../format.ts";
import { useMutation, useQuery } from "../queries.ts";
import { useRights } from "../session.ts";
import { ConfirmButton } from "./parts.tsx";

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

interface ModelList {
  readonly models: readonly Model[];
  readonly progress: { readonly model: string; readonly embedded: number; readonly of: number } | null;
}

const STATES = {
  used: ["tag", "In use"],
  next: ["tag warm", "Migrating"],
  idle: ["tag plain-tag", "Not in use"],
  damaged: ["tag bad", "Damaged"],
} as const;
const POLL_MS = 1_500;
const MODEL_HEADS = [
  "Model",
  "State",
  { number: "Dimensions" },
  { number: "Longest text" },
  { number: "Size" },
  "Licence",
  { hidden: "Actions" },
] as const;

/** The embedding models for semantic search, and the progress of a migration. */
export function Models() {
  const [result, reload] = useQuery((signal) => requestAsOperator<ModelList>("/console/admin/models", { signal }), []);
  const isMigrating = result.state === "loaded" && result.data.models.some(({ state }) => state === "next");
  useEffect(() => {
    if (!isMigrating) return;
    const timer = setTimeout(reload, POLL_MS);
    return () => clearTimeout(timer);
  }, [result]);
  return (
    <>
      <p class="lead">
        An embedding model turns texts into vectors for semantic search. When you switch models, Casefile embeds every
        case study again; searches use the current model until that is done.
      </p>
      <QueryResult result={result} retry={reload} lines={6}>
        {({ models, progress }) => (
          <>
            {progress && <Progress {...progress} />}
            <CardTable label="Models" heads={MODEL_HEADS}>
              {models.map((model) => (
                <ModelRow key={model.name} model={model} onUsed={reload} />
              ))}
            </CardTable>
          </>
        )}
      </QueryResult>
      <p class="faint">
        <code>casefile model add FOLDER</code> adds a model on the server: an ONNX sentence encoder with its tokenizer.{" "}
        <code>casefile model eval</code> measures it with your own questions.
      </p>
    </>
  );
}

function Progress({ model, embedded, of }: NonNullable<ModelList["progress"]>) {
  return (
    <section class="panel" aria-label="Model migration">
      <label class="progress">
        <span>
          Embedding with <strong>{model}</strong>: {formatNumber(embedded)} of {countStudies(of)},{" "}
          {formatPercent(of === 0 ? 1 : Math.min(1, embedded / of))}
        </span>
        <progress value={embedded} max={Math.max(1, of)} />
      </label>
    </section>
  );
}

const formatSize = (bytes: number): string =>
  bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

function ModelRow({ model, onUsed }: { readonly model: Model; readonly onUsed: () => void }) {
  const may = useRights();
  const mutation = useMutation();
  const use = async () => {
    const path = `/console/admin/models/${encodeURIComponent(model.name)}/use`;
    if (await mutation.run(() => requestAsOperator(path, { method: "POST" }))) onUsed();
  };
  const [tone, label] = STATES[model.state];
  return (
    <DetailRow
      title={model.name === "built-in" ? "Built-in model" : model.name}
      columns={MODEL_HEADS.length}
      cells={
        <>
          <td class="state">
            <span class={tone}>{label}</span>
          </td>
          <td class="number" data-label="Dimensions">
            {model.dimensions === null ? "–" : formatNumber(model.dimensions)}
          </td>
          <td class="number" data-label="Longest text">
            {model.max_tokens === null ? "–" : `${formatNumber(model.max_tokens)} tokens`}
          </td>
          <td class="number" data-label="Size">
            {model.size === null ? "–" : formatSize(model.size)}
          </td>
          <td data-label="Licence" class="one-line">
            {model.licence === null || model.licence === "unknown" ? "Unknown" : model.licence}
          </td>
          <td>
            {model.state === "idle" && may("POST /admin/models/:name/use") && (
              <div class="actions">
                <ConfirmButton confirm="Confirm migration" tone="primary" busy={mutation.busy} onConfirm={use}>
                  Use<span class="visually-hidden"> {humanise(model.name)}</span>
                </ConfirmButton>
              </div>
            )}
            <MutationError mutation={mutation} />
          </td>
        </>
      }
    >
      <p>{model.state === "damaged" ? "It cannot be read; add it again." : (model.description ?? "No description")}</p>
      {model.id && (
        <p class="faint">
          ID <code class="break">{model.id}</code>
        </p>
      )}
    </DetailRow>
  );
}
