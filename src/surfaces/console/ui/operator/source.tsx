import { useEffect, useRef } from "preact/hooks";
import { Marked } from "../parts/marked.tsx";

interface SourceProps {
  readonly body: string | null;
  /** What the field that is being corrected stands on. */
  readonly sentences: readonly string[];
}

/** The text that a record was read from, with the sentences marked that a field stands on. */
export function Source({ body, sentences }: SourceProps) {
  const frame = useRef<HTMLElement>(null);
  // Other sentences are other places, and the first of them is what to look at.
  useEffect(() => {
    const first = sentences.length > 0 ? frame.current?.querySelector("mark") : null;
    if (first && frame.current) frame.current.scrollTop = Math.max(0, first.offsetTop - frame.current.offsetTop - 80);
  }, [sentences]);
  const places = sentences
    .flatMap((sentence) => {
      const at = body?.indexOf(sentence) ?? -1;
      return at === -1 ? [] : [[at, at + sentence.length] as const];
    })
    .sort(([one], [other]) => one - other);
  return (
    <div class="panel source">
      <h3>Source text</h3>
      {body === null ? (
        <p class="faint">None is kept: records that come with the program and files without a text have none.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section class="source-text" ref={frame} tabIndex={0} aria-label="Source text">
          <Marked text={body} places={places} />
        </section>
      )}
      {places.length === 0 && sentences[0] !== undefined && <p class="note">It stands on: {sentences[0]}</p>}
    </div>
  );
}
