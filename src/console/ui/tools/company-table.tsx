import type { StackDomain } from "../api-types.ts";
import { type Column, DataTable } from "../components/table.tsx";
import { CompanyIcon, ToolIcon } from "../components/tool-icon.tsx";
import { formatDay, formatNumber } from "../format.ts";

const SHOWN_TOOLS = 8;
const since = ({ matched }: StackDomain): string => matched.map((tool) => tool.first_seen).sort()[0] ?? "";

interface CompanyTableProps {
  readonly companies: readonly StackDomain[];
  /** All companies are asked for the same tool: their stack is not repeated in each row. */
  readonly hideStack?: boolean;
}

/** Companies with the tools that were asked for. */
export function CompanyTable({ companies, hideStack = false }: CompanyTableProps) {
  const columns: readonly Column<StackDomain>[] = [
    {
      name: "company",
      title: "Company",
      cell: ({ domain }) => (
        <span class="tool-name">
          <CompanyIcon domain={domain} />
          {domain}
        </span>
      ),
      compare: (one, other) => one.domain.localeCompare(other.domain),
    },
    {
      name: "matched",
      title: "Matching stack",
      cell: ({ matched }) => (
        <span class="tile-row">
          {matched.slice(0, SHOWN_TOOLS).map(({ tool_id, tool, category }) => (
            <a
              key={tool_id}
              href={`/tools/${encodeURIComponent(tool_id)}`}
              title={`${tool} · ${category}`}
              tabIndex={-1}
            >
              <ToolIcon tool={tool} category={category} />
              <span class="visually-hidden">{tool}</span>
            </a>
          ))}
          {matched.length > SHOWN_TOOLS && <span class="faint">+{matched.length - SHOWN_TOOLS}</span>}
        </span>
      ),
    },
    {
      name: "since",
      title: "First seen",
      kind: "middle",
      cell: (row) => (since(row) === "" ? "" : formatDay(since(row))),
      compare: (one, other) => since(one).localeCompare(since(other)),
    },
    {
      name: "tools",
      title: "Tools",
      kind: "number",
      cell: ({ tools_detected }) => formatNumber(tools_detected),
      compare: (one, other) => one.tools_detected - other.tools_detected,
    },
    {
      name: "scanned",
      title: "Last scan",
      kind: "wide",
      cell: ({ scanned_at }) => formatDay(scanned_at),
      compare: (one, other) => one.scanned_at.localeCompare(other.scanned_at),
    },
  ];
  return (
    <DataTable
      label="Companies"
      rows={companies}
      columns={hideStack ? columns.filter(({ name }) => name !== "matched") : columns}
      keyOf={({ domain }) => domain}
      href={({ domain }) => `/lookup/${encodeURIComponent(domain)}`}
    />
  );
}
