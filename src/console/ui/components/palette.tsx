import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { apiKey } from "../credentials.ts";
import { recentDomains } from "../device-lists.ts";
import { DOMAIN, hostOf } from "../domain-name.ts";
import { countStudies, pluralise } from "../format.ts";
import { navigate } from "../router.ts";
import { useSuggestions } from "../suggestions.ts";
import { Icon, type IconName } from "./icon.tsx";
import { setTheme } from "./theme.ts";
import { CompanyIcon, ToolIcon } from "./tool-icon.tsx";

interface Entry {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly icon: ComponentChildren;
  readonly note?: string | undefined;
  readonly run: () => void;
}

const PAGES: readonly (readonly [label: string, href: string, icon: IconName])[] = [
  ["Look up a company", "/", "search"],
  ["Tools", "/tools", "grid"],
  ["Lists", "/lists", "lines"],
  ["Query: who uses what", "/query", "table"],
  ["Case studies", "/studies", "file"],
  ["Vendors", "/companies", "folder"],
  ["Compare vendors", "/compare", "table"],
  ["API key", "/key", "key"],
  ["API reference", "/docs", "code"],
  ["Submit case studies", "/submit", "share"],
  ["Operator", "/operator", "lock"],
];

const page = ([label, href, icon]: (typeof PAGES)[number]): Entry => ({
  id: href,
  group: "Pages",
  label,
  icon: <Icon name={icon} />,
  run: () => navigate(href),
});

const THEMES = ["light", "dark", "system"] as const;
const actions: readonly Entry[] = THEMES.map((name) => ({
  id: `theme-${name}`,
  group: "Actions",
  label: `Use the ${name} theme`,
  icon: <Icon name={name === "light" ? "sun" : name === "dark" ? "moon" : "half"} />,
  run: () => setTheme(name),
}));

const company = (domain: string, group: string): Entry => ({
  id: `company-${domain}`,
  group,
  label: domain,
  icon: <CompanyIcon domain={domain} />,
  run: () => navigate(`/lookup/${encodeURIComponent(domain)}`),
});

/** What the palette offers for a text: the company that it names, then matches by kind. */
function useEntries(typed: string): readonly Entry[] {
  const found = useSuggestions(typed);
  const text = typed.trim().toLowerCase();
  const matches = ({ label }: Entry) => label.toLowerCase().includes(text);
  if (text === "")
    return [...recentDomains.get().map((domain) => company(domain, "Recent")), ...PAGES.map(page), ...actions];
  const host = DOMAIN.test(text) ? hostOf(text) : undefined;
  return [
    ...found.companies.map(({ domain, tools_detected }) => ({
      ...company(domain, "Companies"),
      note: pluralise(tools_detected, "tool"),
    })),
    ...(host !== undefined && !found.companies.some(({ domain }) => domain === host)
      ? [{ ...company(host, "Companies"), id: "look-up", label: `Look up ${host}` }]
      : []),
    ...found.tools.map(({ id, tool, category }) => ({
      id: `tool-${id}`,
      group: "Tools",
      label: tool,
      note: category,
      icon: <ToolIcon tool={tool} category={category} />,
      run: () => navigate(`/tools/${encodeURIComponent(id)}`),
    })),
    ...found.vendors.map(({ slug, name, case_studies }) => ({
      id: `vendor-${slug}`,
      group: "Vendors",
      label: name,
      note: countStudies(case_studies),
      icon: <CompanyIcon domain="" name={name} />,
      run: () => navigate(`/companies/${encodeURIComponent(slug)}`),
    })),
    ...PAGES.map(page).filter(matches),
    ...actions.filter(matches),
    ...(apiKey.get() === null
      ? []
      : [
          {
            id: "search",
            group: "Actions",
            label: `Search case studies for “${typed.trim()}”`,
            icon: <Icon name="search" />,
            run: () => navigate(`/studies?q=${encodeURIComponent(typed.trim())}`),
          },
          {
            id: "answer",
            group: "Actions",
            label: `Answer “${typed.trim()}” from case studies`,
            icon: <Icon name="file" />,
            run: () => navigate(`/studies?q=${encodeURIComponent(typed.trim())}&view=answer`),
          },
        ]),
  ];
}

/** Finds companies, tools, vendors, pages and actions by name, with the keyboard alone. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const entries = useEntries(typed);
  const chosen = Math.min(at, entries.length - 1);
  useEffect(() => {
    const element = dialog.current;
    const focused = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Command palette"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Search companies, tools, vendors, pages and actions"
        placeholder="Company, tool, vendor or page"
        aria-expanded={entries.length > 0}
        aria-controls={id}
        aria-activedescendant={entries[chosen] ? `${id}-${chosen}` : undefined}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={100}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            return run(entries[chosen]);
          }
          const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
          if (by === 0 || entries.length === 0) return;
          event.preventDefault();
          setAt((chosen + by + entries.length) % entries.length);
        }}
      />
      {entries.length === 0 ? (
        <p class="palette-empty" role="status">
          Nothing matches.
        </p>
      ) : (
        <div class="palette-list" role="listbox" id={id} aria-label="Matches" ref={list}>
          {entries.map((entry, index) => (
            <Fragment key={entry.id}>
              {entries[index - 1]?.group !== entry.group && (
                <div class="palette-group" role="presentation">
                  {entry.group}
                </div>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys */}
              <div
                id={`${id}-${index}`}
                class="palette-item"
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                onMouseMove={() => setAt(index)}
                onClick={() => run(entry)}
              >
                {entry.icon}
                <span>{entry.label}</span>
                {entry.note && <span class="faint">{entry.note}</span>}
              </div>
            </Fragment>
          ))}
        </div>
      )}
    </dialog>
  );
}
