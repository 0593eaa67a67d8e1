import { useId, useState } from "preact/hooks";
import { outcomeLine } from "../../casestudies/outcome-text.ts";
import { request } from "./api-client.ts";
import type { ReadStudy } from "./api-types.ts";
import { CardTable } from "./components/card-table.tsx";
import { CopyButton } from "./components/copy-button.tsx";
import { Field } from "./components/fields.tsx";
import { ErrorPanel } from "./components/status.tsx";
import { pluralise } from "./format.ts";
import { useMutation } from "./queries.ts";

const MAX_BYTES = 8 * 1_048_576;
const TOO_LARGE = "The file is larger than 8 MiB.";

/** Shows what Casefile reads from one page. */
export function TryPage() {
  const upload = useId();
  const [url, setUrl] = useState("");
  const [text, setText] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [study, setStudy] = useState<ReadStudy | null>(null);
  const { run, busy, error } = useMutation();
  const urlError = error?.fieldError("/url");
  const contentError = problem ?? error?.fieldError("/content");
  const choose = (chosen: File | undefined) => {
    setFile(chosen ?? null);
    setProblem(chosen && chosen.size > MAX_BYTES ? TOO_LARGE : null);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setStudy(null);
    if (file === null && text.trim() === "") return setProblem("Choose a file or paste the page.");
    if (file !== null && file.size > MAX_BYTES) return setProblem(TOO_LARGE);
    setProblem(null);
    void run(async () => {
      const content =
        file === null ? { content: text } : { content: await base64Of(file), encoding: "base64", name: file.name };
      setStudy(await request<ReadStudy>("/v1/casestudies/read", { json: { url: url.trim(), ...content } }));
    });
  };
  return (
    <section class="try-page" aria-labelledby={`${upload}-title`}>
      <h2 id={`${upload}-title`}>Try it on a page</h2>
      <p>
        See which fields Casefile reads from one of your pages. The service reads the page that you send with its
        built-in reading; nothing is stored or sent elsewhere. It needs an API key and counts as one request.
      </p>
      <form class="panel" onSubmit={submit} noValidate>
        <Field
          label="Address of the page"
          type="url"
          placeholder="https://acme.com/customers/kestrel"
          hint="Where it was published. It is not requested."
          value={url}
          onInput={setUrl}
          error={urlError}
          required
        />
        <div class="field">
          <label for={upload}>
            Saved page<span class="optional"> HTML, Markdown or PDF, up to 8 MiB</span>
          </label>
          <input
            id={upload}
            type="file"
            accept=".html,.htm,.xhtml,.md,.mdx,.markdown,.txt,.pdf"
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        </div>
        <Field
          label="Or paste its text"
          rows={5}
          value={text}
          onInput={(value) => {
            setText(value);
            setProblem(null);
          }}
          hint={file === null ? "HTML or Markdown." : `${file.name} is read instead of this text.`}
          error={contentError}
          hideOptional
        />
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            {busy ? "Reading…" : "Read page"}
          </button>
        </div>
      </form>
      {error && urlError === undefined && error.fieldError("/content") === undefined && <ErrorPanel error={error} />}
      <p class="visually-hidden" role="status">
        {study && `Read ${pluralise(rowsOf(study).length, "field")}.`}
      </p>
      {study && <ReadFields study={study} />}
    </section>
  );
}

/** The bytes, not a text: the service finds the charset. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]{0,300},/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

interface Row {
  readonly field: string;
  readonly value: string;
  readonly sentence: string | null;
  readonly confidence: number | null;
}

type Read<Value> = {
  readonly value: Value | null;
  readonly sentence: string | null;
  readonly confidence: number | null;
};

/** Only what the page states. */
function rowsOf(study: ReadStudy): readonly Row[] {
  const row = <Value,>(field: string, read: Read<Value>, textOf: (value: Value) => string = String): Row[] =>
    read.value === null ? [] : [{ ...read, field, value: textOf(read.value) }];
  return [
    ...row("Title", study.title),
    ...row("Client", study.client),
    ...study.client.candidates.map((candidate) => ({ ...candidate, field: "Possible client", sentence: null })),
    ...row("Industry", study.industry),
    ...row("Country", study.country, countryName),
    ...study.outcomes.flatMap((outcome) => row("Outcome", outcome, (value) => outcomeLine(value) ?? value.text)),
    ...study.tools.flatMap((tool) => row("Tool", tool)),
    ...study.products.flatMap((product) => row("Product", product)),
    ...row("Quote", study.quote, ({ text, person, role }) => [text, person, role].filter(Boolean).join(", ")),
    ...row("Summary", study.summary),
    ...row("Challenge", study.challenge),
    ...row("Solution", study.solution),
    ...row("Published", study.published_at),
    ...row("Language", study.language),
  ];
}

const COUNTRIES = new Intl.DisplayNames(["en"], { type: "region" });
const countryName = (code: string): string => COUNTRIES.of(code) ?? code;

/** `High, 92%` */
function confidenceText(confidence: number | null): string {
  if (confidence === null) return "Unknown";
  const word = confidence >= 0.8 ? "High" : confidence >= 0.5 ? "Medium" : "Low";
  return `${word}, ${Math.round(confidence * 100)}%`;
}

function ReadFields({ study }: { readonly study: ReadStudy }) {
  const missing = [
    study.client.value === null && "client",
    study.industry.value === null && "industry",
    study.country.value === null && "country",
    study.outcomes.length === 0 && "outcomes",
    study.tools.length === 0 && "tools",
  ].filter(Boolean);
  return (
    <div class="try-result">
      <div class="actions">
        <h3>What Casefile reads</h3>
        <CopyButton text={JSON.stringify(study, null, 2)} what="of what was read" label="Copy JSON" />
      </div>
      <p class="break">
        A case study of {study.company.name} at {study.url}
      </p>
      <CardTable label="What Casefile reads" heads={["Field", "Value", "Confidence", "Sentence"]}>
        {rowsOf(study).map(({ field, value, confidence, sentence }, index) => (
          <tr key={index}>
            <th scope="row">{field}</th>
            <td class="break">{value}</td>
            <td data-label="Confidence">{confidenceText(confidence)}</td>
            <td class="break">{sentence === null ? "" : sentence === value ? "Same as the value" : `“${sentence}”`}</td>
          </tr>
        ))}
      </CardTable>
      {missing.length > 0 && <p class="faint">Not found on the page: {missing.join(", ")}.</p>}
    </div>
  );
}
