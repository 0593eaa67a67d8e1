import type { HttpAnswer, Visit } from "../net/visit.ts";
import { belongsTo } from "../vocabulary/domain.ts";
import { asHost } from "./host-name.ts";
import { inParallel } from "./in-parallel.ts";
import { field, parseJson } from "./parse-json.ts";
import { type Scanner, Skipped } from "./scanner.ts";

type Emit = Parameters<Scanner["scan"]>[1];

/** Whether an identity provider knows the company: it answers for a domain that a customer has verified there. */
export const tenants: Scanner = {
  id: "tenants",
  phase: "identity",
  sees: ["tenant.state", "tenant.host"],
  timeoutMs: 4_000,

  async scan(visit, emit) {
    const { microsoftRealm, tenantLookups } = visit.sources;
    if (microsoftRealm === null && tenantLookups.length === 0) throw new Skipped("tenant look-ups are switched off");
    await Promise.all([
      microsoftRealm === null ? undefined : realm(visit, fill(microsoftRealm, visit), emit),
      inParallel(tenantLookups.slice(0, 20), 8, async ({ label, url }) => {
        const answer = await visit.http(fill(url, visit), { maxBytes: 65_536 });
        if (answer.final.code === 200 && isTied(answer, visit.domain.name))
          emit({ kind: "tenant.state", value: `${label}:found`, location: answer.final.url });
      }),
    ]);
  },
};

async function realm(visit: Visit, url: string, emit: Emit): Promise<void> {
  const { final } = await visit.http(url, { maxBytes: 65_536, accept: "application/json" });
  if (final.code !== 200) return;
  const answer = parseJson(final.body);
  const state = String(field(answer, "NameSpaceType") ?? "").toLowerCase();
  if (state !== "managed" && state !== "federated") return;
  emit({ kind: "tenant.state", value: `microsoft:${state}`, location: final.url });
  const provider = asHost(URL.parse(String(field(answer, "AuthURL") ?? ""))?.hostname ?? "");
  if (provider !== undefined) emit({ kind: "tenant.host", value: provider, location: final.url });
}

/**
 * A tenant under the company's label may be another company's: `acme` is a common name. It counts only when a redirect
 * leads to the company's own host, or the answer names one (a custom sign-in domain, a contact address). Most true
 * tenants name none and so are missed; a wrong one would be worse.
 */
function isTied({ hops, final }: HttpAnswer, domain: string): boolean {
  if (hops.slice(1).some(({ url }) => belongsTo(URL.parse(url)?.hostname ?? "", domain))) return true;
  const body = final.body.slice(0, 65_536).toLowerCase();
  for (let at = body.indexOf(domain); at >= 0; at = body.indexOf(domain, at + 1)) {
    const before = body.charAt(at - 1);
    const after = body.slice(at + domain.length, at + domain.length + 2);
    if (!/[a-z0-9-]/.test(before) && !/^(?:[a-z0-9-]|\.[a-z0-9])/.test(after)) return true;
  }
  return false;
}

const fill = (template: string, { domain }: Visit): string =>
  template
    .replaceAll("{domain}", encodeURIComponent(domain.name))
    .replaceAll("{label}", encodeURIComponent(domain.label));
