import { useState } from "preact/hooks";
import { CopyButton } from "../parts/copy-button.tsx";
import { codeIn, LANGUAGES, type Language } from "./samples.ts";

export function QuickStart() {
  const [language, choose] = useState<Language>("curl");
  const code = codeIn[language](location.origin);
  return (
    <section aria-labelledby="quick-start">
      <h2 id="quick-start" class="section-title">
        Quick start
      </h2>
      <fieldset class="segmented">
        <legend class="unseen">Language</legend>
        {LANGUAGES.map((name) => (
          <label key={name}>
            <input type="radio" name="language" checked={name === language} onChange={() => choose(name)} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <div class="code">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <section class="code-scroll" tabIndex={0} aria-label={`${language} example`}>
          <pre>
            <code>{code}</code>
          </pre>
        </section>
        <CopyButton text={code} what={`${language} example`} />
      </div>
      <p>
        Every call is described in <a href="/docs">the reference</a>, which works without the internet as well.
      </p>
    </section>
  );
}
