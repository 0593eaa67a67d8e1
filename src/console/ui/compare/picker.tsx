import { useEffect, useId, useRef, useState } from "preact/hooks";
import { apiKey } from "../api-key.ts";
import type { CompanyList, CompanyRecord } from "../api-types.ts";
import { ask } from "../ask.ts";
import { useObservable } from "../observable.ts";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { IndustryChoice } from "../parts/industry-choice.tsx";
import { addressOf } from "../router.ts";
import { industries } from "../studies/find.ts";
import { useAnswer } from "../use-answer.ts";

const PAUSE_MS = 300;

interface PickerProps {
  readonly slugs: readonly string[];
  readonly industry: string;
  readonly most: number;
  readonly onChange: (slugs: readonly string[], industry?: string) => void;
}

/** Finds a vendor to add by its name, and narrows the comparison to an industry. */
export function Picker({ slugs, industry, most, onChange }: PickerProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [typed, type] = useState("");
  const [found, setFound] = useState<readonly CompanyRecord[]>([]);
  const key = useObservable(apiKey);
  const [known] = useAnswer(key === null ? null : industries, [key]);
  useEffect(() => {
    setFound([]);
    if (typed.trim().length < 2) return;
    const patience = new AbortController();
    const timer = setTimeout(async () => {
      const address = addressOf("/v1/companies", { q: typed.trim(), limit: "6" });
      const page = await ask<CompanyList>(address, { signal: patience.signal }).catch(() => undefined);
      if (page && !patience.signal.aborted) setFound(page.companies);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      patience.abort();
    };
  }, [typed]);
  const add = (slug: string | undefined) => {
    if (slug === undefined) return;
    onChange([...new Set([...slugs, slug])].slice(0, most));
    type("");
    // What was pressed is gone; the next vendor is typed where this one was.
    form.current?.querySelector("input")?.focus();
  };
  const full = slugs.length >= most;
  const open = found.filter(({ slug }) => !slugs.includes(slug));
  return (
    <div class="picker">
      <form
        ref={form}
        class="picker-add"
        onSubmit={(event) => {
          event.preventDefault();
          add(open[0]?.slug);
        }}
      >
        <Field
          label="Add a vendor"
          type="search"
          value={typed}
          onInput={type}
          required
          hint={full ? `${most} are the most; take one away first.` : "Type two letters of its name."}
        />
        {typed.trim().length >= 2 && open.length > 0 && !full && (
          <ul class="proposals" aria-label="Vendors found" id={id}>
            {open.map((company) => (
              <li key={company.slug}>
                <button type="button" onClick={() => add(company.slug)}>
                  <Icon name="plus" />
                  {company.name}
                  <span class="faint">{company.total_case_studies}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </form>
      <IndustryChoice
        label="Your industry"
        known={known.state === "told" ? known.value : []}
        value={industry}
        onChoose={(chosen) => onChange(slugs, chosen)}
      />
    </div>
  );
}
