import { lookup } from "node:dns/promises";
import type { DnsAnswer, RecordType } from "../vocabulary/snapshot.ts";
import type { Resolver } from "./resolver.ts";

/**
 * Looks names up as every program of this machine does: the hosts file and the names of containers count too.
 * For hosts that the operator names, and for nobody else's.
 */
export function createSystemNames(timeoutMs: number): Pick<Resolver, "lookup"> {
  return {
    async lookup(name, type, signal) {
      signal.throwIfAborted();
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        const found = await orAborted(lookup(name, { all: true, family: type === "AAAA" ? 6 : 4 }), limit);
        return answer(
          name,
          type,
          "ok",
          found.map(({ address }) => address),
        );
      } catch {
        signal.throwIfAborted();
        return answer(name, type, limit.aborted ? "timeout" : "nxdomain", []);
      }
    },
  };
}

function answer(name: string, type: RecordType, status: DnsAnswer["status"], found: readonly string[]): DnsAnswer {
  return { name, type, status, records: found.map((value) => ({ name, type, value })) };
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
