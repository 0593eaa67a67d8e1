import type { Study } from "../api-types.ts";

/** `Acme: "How Globex halved its bill". Client: Globex. 2024-03-05. https://acme.com/customers/globex` */
export function citation({ company, title, client, published_at, url }: Study): string {
  const parts = [`${company.name}: "${title}"`, client.name ? `Client: ${client.name}` : "", published_at ?? ""];
  return `${parts.filter(Boolean).join(". ")}. ${url}`;
}
