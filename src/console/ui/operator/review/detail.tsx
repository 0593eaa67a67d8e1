import { useEffect, useRef, useState } from "preact/hooks";
import { requestAsOperator } from "../../api-client.ts";
import type { StudyDetail } from "../../api-types.ts";
import { Highlighted } from "../../components/highlighted.tsx";
import { ExternalLink } from "../../components/panels.tsx";
import { QueryResult } from "../../components/status.tsx";
import { formatPercent, formatTime, humanise, pluralise } from "../../format.ts";
import { useMutation, useQuery } from "../../queries.ts";
import { useRights } from "../../session.ts";
import { type Draft, FIELDS, type FieldName, fromDraft, isSame, toDraft } from "./draft.ts";
import { FieldInputs } from "./inputs.tsx";
import { LOW_CONFIDENCE, lastListUrl } from "./list.tsx";

type Provenance = StudyDetail["provenance"];

const ENGINES: Readonly<Record<string, string>> = {
  local: "Extracted from the page",
  "language-model": "Extracted by the language model",
};

interface EvidenceProps {
  readonly name: FieldName;
  readonly provenance: Provenance;
  /** JSON pointer of the focused input. */
  readonly focused: string;
  readonly isKnown: boolean;
}

/** The provenance of the focused input, or of the whole field when the input has none of its own. */
function provenanceAt(provenance: Provenance, focused: string): Provenance {
  const exact = provenance.filter(({ pointer }) => pointer === focused || pointer.startsWith(`${focused}/`));
  return exact.length > 0 ? exact : provenance.filter(({ pointer }) => focused.startsWith(`${pointer}/`));
}

/** How a field was obtained, its confidence and, while it is focused, the source sentence. */
function Evidence({ name, provenance, focused, isKnown }: EvidenceProps) {
  if (provenance.some(({ engine }) => engine === "operator")) return <p class="tag">Corrected</p>;
  const [first] = provenance;
  if (!first) return <p class="faint small">{isKnown ? "Imported as given" : "Unknown"}</p>;
  const least = Math.min(...provenance.map(({ confidence }) => confidence));
  const shown = focused.split("/")[1] === name ? provenanceAt(provenance, focused) : [];
  const sentence = shown.find((item) => item.sentence !== null)?.sentence;
  return (
    <div class="field-evidence">
      <p class="small">
        <span class="faint">{ENGINES[first.engine] ?? first.engine}, </span>
        <span class={least < LOW_CONFIDENCE ? "tag warm" : "faint"}>
          {provenance.length > 1 && "at least "}
          {formatPercent(least)} confidence
        </span>
      </p>
      {sentence && (
        <blockquote class="evidence-sentence">
          <span class="visually-hidden">Source sentence: </span>
          {sentence}
        </blockquote>
      )}
    </div>
  );
}

interface SourceTextProps {
  readonly body: string | null;
  /** The sentences that the focused field was extracted from. */
  readonly sentences: readonly string[];
  /** The original page. */
  readonly url: string;
}

/** The text that the case study was extracted from, with the sentences of the focused field highlighted. */
function SourceText({ body, sentences, url }: SourceTextProps) {
  const frame = useRef<HTMLElement>(null);
  const highlighted = sentences.join("\n");
  // Scrolls to the first highlighted sentence.
  useEffect(() => {
    const first = highlighted === "" ? null : frame.current?.querySelector("mark");
    if (first && frame.current) frame.current.scrollTop = Math.max(0, first.offsetTop - frame.current.offsetTop - 80);
  }, [highlighted]);
  const ranges = [...new Set(sentences)]
    .flatMap((sentence) => findSentence(body ?? "", sentence))
    .sort(([one], [other]) => one - other);
  return (
    <div class="panel source">
      <div class="source-head">
        <h3>Source text</h3>
        <ExternalLink href={url}>Original page</ExternalLink>
      </div>
      {body === null ? (
        <p class="faint">No source text is stored for included and imported case studies.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section class="source-text" ref={frame} tabIndex={0} aria-label="Source text">
          <Highlighted text={body} ranges={ranges} />
        </section>
      )}
      {body !== null && ranges.length === 0 && highlighted !== "" && (
        <p class="note small">The sentence is in the metadata of the page, not in its text.</p>
      )}
    </div>
  );
}

/** The range of a sentence, ignoring white space and Markdown between its words; empty when it is not found. */
function findSentence(body: string, sentence: string): readonly (readonly [number, number])[] {
  const exact = body.indexOf(sentence);
  if (exact !== -1) return [[exact, exact + sentence.length]];
  const words = sentence.slice(0, 2_000).match(/[\p{L}\p{N}]+/gu);
  if (!words) return [];
  const match = new RegExp(words.join("[^\\p{L}\\p{N}]{1,12}"), "u").exec(body);
  return match ? [[match.index, match.index + match[0].length]] : [];
}

interface FieldFormProps {
  readonly name: FieldName;
  readonly detail: StudyDetail;
  /** API path of the case study. */
  readonly path: string;
  readonly onSaved: (detail: StudyDetail) => void;
  /** JSON pointer of the focused input. */
  readonly focused: string;
  readonly onFocus: (pointer: string) => void;
}

/** Corrects one field. A saved correction overrides what later crawls extract. */
function FieldForm({ name, detail, path, onSaved, focused, onFocus }: FieldFormProps) {
  const may = useRights();
  const mayCorrect = may("PATCH /admin/casestudies/:id");
  const saved = toDraft(detail.study, name);
  const [draft, setDraft] = useState<Draft>(saved);
  const [status, setStatus] = useState("");
  const mutation = useMutation();
  useEffect(() => setDraft(saved), [JSON.stringify(saved)]);
  const isCorrected = name in detail.corrections;
  const isChanged = !isSame(draft, saved);
  const title = humanise(name === "published_at" ? "published" : name);
  const pointer = `/${name}`;
  const provenance = detail.provenance.filter((item) => item.pointer.split("/")[1] === name);

  const change = async (work: () => Promise<StudyDetail>, done: string) => {
    setStatus("");
    await mutation.run(async () => {
      onSaved(await work());
      setStatus(done);
    });
  };
  const save = () =>
    change(
      () => requestAsOperator(path, { method: "PATCH", json: { [name]: fromDraft(draft, name) } }),
      `${title} saved. Later crawls do not change it.`,
    );
  const revert = () =>
    change(
      () => requestAsOperator(`${path}/corrections/${name}`, { method: "DELETE" }),
      `${title} reverted to the extracted value.`,
    );
  const errorAt = (place: string) => mutation.error?.fieldError(`${pointer}${place}`);
  const errors = mutation.error?.problem.errors ?? [];
  return (
    <form
      class={focused.split("/")[1] === name ? "review-field focused" : "review-field"}
      noValidate
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        if (mayCorrect) void save();
      }}
    >
      <FieldInputs name={name} title={title} draft={draft} onDraft={setDraft} errorAt={errorAt} onFocus={onFocus} />
      {mutation.error && errors.every((each) => !each.pointer.startsWith(pointer)) && (
        <p class="error" role="alert">
          {mutation.error.message}
        </p>
      )}
      <div class="review-foot">
        <Evidence name={name} provenance={provenance} focused={focused} isKnown={!isEmpty(saved)} />
        {isChanged ? (
          <span class="actions">
            {mayCorrect && (
              <button type="submit" class="button small primary" disabled={mutation.busy}>
                Save {title.toLowerCase()}
              </button>
            )}
            <button type="button" class="button small quiet" onClick={() => setDraft(saved)}>
              Undo
            </button>
          </span>
        ) : (
          isCorrected &&
          may("DELETE /admin/casestudies/:id/corrections/:field") && (
            <button type="button" class="button small" disabled={mutation.busy} onClick={revert}>
              Revert<span class="visually-hidden"> {title.toLowerCase()}</span>
            </button>
          )
        )}
      </div>
      <p class="visually-hidden" role="status">
        {status}
      </p>
    </form>
  );
}

const isEmpty = ({ texts, outcomes }: Draft) =>
  outcomes.length === 0 && Object.values(texts).every((text) => text === "");

/** A case study next to its source text. */
export function StudyReviewPage({ id }: { readonly id: string }) {
  const path = `/console/admin/casestudies/${encodeURIComponent(id)}`;
  const [result, reload] = useQuery((signal) => requestAsOperator<StudyDetail>(path, { signal }), [path]);
  return (
    <>
      <p>
        <a href={lastListUrl()}>All case studies</a>
      </p>
      <QueryResult result={result} retry={reload} lines={9}>
        {(detail) => <StudyReview key={id} first={detail} path={path} />}
      </QueryResult>
    </>
  );
}

function StudyReview({ first, path }: { readonly first: StudyDetail; readonly path: string }) {
  const [detail, setDetail] = useState(first);
  const [focused, setFocused] = useState("");
  const { study, page, versions } = detail;
  const corrected = Object.keys(detail.corrections);
  const sentences =
    focused === "" ? [] : provenanceAt(detail.provenance, focused).flatMap(({ sentence }) => sentence ?? []);
  return (
    <>
      <header>
        <h2 class="section-title">{study.title}</h2>
        <p class="faint">
          {study.company.name}, {humanise(detail.origin).toLowerCase()}
          {page && `, page ${page.state} ${formatTime(page.fetched_at)}`}
          {versions.length > 0 && `, ${pluralise(versions.length, "earlier version")}`}
          {" · "}
          <a href={`/studies/${encodeURIComponent(study.id)}`}>public page</a>
        </p>
        <p>
          {corrected.length === 0
            ? "No corrections. Each field is saved on its own, and later crawls do not change saved fields."
            : `Corrected: ${corrected.map((name) => humanise(name).toLowerCase()).join(", ")}.`}
        </p>
      </header>
      <div class="review">
        <div class="corrections">
          {FIELDS.map((name) => (
            <FieldForm
              key={name}
              name={name}
              detail={detail}
              path={path}
              onSaved={setDetail}
              focused={focused}
              onFocus={setFocused}
            />
          ))}
        </div>
        <SourceText body={detail.body} sentences={sentences} url={study.url} />
      </div>
    </>
  );
}
