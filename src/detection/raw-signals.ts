import { belongsTo, type Domain } from "../core/domain.ts";
import { withoutSecretLabels } from "./redaction.ts";
import { hostOfSignal, type Signal } from "./signals.ts";
import type { RawSignals } from "./types.ts";
import { verificationPrefix } from "./unmatched-signals.ts";

/** Limit per kind and scan, against pages that name hosts without end. */
const MAX_VALUES = 200;
const MAX_HOST_LENGTH = 253;

/** Collects the raw signals of one scan by which companies can be searched, whether a rule matched them or not. */
export function createRawSignalCollector(domain: Pick<Domain, "name">) {
  const found = { scripts: new Set<string>(), txt: new Set<string>(), cnames: new Set<string>() };
  const add = (values: Set<string>, value: string | undefined) => {
    if (value !== undefined && values.size < MAX_VALUES) values.add(value);
  };
  const foreign = (host: string | undefined) => {
    const name = host?.toLowerCase().replace(/\.$/, "");
    return name && name.length <= MAX_HOST_LENGTH && !belongsTo(name, domain.name)
      ? withoutSecretLabels(name)
      : undefined;
  };
  return {
    add(signal: Signal): void {
      const { kind, value } = signal;
      if (kind === "html.script") add(found.scripts, foreign(hostOfSignal(signal)));
      else if (kind === "dns.cname") add(found.cnames, foreign(value));
      else if (kind === "dns.txt") add(found.txt, verificationPrefix(value));
    },
    /** Each list by name. */
    list: (): RawSignals => ({
      scripts: [...found.scripts].sort(),
      txt: [...found.txt].sort(),
      cnames: [...found.cnames].sort(),
    }),
  };
}
