import { useEffect, useState } from "preact/hooks";
import { request, requestWithKey } from "./api-client.ts";
import type { IssuedKey, Usage } from "./api-types.ts";
import { CodeBlock } from "./components/code-block.tsx";
import { Segmented } from "./components/fields.tsx";
import { KeyForm, NewKey, WithoutKey } from "./components/key-form.tsx";
import { Panel, Section } from "./components/panels.tsx";
import { MutationError, QueryResult } from "./components/status.tsx";
import { apiKey, forgetKey, isKeyRemembered, quota, saveKey } from "./credentials.ts";
import { formatNumber, formatPercent, formatSpan } from "./format.ts";
import { useObservable } from "./observable.ts";
import { ConfirmButton } from "./operator/parts.tsx";
import { useMutation, useQuery } from "./queries.ts";
import { navigate, useTitle } from "./router.ts";
import { SAMPLE_LANGUAGES, type SampleLanguage, samples } from "./samples.ts";

function QuickStart() {
  const [language, setLanguage] = useState<SampleLanguage>("curl");
  const code = samples[language](location.origin);
  return (
    <Section title="Quick start">
      <Segmented
        legend="Language"
        name="language"
        value={language}
        onChange={setLanguage}
        options={SAMPLE_LANGUAGES.map((name) => [name, name])}
      />
      <CodeBlock label={`${language} example`} what={`${language} example`} text={code} />
      <p>
        The <a href="/docs">API reference</a> describes every endpoint.
      </p>
    </Section>
  );
}

/** Where the user came from, to go back to with a key: an address of the console, and of nothing else. */
const originOf = (query: URLSearchParams): string | undefined =>
  /^\/(?!\/)[\w./?&=%+,:~-]*$/.exec(query.get("from") ?? "")?.[0];

export function KeyPage({ query }: { readonly query: URLSearchParams }) {
  useTitle("API key");
  const key = useObservable(apiKey);
  const from = originOf(query);
  const [had] = useState(key !== null);
  useEffect(() => {
    if (!had && key !== null && from !== undefined) navigate(from, { replace: true });
  }, [key]);
  return (
    <div class="narrow">
      <h1>{key === null ? "Get a key" : "API key"}</h1>
      {key === null ? (
        <>
          <p class="lead">
            A key is free: you need only an email address, and it works at once. It is shown once and has a monthly
            request limit.
          </p>
          <WithoutKey />
          <section class="panel" aria-label="Get a key">
            <KeyForm />
          </section>
        </>
      ) : (
        <KeyUsage apiKey={key} />
      )}
      <QuickStart />
    </div>
  );
}

function KeyUsage({ apiKey: key }: { readonly apiKey: string }) {
  const [rotated, setRotated] = useState<IssuedKey | null>(null);
  const rotation = useMutation();
  const rotate = () =>
    rotation.run(async () => {
      const issued = await request<IssuedKey>("/v1/keys/rotate", { method: "POST" });
      // Used from now on, whether or not the user copies it: the previous one has stopped.
      saveKey(issued.api_key, isKeyRemembered());
      setRotated(issued);
    });
  const [result, reload] = useQuery(
    async (signal) => {
      const usage = await requestWithKey<Usage>("/console/usage", { signal });
      quota.set({ limit: usage.limit, remaining: usage.remaining, reset: usage.reset_seconds });
      return usage;
    },
    [key],
  );
  if (rotated)
    return (
      <section class="panel" aria-label="New key">
        <p>The previous key no longer works.</p>
        <NewKey issued={rotated} onContinue={() => setRotated(null)} />
      </section>
    );
  return (
    <Panel title="This month">
      <QueryResult result={result} retry={reload} lines={3}>
        {({ email, limit, remaining, reset_seconds }) => (
          <>
            <p class="usage">
              <strong class="big">{formatNumber(limit - remaining)}</strong> of {formatNumber(limit)} requests used
            </p>
            <meter
              class="meter"
              aria-label="Requests used this month"
              min={0}
              max={Math.max(1, limit)}
              value={limit - remaining}
              high={limit * 0.9}
            >
              {formatPercent(limit === 0 ? 1 : (limit - remaining) / limit)}
            </meter>
            <p class="faint">
              The limit resets in {formatSpan(reset_seconds)}. The key ends in <code>{key.slice(-4)}</code> and belongs
              to {email}.
            </p>
          </>
        )}
      </QueryResult>
      <p class="faint">
        In this console, a stored result uses one request, a scan two, a vendor page three, and any other page one.
        Suggestions and the command palette use none.
      </p>
      <p class="faint">
        {isKeyRemembered()
          ? "The key is remembered on this device until you sign out."
          : "The key is removed when you close this tab."}
      </p>
      <MutationError mutation={rotation} />
      <div class="actions">
        <ConfirmButton confirm="Replace key" class="button" busy={rotation.busy} onConfirm={rotate}>
          Rotate key
        </ConfirmButton>
        <button type="button" class="button" onClick={forgetKey}>
          Sign out
        </button>
      </div>
    </Panel>
  );
}
