import { useEffect, useRef } from "preact/hooks";

/** The text that a record was read from, with the sentence marked that a field stands on. */
export function Source({ body, sentence }: { readonly body: string | null; readonly sentence: string | null }) {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    if (sentence !== null) mark.current?.scrollIntoView({ block: "center" });
  }, [sentence]);
  const at = body !== null && sentence !== null ? body.indexOf(sentence) : -1;
  return (
    <section class="panel source" aria-labelledby="source">
      <h3 id="source">Source text</h3>
      {body === null ? (
        <p class="faint">None is kept: records that come with the program and files without a text have none.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section class="source-text" tabIndex={0} aria-label="Source text">
          {at === -1 || sentence === null ? (
            body
          ) : (
            <>
              {body.slice(0, at)}
              <mark ref={mark}>{sentence}</mark>
              {body.slice(at + sentence.length)}
            </>
          )}
        </section>
      )}
      {sentence !== null && at === -1 && <p class="note">It stands on: {sentence}</p>}
    </section>
  );
}
