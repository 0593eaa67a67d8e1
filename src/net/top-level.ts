import { isPublicTop, isReservedTop, topLevelOf } from "../core/domain.ts";
import type { DnsAnswer, RecordType } from "./snapshot.ts";

/** A top-level domain that every resolver of the public DNS knows. */
const REFERENCE = "com";

/**
 * Whether "no such name" for a name can be believed: whether the resolver knows the name's top-level domain. A resolver
 * without a connection (a VPN that is down, an isolated network) says of every public name that it does not exist.
 */
export async function knowsTopLevel(
  name: string,
  lookup: (name: string, type: RecordType) => Promise<Pick<DnsAnswer, "status">>,
): Promise<boolean> {
  const exists = async (top: string) =>
    (await lookup(top, "NS")).status === "ok" || (await lookup(top, "SOA")).status === "ok";
  const top = topLevelOf(name);
  // Only the operator's own resolver has these names.
  if (isReservedTop(top) || (await exists(top))) return true;
  // A top-level domain that does not exist either: the resolver is right if it knows another one.
  return !isPublicTop(top) && (await exists(REFERENCE));
}
