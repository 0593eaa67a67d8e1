import { useEffect, useRef } from "preact/hooks";
import { Marked } from "../../parts/marked.tsx";

interface SourceProps {
  readonly body: string | null;
  /** What the field that has the focus stands on. */
  readonly sentences: readonly string[];
  /** The original. */
  readonly url: string;
}

/** The text that a record was read from, with the sentences marked that a field stands on. */
export function Source({ body, sentences, url }: SourceProps) {
  const frame = useRef<HTMLElement>(null);
  const wanted = sentences.join("\n");
  // Other sentences are other places, and the first of them is what to look at.
  useEffect(() => {
    const first = wanted === "" ? null : frame.current?.querySelector("mark");
    if (first && frame.current) frame.current.scrollTop = Math.max(0, first.offsetTop - frame.current.offsetTop - 80);
  }, [wanted]);
  const places = [...new Set(sentences)]
    .flatMap((sentence) => placeOf(body ?? "", sentence))
    .sort(([one], [other]) => one - other);
  return (
    <div class="panel source">
      <div class="source-head">
        <h3>Source text</h3>
        <a href={url} target="_blank" rel="noreferrer">
          The original<span class="unseen"> (opens in a new tab)</span>
        </a>
      </div>
      {body === null ? (
        <p class="faint">None is kept: records that come with the program and files without a text have none.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section class="source-text" ref={frame} tabIndex={0} aria-label="Source text">
          <Marked text={body} places={places} />
        </section>
      )}
      {body !== null && places.length === 0 && wanted !== "" && (
        <p class="note small">The sentence is of the page's head and not of its text.</p>
      )}
    </div>
  );
}

/** Where a sentence stands, whatever the spaces and marks of Markdown between its words; nowhere when it does not. */
function placeOf(body: string, sentence: string): readonly (readonly [number, number])[] {
  const exact = body.indexOf(sentence);
  if (exact !== -1) return [[exact, exact + sentence.length]];
  const words = sentence.slice(0, 2_000).match(/[\p{L}\p{N}]+/gu);
  if (!words) return [];
  const found = new RegExp(words.join("[^\\p{L}\\p{N}]{1,12}"), "u").exec(body);
  return found ? [[found.index, found.index + found[0].length]] : [];
}
