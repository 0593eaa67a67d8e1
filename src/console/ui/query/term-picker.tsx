import { useId, useState } from "preact/hooks";
import { ToolIcon } from "../components/tool-icon.tsx";
import { serviceInfo, useQuery } from "../queries.ts";
import { useSuggestions } from "../suggestions.ts";
import type { Term } from "./question.ts";

interface Choice {
  readonly term: Term;
  readonly label: string;
  readonly hint: string;
  readonly category: string | undefined;
}

const MAX_CATEGORIES = 3;
const SIGNALS = [
  ["script", "Script host"],
  ["txt", "TXT record"],
  ["cname", "Alias of host"],
] as const;

/** Adds a tool, a category, or a raw signal (`script:host`) to a question. */
export function TermPicker({ label, onPick }: { readonly label: string; readonly onPick: (term: Term) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const choices = useChoices(text);
  const active = choices[Math.min(at, choices.length - 1)];
  const pick = (choice: Choice | undefined) => {
    if (!choice) return;
    onPick(choice.term);
    setText("");
    setAt(0);
  };
  return (
    <div class="term-picker">
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={active ? `${id}-${active.term}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder="+ tool or category"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (by !== undefined && choices.length > 0) {
            event.preventDefault();
            setAt((before) => (before + by + choices.length) % choices.length);
          } else if (event.key === "Enter" && text !== "") {
            event.preventDefault();
            pick(active);
          } else if (event.key === "Escape" && text !== "") {
            event.preventDefault();
            setText("");
          }
        }}
        onBlur={() => setText("")}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} class="term-choices" hidden={choices.length === 0}>
        {choices.map((choice) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, as in every combobox
          <div
            key={choice.term}
            id={`${id}-${choice.term}`}
            role="option"
            aria-selected={choice === active}
            class={choice === active ? "term-choice on" : "term-choice"}
            // Before the field loses its focus.
            onMouseDown={(event) => {
              event.preventDefault();
              pick(choice);
            }}
          >
            {choice.category !== undefined && <ToolIcon tool={choice.label} category={choice.category} />}
            <span>{choice.label}</span>
            <span class="faint">{choice.hint}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function useChoices(text: string): readonly Choice[] {
  const { tools } = useSuggestions(text);
  const [info] = useQuery(serviceInfo, []);
  const typed = text.trim().toLowerCase();
  if (typed === "") return [];
  const raw = SIGNALS.flatMap(([kind, hint]) => {
    const value = typed.startsWith(`${kind}:`) ? typed.slice(kind.length + 1).trim() : "";
    return value === "" ? [] : [{ term: `${kind}:${value}`, label: value, hint, category: undefined }];
  });
  if (raw.length > 0) return raw;
  const categories = info.state === "loaded" ? info.data.areas.flatMap(({ categories: labels }) => labels) : [];
  return [
    ...tools.map(({ id, tool, category }) => ({ term: id, label: tool, hint: category, category })),
    ...categories
      .filter((label) => label.toLowerCase().includes(typed))
      .slice(0, MAX_CATEGORIES)
      .map((label) => ({ term: `category:${label}`, label, hint: "Any tool of this category", category: label })),
  ];
}
