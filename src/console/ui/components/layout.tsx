import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { apiKey, quota } from "../credentials.ts";
import { recentDomains } from "../device-lists.ts";
import { formatNumber, formatSpan } from "../format.ts";
import { useObservable } from "../observable.ts";
import { serviceInfo, useQuery } from "../queries.ts";
import { urlFor } from "../router.ts";
import { isTyping } from "./docked-panel.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { setTheme, type Theme, theme } from "./theme.ts";

const NAVIGATION = [
  ["", "/", "Companies"],
  ["tools", "/tools", "Tools"],
  ["lists", "/lists", "Lists"],
  ["query", "/query", "Query"],
  ["studies", "/studies", "Case studies"],
  ["companies", "/companies", "Vendors"],
  ["compare", "/compare", "Compare vendors"],
] as const;

const MORE = [
  ["docs", "/docs", "API reference"],
  ["submit", "/submit", "Submit case studies"],
  ["operator", "/operator", "Operator"],
] as const;

const THEMES: readonly (readonly [Theme, IconName, string])[] = [
  ["system", "half", "System"],
  ["light", "sun", "Light"],
  ["dark", "moon", "Dark"],
];

interface NavigationProps {
  /** The first segment of the address; undefined for a page that does not exist. */
  readonly area: string | undefined;
  /** Changes with every page; closes the menu of a phone. */
  readonly address: string;
}

/** The column at the left; on a phone a bar at the top with a menu. */
export function Navigation({ area, address }: NavigationProps) {
  const tallies = useTallies();
  const [open, setOpen] = useState(false);
  const [searching, setSearching] = useState(false);
  useEffect(() => setOpen(false), [address]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape") setOpen(false);
      if (event.defaultPrevented || event.altKey) return;
      const shortcut = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k";
      const slash = event.key === "/" && !event.metaKey && !event.ctrlKey && !isTyping(event.target);
      if (!shortcut && !slash) return;
      event.preventDefault();
      setSearching(true);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const search = () => setSearching(true);
  return (
    <header class={open ? "rail open" : "rail"}>
      <a class="wordmark" href="/">
        Casefile
      </a>
      <button type="button" class="button quiet square rail-find" aria-label="Search" onClick={search}>
        <Icon name="search" />
      </button>
      <button
        type="button"
        class="button quiet square rail-menu"
        aria-label="Menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? "close" : "menu"} />
      </button>
      <button type="button" class="rail-search" onClick={search}>
        Search
        <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <div class="rail-body">
        <nav aria-label="Main">
          <Links links={NAVIGATION} area={area === "lookup" ? "" : area} tallies={tallies} />
        </nav>
        <Recent address={address} />
        <div class="rail-foot">
          <nav aria-label="More">
            <Links links={MORE} area={area} />
          </nav>
          <KeyLink current={area === "key"} />
          <div class="rail-foot-row">
            <Version />
            <ThemeSwitch />
          </div>
        </div>
      </div>
      {searching && <LazyPalette onClose={() => setSearching(false)} />}
    </header>
  );
}

type Palette = (props: { readonly onClose: () => void }) => ComponentChildren;

/** The palette is loaded when it is first opened. */
function LazyPalette({ onClose }: { readonly onClose: () => void }) {
  const [loaded, setLoaded] = useState<{ readonly Palette: Palette } | null>(null);
  useEffect(() => {
    let shown = true;
    import("./palette.tsx").then(
      ({ Palette }) => shown && setLoaded({ Palette }),
      // Offline, or the service was updated: the page itself still works.
      () => shown && onClose(),
    );
    return () => {
      shown = false;
    };
  }, []);
  return loaded && <loaded.Palette onClose={onClose} />;
}

interface LinksProps {
  readonly links: readonly (readonly [name: string, href: string, text: string])[];
  readonly area: string | undefined;
  /** Sizes of the lists by name. */
  readonly tallies?: Readonly<Record<string, number>>;
}

function useTallies(): Readonly<Record<string, number>> {
  const [result] = useQuery(serviceInfo, []);
  if (result.state !== "loaded") return {};
  const { domains_enriched, tools, case_studies, companies } = result.data.stats;
  return { "": domains_enriched, tools, studies: case_studies, companies };
}

const Links = ({ links, area, tallies = {} }: LinksProps) => (
  <ul>
    {links.map(([name, href, text]) => (
      <li key={name}>
        <a href={href} aria-current={area === name ? "page" : undefined}>
          {text}
          {tallies[name] !== undefined && <span class="tally">{formatNumber(tallies[name])}</span>}
        </a>
      </li>
    ))}
  </ul>
);

function Recent({ address }: { readonly address: string }) {
  const domains = useObservable(recentDomains);
  if (domains.length === 0) return null;
  return (
    <nav class="recent" aria-labelledby="recent">
      <h2 id="recent">Recent</h2>
      <ul>
        {domains.map((domain) => {
          const href = `/lookup/${encodeURIComponent(domain)}`;
          return (
            <li key={domain}>
              <a href={href} aria-current={address === href ? "page" : undefined}>
                <span>{domain}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function KeyLink({ current }: { readonly current: boolean }) {
  const key = useObservable(apiKey);
  const left = useObservable(quota);
  if (key === null) {
    const from = current ? undefined : location.pathname + location.search;
    return (
      <a
        class="button small primary"
        href={urlFor("/key", { from })}
        aria-current={current ? "page" : undefined}
        // The address may have changed since the last rendering.
        onClick={(event) => {
          if (current) return;
          event.currentTarget.href = urlFor("/key", { from: location.pathname + location.search });
        }}
      >
        <Icon name="key" />
        Get a key
      </a>
    );
  }
  return (
    <a class="quota" href="/key" aria-current={current ? "page" : undefined}>
      {left === null
        ? "API key"
        : `API key: ${formatNumber(left.remaining)} requests left, resets in ${formatSpan(left.reset)}`}
    </a>
  );
}

function Version() {
  const [result] = useQuery(serviceInfo, []);
  return <span class="faint">{result.state === "loaded" ? `Casefile ${result.data.version}` : "Casefile"}</span>;
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
