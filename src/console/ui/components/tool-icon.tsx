import { useState } from "preact/hooks";
import type { BrandIcons } from "../../icons/types.ts";
import { request } from "../api-client.ts";
import { useCompanyIcon } from "../company-icons.ts";
import { observable, useObservable } from "../observable.ts";
import { serviceInfo, useQuery } from "../queries.ts";

const icons = observable<BrandIcons | null>(null);
let requested = false;

/** Loads the brand icons once, after the page; until then, and without them, tools have monograms. */
function loadIcons(): void {
  if (requested) return;
  requested = true;
  const url = new URL("icons.json", import.meta.url);
  request<BrandIcons>(url.pathname).then(icons.set, () => {
    requested = false;
  });
}

/** Index of each category's area, from 1 as in the CSS; 0 for an unknown category. */
export function useAreas(): ReadonlyMap<string, number> {
  const [result] = useQuery(serviceInfo, []);
  return result.state === "loaded" ? areasOf(result.data.areas) : NO_AREAS;
}

const NO_AREAS: ReadonlyMap<string, number> = new Map();
let areasByCategory: ReadonlyMap<string, number> | undefined;

function areasOf(areas: readonly { readonly categories: readonly string[] }[]): ReadonlyMap<string, number> {
  areasByCategory ??= new Map(
    areas.flatMap(({ categories }, index) => categories.map((label) => [label, index + 1] as const)),
  );
  return areasByCategory;
}

interface ToolIconProps {
  readonly tool: string;
  /** Decides the hue of a monogram. */
  readonly category: string;
  readonly large?: boolean;
}

/** The identity of a tool: its brand icon on a tint of its colour, else its initial on the hue of its area. */
export function ToolIcon({ tool, category, large = false }: ToolIconProps) {
  loadIcons();
  const known = useObservable(icons);
  const area = useAreas().get(category) ?? 0;
  const [hex, path] = known?.icons[known.tools[tool] ?? -1] ?? [];
  const name = large ? "tool-tile large" : "tool-tile";
  if (hex === undefined || path === undefined) return <Monogram name={tool} class={`${name} area-${area}`} />;
  return (
    <span class={name} style={{ "--hue": `#${hex}` }} aria-hidden="true">
      <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d={path} />
      </svg>
    </span>
  );
}

const Monogram = ({ name, class: className }: { readonly name: string; readonly class: string }) => (
  <span class={className} aria-hidden="true">
    {(/[\p{L}\p{N}]/u.exec(name)?.[0] ?? "?").toUpperCase()}
  </span>
);

interface CompanyIconProps {
  /** Empty where none is known. */
  readonly domain: string;
  /** What the company is called, where that is not its domain. */
  readonly name?: string;
  readonly large?: boolean;
}

/** The company's own icon where one is stored, else its initial on a hue of its own, which is the same everywhere. */
export function CompanyIcon({ domain, name = domain, large = false }: CompanyIconProps) {
  const icon = useCompanyIcon(domain);
  const tile = large ? "tool-tile large" : "tool-tile";
  // A file that is no image after all leaves the initial.
  const [failed, setFailed] = useState(false);
  if (!icon || failed) return <Monogram name={name} class={`${tile} area-${hueOf(name)}`} />;
  return (
    <span class={`${tile} company-tile`} aria-hidden="true">
      <img src={icon} alt="" decoding="async" onError={() => setFailed(true)} />
    </span>
  );
}

function hueOf(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return (sum % 9) + 1;
}
