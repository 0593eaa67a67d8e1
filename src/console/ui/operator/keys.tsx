import { useState } from "preact/hooks";
import type { IssuedKey, KeyEntry } from "../api-types.ts";
import { askAsOperator } from "../ask.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { dayOf, numberOf } from "../wording.ts";
import { Listed } from "./listed.tsx";
import { Refused } from "./refused.tsx";
import { Sure } from "./sure.tsx";
import { useDeed } from "./use-deed.ts";

export function Keys() {
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  return (
    <>
      {issued && (
        <section class="panel" role="status" aria-label="New key">
          <p>The new key of {issued.email}. It is shown this once; the one before it counts no more.</p>
          <p class="secret">
            <code>{issued.api_key}</code>
            <CopyButton text={issued.api_key} what="key" />
          </p>
        </section>
      )}
      <Listed<KeyEntry> path="/console/admin/keys" query={{ limit: "50" }} field="keys" empty="No key was issued yet">
        {(keys, again) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          <section class="scroll" aria-label="Keys" tabIndex={0}>
            <table class="stacks">
              <thead>
                <tr>
                  <th scope="col">Address</th>
                  <th scope="col">Issued</th>
                  <th scope="col" class="number">
                    Used this month
                  </th>
                  <th scope="col">Monthly limit</th>
                  <th scope="col">
                    <span class="unseen">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {keys.map((key) => (
                  <KeyRow key={key.id} entry={key} again={again} onIssued={setIssued} />
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Listed>
    </>
  );
}

interface RowProps {
  readonly entry: KeyEntry;
  readonly again: () => void;
  readonly onIssued: (key: IssuedKey) => void;
}

function KeyRow({ entry, again, onIssued }: RowProps) {
  const [limit, setLimit] = useState(String(entry.monthly_limit));
  const [sure, setSure] = useState<"revoke" | "reissue" | null>(null);
  const deed = useDeed();
  const path = `/console/admin/keys/${encodeURIComponent(entry.id)}`;
  const change = async (work: () => Promise<unknown>) => {
    setSure(null);
    if (await deed.run(work)) again();
  };
  const act = (what: "revoke" | "reissue") =>
    change(async () => {
      if (what === "revoke") await askAsOperator(path, { method: "DELETE" });
      else onIssued(await askAsOperator<IssuedKey>(`${path}/reissue`, { method: "POST" }));
    });
  return (
    <tr>
      <th scope="row" class="break">
        {entry.email} <span class="faint">…{entry.hint}</span>
      </th>
      <td data-label="Issued">{dayOf(entry.created_at)}</td>
      <td class="number" data-label="Used this month">
        {numberOf(entry.used_this_month)}
      </td>
      <td data-label="Monthly limit">
        {entry.revoked_at ? (
          numberOf(entry.monthly_limit)
        ) : (
          <form
            class="inline"
            onSubmit={(event) => {
              event.preventDefault();
              void change(() => askAsOperator(path, { method: "PATCH", json: { monthly_limit: Number(limit) } }));
            }}
          >
            <input
              type="number"
              min={0}
              value={limit}
              aria-label={`Monthly limit of ${entry.email}`}
              onInput={(event) => setLimit(event.currentTarget.value)}
            />
            {limit !== String(entry.monthly_limit) && (
              <button type="submit" class="button small" disabled={deed.busy}>
                Set
              </button>
            )}
          </form>
        )}
        <Refused deed={deed} />
      </td>
      <td>
        {entry.revoked_at ? (
          <span class="faint">Revoked {dayOf(entry.revoked_at)}</span>
        ) : (
          <div class="actions">
            {sure === null ? (
              <>
                <button
                  type="button"
                  class="button small"
                  aria-label={`Reissue the key of ${entry.email}`}
                  onClick={() => setSure("reissue")}
                >
                  Reissue
                </button>
                <button
                  type="button"
                  class="button small danger"
                  aria-label={`Revoke the key of ${entry.email}`}
                  onClick={() => setSure("revoke")}
                >
                  Revoke
                </button>
              </>
            ) : (
              <Sure yes={`Yes, ${sure} it`} busy={deed.busy} onYes={() => act(sure)} onNo={() => setSure(null)} />
            )}
          </div>
        )}
      </td>
    </tr>
  );
}
