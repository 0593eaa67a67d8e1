import { apiKey, quota } from "../api-key.ts";
import { useObservable } from "../observable.ts";
import { chooseTheme, type Theme, theme } from "../theme.ts";
import { numberOf } from "../wording.ts";
import { Icon, type IconName } from "./icon.tsx";

const AREAS = [
  ["", "/", "Look up"],
  ["studies", "/studies", "Case studies"],
  ["companies", "/companies", "Companies"],
  ["compare", "/compare", "Compare"],
] as const;

const THEMES: readonly (readonly [Theme, IconName, string])[] = [
  ["system", "half", "Colours of the system"],
  ["light", "sun", "Light"],
  ["dark", "moon", "Dark"],
];

/** `area` is the first part of the address; a page that does not exist is in none. */
export function Header({ area }: { readonly area?: string }) {
  return (
    <header class="top">
      <div class="top-inner">
        <a class="wordmark" href="/">
          <Icon name="folder" />
          <span>Casefile</span>
        </a>
        <nav aria-label="Main">
          <ul>
            {AREAS.map(([name, href, text]) => (
              <li key={name}>
                <a href={href} aria-current={area === name || (name === "" && area === "lookup") ? "page" : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <KeyLink current={area === "key"} />
        <ThemeSwitch />
      </div>
    </header>
  );
}

function KeyLink({ current }: { readonly current: boolean }) {
  const key = useObservable(apiKey);
  const left = useObservable(quota);
  const text = key === null ? "Get a key" : left === null ? "Your key" : `${numberOf(left.remaining)} left`;
  return (
    <a
      class={key === null ? "button small primary key-link" : "button small key-link"}
      href="/key"
      aria-current={current ? "page" : undefined}
      aria-label={key !== null && left !== null ? `Your key: ${text} of ${numberOf(left.limit)} this month` : undefined}
    >
      <Icon name="key" />
      {text}
    </a>
  );
}

function ThemeSwitch() {
  const chosen = useObservable(theme);
  const at = THEMES.findIndex(([name]) => name === chosen);
  const [, icon, text] = THEMES[at] ?? THEMES[0]!;
  const [next] = THEMES[(at + 1) % THEMES.length]!;
  return (
    <button
      type="button"
      class="button small quiet square"
      onClick={() => chooseTheme(next)}
      aria-label={`Colours: ${text}. Change.`}
      title={text}
    >
      <Icon name={icon} />
    </button>
  );
}
