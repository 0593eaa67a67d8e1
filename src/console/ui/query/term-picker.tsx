import { useId, useState } from "preact/hooks";
import type { Suggestions } from "../api-types.ts";
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
  /** The text that Enter found no match for. */
  const [missed, setMissed] = useState("");
  const { choices, closest } = useChoices(text);
  const active = choices[Math.min(at, choices.length - 1)];
  const pick = (choice: Choice | undefined) => {
    if (!choice) return;
    onPick(choice.term);
    setText("");
    setAt(0);
  };
  const isMissed = missed !== "" && missed === text && choices.length === 0;
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
            if (active) pick(active);
            else setMissed(text);
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
      {isMissed && (
        <p class="term-missed" role="alert">
          No tool is called “{text.trim()}”.{" "}
          {closest && (
            <button
              type="button"
              class="link"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(toolChoice(closest))}
            >
              Add {closest.tool}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

const toolChoice = ({ id, tool, category }: Suggestions["tools"][number]): Choice => ({
  term: id,
  label: tool,
  hint: category,
  category,
});

function useChoices(text: string): { readonly choices: readonly Choice[]; readonly closest: Suggestions["closest"] } {
  const { tools, closest } = useSuggestions(text);
  const [info] = useQuery(serviceInfo, []);
  const typed = text.trim().toLowerCase();
  if (typed === "") return { choices: [], closest: null };
  const raw = SIGNALS.flatMap(([kind, hint]) => {
    const value = typed.startsWith(`${kind}:`) ? typed.slice(kind.length + 1).trim() : "";
    return value === "" ? [] : [{ term: `${kind}:${value}`, label: value, hint, category: undefined }];
  });
  if (raw.length > 0) return { choices: raw, closest: null };
  const categories = info.state === "loaded" ? info.data.areas.flatMap(({ categories: labels }) => labels) : [];
  const choices = [
    ...tools.map(toolChoice),
    ...categories
      .filter((label) => label.toLowerCase().includes(typed))
      .slice(0, MAX_CATEGORIES)
      .map((label) => ({ term: `category:${label}`, label, hint: "Any tool of this category", category: label })),
  ];
  return { choices, closest };
}
