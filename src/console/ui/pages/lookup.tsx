import { useState } from "preact/hooks";
import type { Enrichment, Start } from "../api-types.ts";
import { ChangesPanel } from "../lookup/changes.tsx";
import { EvidenceDrawer } from "../lookup/evidence.tsx";
import { curlOf, exportCsv, exportJson } from "../lookup/exports.ts";
import { Phases } from "../lookup/phases.tsx";
import { type Scan, useScan } from "../lookup/scan.ts";
import { Sources } from "../lookup/sources.tsx";
import { Tools } from "../lookup/tools.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Fault } from "../parts/fault.tsx";
import { Icon } from "../parts/icon.tsx";
import { LookUpBox } from "../parts/look-up-box.tsx";
import { Empty, Loading, Told } from "../parts/states.tsx";
import { addressOf, go, useTitle } from "../router.ts";
import { start } from "../start.ts";
import { useAnswer } from "../use-answer.ts";
import { minuteOf, secondsOf, withQuota } from "../wording.ts";

interface PageProps {
  readonly id: string;
  readonly query: URLSearchParams;
}

export function Lookup({ id: domain, query }: PageProps) {
  useTitle(domain);
  const [answer, again] = useAnswer(start, []);
  return (
    <Told answer={answer} again={again}>
      {(told) => <Known domain={domain} query={query} told={told} />}
    </Told>
  );
}

interface KnownProps {
  readonly domain: string;
  readonly query: URLSearchParams;
  readonly told: Start;
}

function Known({ domain, query, told }: KnownProps) {
  const example = told.examples.includes(domain);
  const [turn, lookAgain] = useState(0);
  const scan = useScan(domain, example, turn);
  const anew = () => lookAgain((before) => before + 1);
  return (
    <>
      <div class="page-head">
        <div>
          <p class="kicker">{example ? "A recorded scan of an invented company" : "Tools of"}</p>
          <h1>{domain}</h1>
          <Status scan={scan} />
        </div>
        {scan.result && <Actions result={scan.result} example={example} anew={anew} />}
      </div>
      {scan.refusal ? (
        <>
          <Fault refusal={scan.refusal} again={anew} />
          {[404, 422].includes(scan.refusal.status) && <LookUpBox start={domain} />}
          <Tools tools={scan.tools} areas={told.areas} onOpen={() => {}} />
        </>
      ) : (
        <Progress domain={domain} query={query} told={told} scan={scan} />
      )}
    </>
  );
}

function Status({ scan: { result, tools, phase } }: { readonly scan: Scan }) {
  if (result) {
    return (
      <p class="faint">
        {withQuota(result.tools_detected, "tool")}
        {result.scanned_at && ` · looked at ${minuteOf(result.scanned_at)}`}
        {result.duration_ms !== undefined && ` · took ${secondsOf(result.duration_ms)}`}
        {result.cached && " · from an earlier scan"}
      </p>
    );
  }
  const found = withQuota(tools.length, "tool");
  if (phase !== null) return <p class="faint">Looking… {found} so far</p>;
  return tools.length > 0 ? <p class="faint">{found} found before it broke off, shown without their evidence</p> : null;
}

interface ActionsProps {
  readonly result: Enrichment;
  readonly example: boolean;
  readonly anew: () => void;
}

const Actions = ({ result, example, anew }: ActionsProps) => (
  <div class="actions">
    {!example && (
      <button type="button" class="button small" onClick={anew}>
        <Icon name="again" />
        Look anew
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
    <CopyButton text={curlOf(result.domain)} what="command" label="Copy as curl" />
  </div>
);

function Progress({ domain, query, told, scan }: KnownProps & { readonly scan: Scan }) {
  const [filter, setFilter] = useState("");
  const { result, tools } = scan;
  const named = filter.trim().toLowerCase();
  const shown =
    named === "" ? tools : tools.filter((tool) => `${tool.tool} ${tool.category}`.toLowerCase().includes(named));
  const open = (tool: string | undefined) =>
    go(addressOf(`/lookup/${encodeURIComponent(domain)}`, { tool }), { replace: true });
  const opened = tools.find(({ tool }) => tool === query.get("tool"));
  return (
    <>
      <Phases scan={scan} />
      {result && tools.length > 8 && (
        <div class="filter">
          <label for="filter">Show only</label>
          <input
            id="filter"
            type="search"
            placeholder="a tool or a category"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
          <span class="faint" role="status">
            {named === "" ? "" : `${shown.length} of ${tools.length}`}
          </span>
        </div>
      )}
      {tools.length === 0 && !result && <Loading lines={5} label="Looking" />}
      <Tools tools={shown} areas={told.areas} onOpen={open} />
      {result && tools.length === 0 && (
        <Empty title="No tool was found">
          <p>That happens with domains that are parked or new. What was checked stands below.</p>
        </Empty>
      )}
      {named !== "" && shown.length === 0 && <p>No tool here has “{filter}” in its name or category.</p>}
      {result?.scanned_at && (
        <ChangesPanel domain={result.domain} scannedAt={result.scanned_at} sources={result.sources ?? []} />
      )}
      {result?.sources && <Sources sources={result.sources} />}
      {opened?.evidence && result?.scanned_at && (
        <EvidenceDrawer
          tool={opened}
          domain={result.domain}
          scannedAt={result.scanned_at}
          signals={told.signals}
          onClose={() => open(undefined)}
        />
      )}
    </>
  );
}
