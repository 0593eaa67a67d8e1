import { useState } from "preact/hooks";
import { apiKey } from "../api-key.ts";
import { useObservable } from "../observable.ts";
import { Field } from "../parts/field.tsx";
import { Told } from "../parts/states.tsx";
import { go } from "../router.ts";
import { list, wantedIn } from "../studies/find.ts";
import { useAnswer } from "../use-answer.ts";

/** By its id, or, for an operator who has a key too, from the newest: of all vendors, or of one. */
export function LookFor({ company }: { readonly company: string }) {
  const key = useObservable(apiKey);
  const [id, setId] = useState("");
  const [answer, again] = useAnswer(
    key === null ? null : (signal) => list(wantedIn(new URLSearchParams({ company })), null, signal),
    [key, company],
  );
  return (
    <>
      <form
        class="panel fields"
        onSubmit={(event) => {
          event.preventDefault();
          const given = id.trim().replace(/^.*\/studies\//, "");
          if (given !== "") go(`/operator/studies/${encodeURIComponent(decodeURI(given))}`);
        }}
      >
        <Field
          label="Id or address of a case study"
          value={id}
          onInput={setId}
          placeholder="apache-beam--paloalto"
          required
        />
        <div class="actions">
          <button type="submit" class="button primary">
            Review
          </button>
        </div>
      </form>
      {key !== null && (
        <section aria-labelledby="newest">
          <h2 id="newest" class="section-title">
            {company === "" ? "The newest" : `The newest of ${company}`}
          </h2>
          <Told answer={answer} again={again}>
            {({ studies }) => (
              <ul class="rows">
                {studies.map((study) => (
                  <li key={study.id}>
                    <a class="row-link" href={`/operator/studies/${encodeURIComponent(study.id)}`}>
                      <span class="row-title">{study.title}</span>
                      <span class="faint">{study.company.name}</span>
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </Told>
        </section>
      )}
    </>
  );
}
