import { useState } from "preact/hooks";
import { requestFile } from "../api-client.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { Field } from "../components/fields.tsx";
import { Panel } from "../components/panels.tsx";
import { apiKey } from "../credentials.ts";
import { formatDuration } from "../format.ts";
import { useObservable } from "../observable.ts";
import { toApiError } from "../queries.ts";
import { curlOf, examplesOf, type Operation, requestHeaders, requestPath, type Values } from "./document.ts";

/** Characters of an answer that are shown. */
const MAX_SHOWN = 40_000;

interface Shown {
  readonly status: string;
  readonly text: string;
}

/** A request that can be filled in, copied as a command and sent. */
export function TryOut({ operation }: { readonly operation: Operation }) {
  const key = useObservable(apiKey);
  const examples = examplesOf(operation);
  const [values, setValues] = useState<Values>(examples.values);
  const [body, setBody] = useState(examples.body);
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState<Shown | null>(null);
  const { parameters = [], needs, method } = operation;
  const missing = parameters.some(({ name, required }) => required && !values[name]);

  async function send(): Promise<void> {
    setBusy(true);
    const started = performance.now();
    try {
      const file = await requestFile(requestPath(operation, values), {
        method: methodOf(method),
        headers: {
          ...requestHeaders(operation, values),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: new Blob([body]) }),
      });
      setShown({
        status: `Answered in ${formatDuration(Math.round(performance.now() - started))}`,
        text: await textOf(file),
      });
    } catch (error) {
      const { status, problem, message } = toApiError(error);
      setShown({
        status: status > 0 ? `Refused with ${status}` : "Not sent",
        text: Object.keys(problem).length === 0 ? message : JSON.stringify(problem, null, 2),
      });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Panel title="Request" class="panel try-out">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {parameters.map(({ name, required, example }) => (
          <Field
            key={name}
            label={name}
            mono
            required={required === true}
            placeholder={example === undefined ? "" : String(example)}
            value={values[name] ?? ""}
            onInput={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
        {body !== undefined && (
          <Field
            label="Body"
            mono
            required
            rows={Math.min(14, body.split("\n").length + 1)}
            value={body}
            onInput={setBody}
          />
        )}
        <CodeBlock
          label="The request as a curl command"
          what="curl command"
          text={curlOf(operation, values, body, location.origin)}
        />
        {needs === "operator" ? (
          <p class="hint">Only a command has the operator token: this page cannot send the request.</p>
        ) : needs === "key" && key === null ? (
          <p class="hint">
            <a href="/key">Get a key</a> to send the request from this page.
          </p>
        ) : (
          <div class="actions">
            <button type="submit" class="button primary" disabled={busy || missing}>
              {busy ? "Sending…" : "Send"}
            </button>
            {needs === "key" && <span class="hint">An answer counts as a request of your key.</span>}
          </div>
        )}
      </form>
      <div role="status">
        {shown && (
          <>
            <p class="hint">{shown.status}</p>
            <CodeBlock label="The answer" what="answer" text={shown.text} />
          </>
        )}
      </div>
    </Panel>
  );
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const methodOf = (method: string) => METHODS.find((each) => each === method) ?? "GET";

/** Indented JSON, or the text of another type; what is not text is only named. */
async function textOf(file: Blob): Promise<string> {
  if (!/json|text|event-stream/.test(file.type)) return `${file.size} bytes of ${file.type || "an unnamed type"}`;
  const text = await file.text();
  const shown = file.type.includes("json") && !file.type.includes("ndjson") ? indented(text) : text;
  return shown.length > MAX_SHOWN
    ? `${shown.slice(0, MAX_SHOWN)}\n… ${shown.length - MAX_SHOWN} more characters`
    : shown;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
