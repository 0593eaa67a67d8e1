import type { Start } from "../api-types.ts";
import { Confidence } from "../lookup/tools.tsx";
import { Icon } from "../parts/icon.tsx";
import { LookUpBox } from "../parts/look-up-box.tsx";
import { Told } from "../parts/states.tsx";
import { StudyCard } from "../parts/study-card.tsx";
import { useTitle } from "../router.ts";
import { start } from "../start.ts";
import { useAnswer } from "../use-answer.ts";
import { numberOf } from "../wording.ts";

export function Home() {
  useTitle("");
  const [answer, again] = useAnswer(start, []);
  return (
    <>
      <div class="hero-columns">
        <section class="hero">
          <h1>Which tools does a company use?</h1>
          <p class="lead">
            Enter a domain. Casefile looks at what anyone can see, such as mail records, scripts, certificates and job
            boards, and shows every tool with the evidence for it.
          </p>
          <LookUpBox />
          {answer.state === "told" && answer.value.examples[0] && (
            <p class="try">
              New here? See{" "}
              <a href={`/lookup/${answer.value.examples[0]}`}>the recorded scan of {answer.value.examples[0]}</a>, an
              invented company. It needs no key.
            </p>
          )}
        </section>
        {answer.state === "told" && answer.value.preview && <Preview preview={answer.value.preview} />}
      </div>
      <Told answer={answer} again={again} lines={6}>
        {(told) => <Inside told={told} />}
      </Told>
    </>
  );
}

const Preview = ({ preview }: { readonly preview: NonNullable<Start["preview"]> }) => (
  <section class="preview" aria-labelledby="preview">
    <header>
      <h2 id="preview">{preview.domain}</h2>
      <p class="faint">{preview.tools_detected} tools found, among them</p>
    </header>
    <ul>
      {preview.tools.map(({ tool, confidence, proof }) => (
        <li key={tool}>
          <span>
            {tool}
            <Confidence value={confidence} />
          </span>
          <code>{proof}</code>
        </li>
      ))}
    </ul>
    <a href={`/lookup/${preview.domain}`}>
      See all of them
      <Icon name="arrow" />
    </a>
  </section>
);

function Inside({ told: { stats, case_studies, areas } }: { readonly told: Start }) {
  return (
    <>
      <dl class="stats">
        <Stat value={stats.tools} name="tools it knows" />
        <Stat value={stats.categories} name="categories" />
        <Stat value={stats.case_studies} name="case studies" />
        <Stat value={stats.companies} name="vendors" />
        <Stat value={stats.domains_enriched} name="companies looked up" />
      </dl>
      <section class="ways" aria-label="What you can do">
        <div>
          <h2>See the evidence</h2>
          <p>
            Each tool shows its confidence and every proof: the exact string, where it stood, and the rule that knew it.
            What could not be checked is told too.
          </p>
          <p class="faint">{areas.map(({ area }) => area).join(" · ")}</p>
        </div>
        <div>
          <h2>
            <a href="/studies">
              Search case studies
              <Icon name="arrow" />
            </a>
          </h2>
          <p>Ask in your own words. The search knows meanings as well as words, and runs on this machine alone.</p>
        </div>
        <div>
          <h2>
            <a href="/compare">
              Compare vendors
              <Icon name="arrow" />
            </a>
          </h2>
          <p>Up to five side by side: whom they serve, in which industries, and what their customers report.</p>
        </div>
      </section>
      {case_studies.length > 0 && (
        <section aria-labelledby="starter">
          <h2 id="starter" class="section-title">
            From the case studies that come with it
          </h2>
          <div class="cards">
            {case_studies.map((study) => (
              <StudyCard key={study.id} study={study} level={3} />
            ))}
          </div>
        </section>
      )}
    </>
  );
}

const Stat = ({ value, name }: { readonly value: number; readonly name: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{numberOf(value)}</dd>
  </div>
);
