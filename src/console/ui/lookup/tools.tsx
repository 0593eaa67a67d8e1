import type { ServiceInfo, Tool } from "../api-types.ts";
import { formatPercent, humanise } from "../format.ts";

interface ToolsProps {
  readonly tools: readonly Tool[];
  readonly areas: ServiceInfo["areas"];
  readonly onOpen: (tool: string) => void;
}

const OTHER = "other";

/** Tools grouped by area and category. */
export function Tools({ tools, areas, onOpen }: ToolsProps) {
  const areaOf = new Map(areas.flatMap(({ area, categories }) => categories.map((label) => [label, area] as const)));
  const grouped = Map.groupBy(tools, ({ category }) => areaOf.get(category) ?? OTHER);
  const order = [...areas.map(({ area }) => area), OTHER].filter((area) => grouped.has(area));
  return (
    <div class="areas">
      {order.map((area) => (
        <section key={area} class="area" aria-labelledby={`area-${area.replaceAll(" ", "-")}`}>
          <h2 id={`area-${area.replaceAll(" ", "-")}`}>
            {area === OTHER ? "Other" : humanise(area)} <span class="count">{grouped.get(area)?.length}</span>
          </h2>
          <dl>
            {[...Map.groupBy(grouped.get(area) ?? [], ({ category }) => category)].map(([category, named]) => (
              <div key={category} class="category">
                <dt>{category}</dt>
                {named.map((tool) => (
                  <dd key={tool.tool}>
                    <ToolRow tool={tool} onOpen={onOpen} />
                  </dd>
                ))}
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

function ToolRow({ tool, onOpen }: Pick<ToolsProps, "onOpen"> & { readonly tool: Tool }) {
  if (tool.confidence === undefined) return <span class="tool-row arriving">{tool.tool}</span>;
  return (
    <button type="button" class="tool-row" aria-haspopup="dialog" onClick={() => onOpen(tool.tool)}>
      <span class="tool-name">
        {tool.tool}
        {tool.version && <span class="faint"> {tool.version}</span>}
      </span>
      <Confidence value={tool.confidence} />
      <span class="visually-hidden">, {tool.evidence?.length ?? 0} evidence</span>
    </button>
  );
}

/** A confidence of 0–1 as a percentage with five dots. */
export function Confidence({ value }: { readonly value: number }) {
  const filled = Math.max(1, Math.round(value * 5));
  return (
    <span class="confidence">
      <span class="pips" aria-hidden="true">
        {[1, 2, 3, 4, 5].map((pip) => (
          <span key={pip} class={pip <= filled ? "pip lit" : "pip"} />
        ))}
      </span>
      {formatPercent(value)}
      <span class="visually-hidden"> confidence</span>
    </span>
  );
}
