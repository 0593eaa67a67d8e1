import type { Claim, ClaimCounts } from "./claims.ts";

/** What a claim's check found, in one sentence that says no more than the status means. */
export function claimText({ status, evidence }: Pick<Claim, "status" | "evidence">): string {
  const seen = evidence?.tool ?? "A tool";
  switch (status) {
    case "corroborated":
      return evidence?.means === "verified-once"
        ? `The client once verified its domain with ${seen}.`
        : evidence?.spans_products
          ? `${seen} is seen at the client, not which of its products.`
          : `${seen} is seen at the client.`;
    case "replaced":
      return `Not seen at the client, where ${seen} of the same category is seen.`;
    case "not_seen":
      return "Not seen at the client. It may be used where no public signal reaches.";
    case "cannot_be_seen":
      return "The product leaves no public sign, so that it cannot be checked.";
    case "not_checked":
      return "Not checked: no stored scan of the client decides it.";
  }
}

/** `12 of 55 clients still seen`, with the others; null without a client whose claim could be checked. */
export function claimCountsText(counts: ClaimCounts): string | null {
  const { clients, corroborated, replaced, not_seen, cannot_be_seen, not_checked } = counts;
  if (corroborated + replaced + not_seen === 0) return null;
  const others = [
    replaced > 0 && `${replaced} with another tool of the category`,
    not_seen > 0 && `${not_seen} not seen`,
    not_checked + cannot_be_seen > 0 && `${not_checked + cannot_be_seen} not checked`,
  ].filter((part) => part !== false);
  const seen = `${corroborated} of ${clients} ${clients === 1 ? "client" : "clients"} still seen`;
  return others.length > 0 ? `${seen} (${others.join(", ")})` : seen;
}
