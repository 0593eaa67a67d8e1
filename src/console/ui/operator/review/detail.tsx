import { useState } from "preact/hooks";
import type { StudyDetail } from "../../api-types.ts";
import { askAsOperator } from "../../ask.ts";
import { Told } from "../../parts/states.tsx";
import { useAnswer } from "../../use-answer.ts";
import { minuteOf, withQuota, worded } from "../../wording.ts";
import { lastList } from "./list.tsx";
import { OneField } from "./one-field.tsx";
import { pointedAt } from "./proof.tsx";
import { Source } from "./source.tsx";
import { FIELDS } from "./study-fields.ts";

/** A case study beside the text that it was read from. */
export function ReviewDetail({ id }: { readonly id: string }) {
  const path = `/console/admin/casestudies/${encodeURIComponent(id)}`;
  const [answer, again] = useAnswer((signal) => askAsOperator<StudyDetail>(path, { signal }), [path]);
  return (
    <>
      <p>
        <a href={lastList()}>All to review</a>
      </p>
      <Told answer={answer} again={again} lines={9}>
        {(detail) => <Shown key={id} first={detail} path={path} />}
      </Told>
    </>
  );
}

function Shown({ first, path }: { readonly first: StudyDetail; readonly path: string }) {
  const [detail, setDetail] = useState(first);
  const [point, setPoint] = useState("");
  const { study, page, versions } = detail;
  const corrected = Object.keys(detail.corrections);
  const sentences = point === "" ? [] : pointedAt(detail.provenance, point).flatMap(({ sentence }) => sentence ?? []);
  return (
    <>
      <header>
        <h2 class="section-title">{study.title}</h2>
        <p class="faint">
          {study.company.name}, {worded(detail.origin).toLowerCase()}
          {page && `, page ${page.state} ${minuteOf(page.fetched_at)}`}
          {versions.length > 0 && `, ${withQuota(versions.length, "earlier version")}`}
          {" · "}
          <a href={`/studies/${encodeURIComponent(study.id)}`}>as readers see it</a>
        </p>
        <p>
          {corrected.length === 0
            ? "Nothing was corrected. A field is saved by itself; what is saved holds whatever a later crawl reads."
            : `Corrected by hand: ${corrected.map((name) => worded(name).toLowerCase()).join(", ")}.`}
        </p>
      </header>
      <div class="review">
        <div class="corrections">
          {FIELDS.map((name) => (
            <OneField
              key={name}
              name={name}
              detail={detail}
              path={path}
              onSaved={setDetail}
              point={point}
              onPoint={setPoint}
            />
          ))}
        </div>
        <Source body={detail.body} sentences={sentences} url={study.url} />
      </div>
    </>
  );
}
