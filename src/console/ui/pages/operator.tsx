import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useObservable } from "../observable.ts";
import { Backups } from "../operator/backups.tsx";
import { OperatorCompanies } from "../operator/companies.tsx";
import { CompanyEdit } from "../operator/company-edit.tsx";
import { FingerprintPage } from "../operator/fingerprint.tsx";
import { Fingerprints } from "../operator/fingerprints.tsx";
import { Jobs } from "../operator/jobs.tsx";
import { Keys } from "../operator/keys.tsx";
import { Mails } from "../operator/mails.tsx";
import { Models } from "../operator/models.tsx";
import { Overview } from "../operator/overview.tsx";
import { ReviewDetail } from "../operator/review/detail.tsx";
import { ReviewList } from "../operator/review/list.tsx";
import { Scans } from "../operator/scans.tsx";
import { checkSession, signOut } from "../operator/session.ts";
import { SignIn } from "../operator/sign-in.tsx";
import { signedIn } from "../operator/signed-in.ts";
import { Sources } from "../operator/sources.tsx";
import { SubmissionPage } from "../operator/submission.tsx";
import { Submissions } from "../operator/submissions.tsx";
import { useDeed } from "../operator/use-deed.ts";
import { Watches } from "../operator/watches.tsx";
import { Webhooks } from "../operator/webhooks.tsx";
import { Fault } from "../parts/fault.tsx";
import { Loading } from "../parts/states.tsx";
import { useTitle } from "../router.ts";
import { NotFound } from "./not-found.tsx";

interface PartProps {
  readonly id: string;
  readonly query: URLSearchParams;
}

type Part = readonly [string, string, (props: PartProps) => ComponentChildren];

/** By what one has in mind when one comes; the name is the place in the address. */
const GROUPS: readonly (readonly [string, readonly Part[]])[] = [
  ["Now", [["", "Overview", () => <Overview />]]],
  [
    "Case studies",
    [
      [
        "submissions",
        "Submissions",
        ({ id, query }) => (id ? <SubmissionPage id={id} /> : <Submissions query={query} />),
      ],
      ["studies", "Review", ({ id, query }) => (id ? <ReviewDetail id={id} /> : <ReviewList query={query} />)],
      [
        "companies",
        "Companies",
        ({ id, query }) => (id ? <CompanyEdit slug={id} /> : <OperatorCompanies query={query} />),
      ],
      ["models", "Models", () => <Models />],
    ],
  ],
  [
    "Detection",
    [
      ["scans", "Scans", () => <Scans />],
      ["watches", "Watches", ({ query }) => <Watches query={query} />],
      ["sources", "Sources", () => <Sources />],
      [
        "fingerprints",
        "Fingerprints",
        ({ id, query }) => (id ? <FingerprintPage tool={id} /> : <Fingerprints query={query} />),
      ],
    ],
  ],
  [
    "Service",
    [
      ["jobs", "Work", ({ query }) => <Jobs query={query} />],
      ["mails", "Mails", ({ query }) => <Mails query={query} />],
      ["webhooks", "Webhooks", () => <Webhooks />],
      ["keys", "Keys", () => <Keys />],
      ["backups", "Backups", () => <Backups />],
    ],
  ],
];
const PARTS = GROUPS.flatMap(([, parts]) => parts);

export function Operator({ id: path, query }: PartProps) {
  const inside = useObservable(signedIn);
  const deed = useDeed();
  useEffect(() => {
    if (inside === null) void deed.run(checkSession);
  }, []);
  const [name = "", ...rest] = path.split("/");
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen the list scrolls sideways, and where one is may be out of sight.
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (nav.current && here) nav.current.scrollLeft = here.offsetLeft - nav.current.clientWidth / 3;
  }, [name, inside]);
  const part = PARTS.find(([each]) => each === name);
  useTitle(inside && part ? `${part[1]} · Operator` : "Operator");
  if (deed.refusal && inside === null) return <Fault refusal={deed.refusal} again={() => deed.run(checkSession)} />;
  if (inside === null) return <Loading />;
  if (!inside) return <SignIn />;
  if (!part) return <NotFound />;
  const [, title, show] = part;
  return (
    <div class="operator">
      <nav class="operator-nav" aria-label="Operator" ref={nav}>
        {GROUPS.map(([group, parts]) => (
          <section key={group}>
            <h2>{group}</h2>
            <ul>
              {parts.map(([each, text]) => (
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
          </section>
        ))}
      </nav>
      <div class="operator-page">
        <div class="page-head">
          <div>
            <p class="kicker">Operator</p>
            <h1>{title}</h1>
          </div>
          <button type="button" class="button small" onClick={() => deed.run(signOut)}>
            Sign out
          </button>
        </div>
        {show({ id: rest.join("/"), query })}
      </div>
    </div>
  );
}
