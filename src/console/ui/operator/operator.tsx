import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Action } from "../../../accounts/roles.ts";
import { Guarded } from "../components/guarded.tsx";
import { ErrorPanel, Loading } from "../components/status.tsx";
import { signedIn } from "../credentials.ts";
import { capitalised } from "../format.ts";
import { NotFound } from "../not-found.tsx";
import { useObservable } from "../observable.ts";
import { useMutation } from "../queries.ts";
import { useTitle } from "../router.ts";
import { caller, checkSession } from "../session.ts";
import { Audit } from "./audit.tsx";
import { Backups } from "./backups.tsx";
import { DataSources } from "./data-sources.tsx";
import { Emails } from "./emails.tsx";
import { FingerprintList, FingerprintPage } from "./fingerprints.tsx";
import { Jobs } from "./jobs.tsx";
import { Keys } from "./keys.tsx";
import { Models } from "./models.tsx";
import { Nodes } from "./nodes.tsx";
import { Operators } from "./operators.tsx";
import { Overview } from "./overview.tsx";
import { StudyReviewPage } from "./review/detail.tsx";
import { ReviewList } from "./review/list.tsx";
import { Scans } from "./scans.tsx";
import { Sessions } from "./sessions.tsx";
import { LinkSignIn, SignIn, signOut, takeLink } from "./sign-in.tsx";
import { SubmissionList, SubmissionPage } from "./submissions.tsx";
import { OperatorVendors, VendorEdit } from "./vendors.tsx";
import { Watches } from "./watches.tsx";
import { Webhooks } from "./webhooks.tsx";

interface OperatorProps {
  readonly id: string;
  readonly query: URLSearchParams;
}

interface OperatorPage {
  /** Segment of the address below `/operator/`. */
  readonly name: string;
  readonly title: string;
  /** What its list needs; the navigation leaves out what a role may not see. Without it, every role may. */
  readonly reads?: Action;
  /** What its controls do: a role that may not do it gets a note in their place. */
  readonly changes?: Action;
  readonly show: (props: OperatorProps) => ComponentChildren;
}

const NAVIGATION: readonly { readonly group: string; readonly pages: readonly OperatorPage[] }[] = [
  { group: "Status", pages: [{ name: "", title: "Overview", show: ({ query }) => <Overview query={query} /> }] },
  {
    group: "Case studies",
    pages: [
      {
        name: "submissions",
        title: "Submissions",
        changes: "POST /admin/submissions/:id/approve",
        show: ({ id, query }) => (id ? <SubmissionPage id={id} /> : <SubmissionList query={query} />),
      },
      {
        name: "studies",
        title: "Review",
        changes: "PATCH /admin/casestudies/:id",
        show: ({ id, query }) => (id ? <StudyReviewPage id={id} /> : <ReviewList query={query} />),
      },
      {
        name: "companies",
        title: "Vendors",
        changes: "PATCH /admin/companies/:slug",
        show: ({ id, query }) => (id ? <VendorEdit slug={id} /> : <OperatorVendors query={query} />),
      },
      { name: "models", title: "Models", changes: "POST /admin/models/:name/use", show: () => <Models /> },
    ],
  },
  {
    group: "Detection",
    pages: [
      { name: "scans", title: "Scans", show: () => <Scans /> },
      {
        name: "watches",
        title: "Watches",
        changes: "PUT /admin/watches/:domain",
        show: ({ query }) => <Watches query={query} />,
      },
      { name: "sources", title: "Data sources", show: () => <DataSources /> },
      {
        name: "fingerprints",
        title: "Fingerprints",
        changes: "POST /admin/feedback",
        show: ({ id, query }) => (id ? <FingerprintPage tool={id} /> : <FingerprintList query={query} />),
      },
    ],
  },
  {
    group: "Service",
    pages: [
      {
        name: "jobs",
        title: "Jobs",
        changes: "POST /admin/jobs/:id/retry",
        show: ({ query }) => <Jobs query={query} />,
      },
      { name: "mails", title: "Emails", show: ({ query }) => <Emails query={query} /> },
      { name: "webhooks", title: "Webhooks", reads: "GET /admin/webhooks", show: () => <Webhooks /> },
      { name: "keys", title: "Keys", changes: "DELETE /admin/keys/:key", show: () => <Keys /> },
      { name: "nodes", title: "Nodes", show: () => <Nodes /> },
      { name: "backups", title: "Backups", changes: "POST /admin/backup", show: () => <Backups /> },
    ],
  },
  {
    group: "Access",
    pages: [
      { name: "operators", title: "Operators", reads: "GET /admin/operators", show: () => <Operators /> },
      { name: "sessions", title: "Sessions", reads: "GET /admin/sessions", show: () => <Sessions /> },
      { name: "audit", title: "Audit trail", reads: "GET /admin/audit", show: ({ query }) => <Audit query={query} /> },
    ],
  },
];
const PAGES = NAVIGATION.flatMap(({ pages }) => pages);

export function Operator({ id: path, query }: OperatorProps) {
  const isSignedIn = useObservable(signedIn);
  const operator = useObservable(caller);
  const [link, setLink] = useState(takeLink);
  const mutation = useMutation();
  // A link that is pasted into this tab changes only the fragment.
  useEffect(() => {
    const changed = () => setLink((before) => takeLink() ?? before);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  useEffect(() => {
    if (isSignedIn === null || operator === null) void mutation.run(checkSession);
  }, []);
  const [name = "", ...rest] = path.split("/");
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen the navigation scrolls sideways: bring the current page into view.
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (nav.current && current) nav.current.scrollLeft = current.offsetLeft - nav.current.clientWidth / 3;
  }, [name, isSignedIn]);
  const page = PAGES.find((each) => each.name === name);
  useTitle(isSignedIn && page ? `${page.title} · Operator` : "Operator");
  if (mutation.error && isSignedIn === null)
    return <ErrorPanel error={mutation.error} retry={() => mutation.run(checkSession)} />;
  if (link !== null) return <LinkSignIn link={link} onDone={() => setLink(null)} />;
  if (isSignedIn === null) return <Loading />;
  if (!isSignedIn) return <SignIn query={query} />;
  if (!operator) return <Loading />;
  if (!page) return <NotFound />;
  const groups = NAVIGATION.map(({ group, pages }) => ({
    group,
    pages: pages.filter(({ reads }) => reads === undefined || operator.refused[reads] === undefined),
  })).filter(({ pages }) => pages.length > 0);
  return (
    <div class="operator">
      <nav class="operator-nav" aria-label="Operator" ref={nav}>
        {groups.map(({ group, pages }) => (
          <section key={group}>
            <h2>{group}</h2>
            <ul>
              {pages.map((each) => (
                <li key={each.name}>
                  <a
                    href={each.name === "" ? "/operator" : `/operator/${each.name}`}
                    aria-current={each === page ? "page" : undefined}
                  >
                    {each.title}
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
            <p class="kicker">
              {capitalised(operator.name)}
              {operator.role === "admin" ? "" : `, ${operator.role}`} · times in UTC
            </p>
            <h1>{page.title}</h1>
          </div>
          <button type="button" class="button small" onClick={() => mutation.run(signOut)}>
            Sign out
          </button>
        </div>
        {page.changes && operator.refused[page.changes] && (
          <p class="hint">
            You can look but not change anything here: that needs the role {operator.refused[page.changes]}, and yours
            is {operator.role}.
          </p>
        )}
        <Guarded key={path}>{page.show({ id: rest.join("/"), query })}</Guarded>
      </div>
    </div>
  );
}
