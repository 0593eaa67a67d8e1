import { outsideHost } from "./host-name.ts";
import type { Scanner } from "./scanner.ts";

const NAMES_LIMIT = 100;

/** Who issued the site's certificate, and whose names share it: a host that terminates TLS often brings its own. */
export const certificate: Scanner = {
  id: "certificate",
  phase: "hosting",
  sees: ["tls.issuer", "tls.san"],
  timeoutMs: 8_000,

  async scan(visit, emit) {
    const apex = visit.domain.name;
    await Promise.all(
      [apex, `www.${apex}`].map(async (host) => {
        const { status, issuer, names } = await visit.certificate(host);
        if (status !== "ok") return;
        const location = `${host} certificate`;
        if (issuer && (issuer.organisation || issuer.name))
          emit({ kind: "tls.issuer", value: `${issuer.organisation} / ${issuer.name}`.slice(0, 500), location });
        const others = names.flatMap((name) => outsideHost(name.replace(/^\*\./, ""), visit.domain) ?? []);
        for (const value of [...new Set(others)].slice(0, NAMES_LIMIT)) emit({ kind: "tls.san", value, location });
      }),
    );
  },
};
