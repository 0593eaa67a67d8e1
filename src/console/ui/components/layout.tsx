import { apiKey, quota } from "../credentials.ts";
import { formatNumber } from "../format.ts";
import { observable, useObservable } from "../observable.ts";
import { serviceInfo, useQuery } from "../queries.ts";
import { Icon, type IconName } from "./icon.tsx";

type Theme = "system" | "light" | "dark";

const STORAGE_KEY = "casefile.theme";

const stored = (): Theme => {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
};

const theme = observable<Theme>(stored());

/** Remembers the theme on this device. */
function setTheme(next: Theme): void {
  const { dataset } = document.documentElement;
  if (next === "system") delete dataset.theme;
  else dataset.theme = next;
  try {
    if (next === "system") localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // Storage is blocked: the theme applies to this page only.
  }
  theme.set(next);
}

const NAVIGATION = [
  ["", "/", "Look up"],
  ["studies", "/studies", "Case studies"],
  ["companies", "/companies", "Vendors"],
  ["compare", "/compare", "Compare"],
] as const;

const THEMES: readonly (readonly [Theme, IconName, string])[] = [
  ["system", "half", "System"],
  ["light", "sun", "Light"],
  ["dark", "moon", "Dark"],
];

/** `area` is the first segment of the address; undefined for a page that does not exist. */
export function Header({ area }: { readonly area: string | undefined }) {
  return (
    <header class="top">
      <div class="top-inner">
        <a class="wordmark" href="/">
          <Icon name="folder" />
          <span>Casefile</span>
        </a>
        <nav aria-label="Main">
          <ul>
            {NAVIGATION.map(([name, href, text]) => (
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
  const text = key === null ? "Get a key" : left === null ? "API key" : `${formatNumber(left.remaining)} left`;
  return (
    <a
      class={key === null ? "button small primary key-link" : "button small key-link"}
      href="/key"
      aria-current={current ? "page" : undefined}
      aria-label={
        key !== null && left !== null ? `API key: ${text} of ${formatNumber(left.limit)} this month` : undefined
      }
    >
      <Icon name="key" />
      {text}
    </a>
  );
}

function ThemeSwitch() {
  const current = useObservable(theme);
  const index = THEMES.findIndex(([name]) => name === current);
  const [, icon, text] = THEMES[index] ?? THEMES[0]!;
  const [next] = THEMES[(index + 1) % THEMES.length]!;
  return (
    <button
      type="button"
      class="button small quiet square"
      onClick={() => setTheme(next)}
      aria-label={`Colour theme: ${text}. Change theme.`}
      title={`Colour theme: ${text}`}
    >
      <Icon name={icon} />
    </button>
  );
}

export function Footer() {
  const [result] = useQuery(serviceInfo, []);
  return (
    <footer class="bottom">
      <div class="bottom-inner">
        <p>
          {result.state === "loaded" ? `Casefile ${result.data.version}` : "Casefile"} is self-hosted. This console
          loads nothing from other servers and sends no telemetry.
        </p>
        <nav aria-label="More">
          <ul>
            <li>
              <a href="/docs">API reference</a>
            </li>
            <li>
              <a href="/submit">Submit case studies</a>
            </li>
            <li>
              <a href="/operator">Operator</a>
            </li>
          </ul>
        </nav>
      </div>
    </footer>
  );
}
