import { useState } from "preact/hooks";
import type { Level } from "../../../detection/levels.ts";
import type { Enrichment, ServiceInfo } from "../api-types.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { DomainForm } from "../components/domain-form.tsx";
import { Icon } from "../components/icon.tsx";
import { Empty, ErrorPanel, Loading, QueryResult } from "../components/status.tsx";
import { formatDuration, formatTime, pluralise } from "../format.ts";
import { serviceInfo, useQuery } from "../queries.ts";
import { navigate, urlFor, useTitle } from "../router.ts";
import { ChangesPanel, Coverage } from "./coverage.tsx";
import { EvidenceDrawer } from "./evidence.tsx";
import { curlCommand, exportCsv, exportJson } from "./export.ts";
import { atLevel, LEVELS, PHASES, type Scan, useScan } from "./scan.ts";
import { OtherThirdParties } from "./third-parties.tsx";
import { Tools } from "./tools.tsx";

const PHASE_TEXTS: Readonly<Record<(typeof PHASES)[number], readonly [string, string]>> = {
  identity: ["Identity", "email and sign-in records"],
  website: ["Website", "pages and scripts"],
  hosting: ["Hosting", "networks and certificates"],
  subdomains: ["Subdomains", "aliases of hosted services"],
  hiring: ["Hiring", "job boards"],
  disclosures: ["Disclosures", "privacy and sub-processors"],
};

/** The progress of a scan by phase. */
function Phases({ scan }: { readonly scan: Scan }) {
  const current = scan.phase === null ? PHASES.length : PHASES.indexOf(scan.phase);
  const running = PHASES[current];
  return (
    <>
      <ol class="phases">
        {PHASES.map((phase, index) => {
          const state = index < current ? "done" : index === current ? "now" : "waiting";
          const [name, about] = PHASE_TEXTS[phase];
          return (
            <li key={phase} class={`phase ${state}`} aria-current={state === "now" ? "step" : undefined}>
              <span class="phase-dot">{state === "done" && <Icon name="check" />}</span>
              <span class="phase-name">{name}</span>
              <span class="phase-about">{(scan.found[phase] ?? 0) > 0 ? `${scan.found[phase]} found` : about}</span>
              <span class="visually-hidden">
                {state === "done" ? " done" : state === "now" ? " running" : " waiting"}
              </span>
            </li>
          );
        })}
      </ol>
      <p class="visually-hidden" role="status">
        {running
          ? `Scanning ${PHASE_TEXTS[running][1]}: ${scan.tools.length} tools so far.`
          : `${scan.tools.length} tools detected.`}
      </p>
    </>
  );
}

interface PageProps {
  readonly id: string;
  readonly query: URLSearchParams;
}

export function Lookup({ id: domain, query }: PageProps) {
  useTitle(domain);
  const [result, reload] = useQuery(serviceInfo, []);
  return (
    <QueryResult result={result} retry={reload}>
      {(info) => <LookupResult domain={domain} query={query} info={info} />}
    </QueryResult>
  );
}

interface LookupProps {
  readonly domain: string;
  readonly query: URLSearchParams;
  readonly info: ServiceInfo;
}

function LookupResult({ domain, query, info }: LookupProps) {
  const example = info.examples.includes(domain);
  const [turn, setTurn] = useState(0);
  const [level, setLevel] = useState<Level>("likely");
  const whole = useScan(domain, example, turn);
  const result = whole.result && atLevel(whole.result, level);
  const scan = result ? { ...whole, result, tools: result.tools } : whole;
  const rescan = () => setTurn((before) => before + 1);
  return (
    <>
      <div class="page-head">
        <div>
          <p class="kicker">{example ? "Recorded scan of a fictional company" : "Tools"}</p>
          <h1>{domain}</h1>
          <Status scan={scan} />
        </div>
        {result && <Actions result={result} level={level} example={example} onRescan={rescan} />}
      </div>
      {scan.error ? (
        <>
          <ErrorPanel error={scan.error} retry={rescan} />
          {[404, 422].includes(scan.error.status) && <DomainForm initial={domain} />}
          <Tools tools={scan.tools} areas={info.areas} onOpen={() => {}} />
        </>
      ) : (
        <ScanResult domain={domain} query={query} info={info} scan={scan} level={level} onLevel={setLevel} />
      )}
    </>
  );
}

function Status({ scan: { result, tools, phase } }: { readonly scan: Scan }) {
  if (result) {
    return (
      <p class="faint">
        {pluralise(result.tools_detected, "tool")}
        {result.scanned_at && ` · scanned ${formatTime(result.scanned_at)}`}
        {result.duration_ms !== undefined && ` · ${formatDuration(result.duration_ms)}`}
        {result.stale ? " · stale" : result.cached && " · cached"}
      </p>
    );
  }
  const found = pluralise(tools.length, "tool");
  if (phase !== null) return <p class="faint">Scanning… {found} so far</p>;
  return tools.length > 0 ? (
    <p class="faint">{found} detected before the scan was interrupted, shown without evidence</p>
  ) : null;
}

interface ActionsProps {
  readonly result: Enrichment;
  readonly level: Level;
  readonly example: boolean;
  readonly onRescan: () => void;
}

const Actions = ({ result, level, example, onRescan }: ActionsProps) => (
  <div class="actions">
    {!example && (
      <button type="button" class="button small" onClick={onRescan}>
        <Icon name="reload" />
        Rescan
      </button>
    )}
    <button type="button" class="button small" onClick={() => exportCsv(result)}>
      <Icon name="down" />
      CSV
    </button>
    <button type="button" class="button small" onClick={() => exportJson(result)}>
      <Icon name="down" />
      JSON
    </button>
    <CopyButton text={curlCommand(result.domain, level)} what="command" label="Copy as curl" />
  </div>
);

interface ScanResultProps extends LookupProps {
  readonly scan: Scan;
  readonly level: Level;
  readonly onLevel: (level: Level) => void;
}

const LEVEL_TEXTS: Readonly<Record<Level, string>> = {
  confirmed: "Confirmed only",
  likely: "Likely and confirmed",
  possible: "Possible too",
};

function LevelFilter({ level, onLevel }: Pick<ScanResultProps, "level" | "onLevel">) {
  return (
    <div class="labelled">
      <label for="level">Level</label>
      <select
        id="level"
        value={level}
        onChange={({ currentTarget: { value } }) => onLevel(LEVELS.find((each) => each === value) ?? level)}
      >
        {LEVELS.map((each) => (
          <option key={each} value={each}>
            {LEVEL_TEXTS[each]}
          </option>
        ))}
      </select>
    </div>
  );
}

function ScanResult({ domain, query, info, scan, level, onLevel }: ScanResultProps) {
  const [filter, setFilter] = useState("");
  const { result, tools } = scan;
  const text = filter.trim().toLowerCase();
  const shown =
    text === "" ? tools : tools.filter((tool) => `${tool.tool} ${tool.category}`.toLowerCase().includes(text));
  const open = (tool: string | undefined) =>
    navigate(urlFor(`/lookup/${encodeURIComponent(domain)}`, { tool }), { replace: true });
  const opened = tools.find(({ tool }) => tool === query.get("tool"));
  return (
    <>
      {result?.stale ? (
        <p class="note" role="status">
          This stored result could not be renewed. {result.stale_reason}
        </p>
      ) : (
        <Phases scan={scan} />
      )}
      {result && (
        <div class="filter">
          <LevelFilter level={level} onLevel={onLevel} />
          <div class="labelled">
            <label for="filter">Filter</label>
            <input
              id="filter"
              type="search"
              placeholder="Tool or category"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
          </div>
          <span class="faint" role="status">
            {text === "" ? "" : `${shown.length} of ${tools.length}`}
          </span>
        </div>
      )}
      {tools.length === 0 && !result && <Loading lines={5} label="Scanning" />}
      <Tools tools={shown} areas={info.areas} onOpen={open} />
      {result && tools.length === 0 && (
        <Empty title={level === "confirmed" ? "No confirmed tools" : "No tools found"}>
          <p>The domain may be parked or new. The coverage below shows what was checked.</p>
        </Empty>
      )}
      {text !== "" && shown.length === 0 && <p>No tool or category matches “{filter}”.</p>}
      {result?.scanned_at && <ChangesPanel domain={result.domain} scannedAt={result.scanned_at} />}
      {result?.third_parties && result.third_parties.length > 0 && (
        <OtherThirdParties parties={result.third_parties} signals={info.signals} />
      )}
      {result?.sources && <Coverage sources={result.sources} />}
      {opened?.evidence && result?.scanned_at && (
        <EvidenceDrawer
          tool={opened}
          domain={result.domain}
          scannedAt={result.scanned_at}
          signals={info.signals}
          onClose={() => open(undefined)}
        />
      )}
    </>
  );
}
