import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useObservable } from "../observable.ts";
import { Backups } from "../operator/backups.tsx";
import { Fingerprints } from "../operator/fingerprints.tsx";
import { Jobs } from "../operator/jobs.tsx";
import { Keys } from "../operator/keys.tsx";
import { Overview } from "../operator/overview.tsx";
import { Review } from "../operator/review.tsx";
import { Scans } from "../operator/scans.tsx";
import { checkSession, signOut } from "../operator/session.ts";
import { SignIn } from "../operator/sign-in.tsx";
import { signedIn } from "../operator/signed-in.ts";
import { SubmissionPage } from "../operator/submission.tsx";
import { Submissions } from "../operator/submissions.tsx";
import { useDeed } from "../operator/use-deed.ts";
import { Fault } from "../parts/fault.tsx";
import { Loading } from "../parts/states.tsx";
import { useTitle } from "../router.ts";
import { NotFound } from "./not-found.tsx";

interface PartProps {
  readonly id: string;
  readonly query: URLSearchParams;
}

const PARTS: readonly (readonly [string, string, (props: PartProps) => ComponentChildren])[] = [
  ["", "Overview", () => <Overview />],
  ["submissions", "Submissions", ({ id, query }) => (id ? <SubmissionPage id={id} /> : <Submissions query={query} />)],
  ["studies", "Review", ({ id, query }) => <Review id={id} query={query} />],
  ["jobs", "Work", ({ query }) => <Jobs query={query} />],
  ["keys", "Keys", () => <Keys />],
  ["scans", "Scans", () => <Scans />],
  ["fingerprints", "Fingerprints", () => <Fingerprints />],
  ["backups", "Backups", () => <Backups />],
];

export function Operator({ id: path, query }: PartProps) {
  const inside = useObservable(signedIn);
  const deed = useDeed();
  useEffect(() => {
    if (inside === null) void deed.run(checkSession);
  }, []);
  const [name = "", ...rest] = path.split("/");
  const part = PARTS.find(([each]) => each === name);
  useTitle(inside && part ? `${part[1]} · Operator` : "Operator");
  if (deed.refusal && inside === null) return <Fault refusal={deed.refusal} again={() => deed.run(checkSession)} />;
  if (inside === null) return <Loading />;
  if (!inside) return <SignIn />;
  if (!part) return <NotFound />;
  const [, title, show] = part;
  return (
    <>
      <div class="page-head">
        <div>
          <p class="kicker">Operator</p>
          <h1>{title}</h1>
        </div>
        <button type="button" class="button small" onClick={() => deed.run(signOut)}>
          Sign out
        </button>
      </div>
      <nav class="tabs" aria-label="Operator">
        <ul>
          {PARTS.map(([each, text]) => (
            <li key={each}>
              <a
                href={each === "" ? "/operator" : `/operator/${each}`}
                aria-current={each === name ? "page" : undefined}
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {show({ id: rest.join("/"), query })}
    </>
  );
}
