export interface StartupBanner {
  readonly url: string;
  readonly version: string;
  /** Shown until it has been used once. */
  readonly operatorToken: string | null;
  /** Number of tools in the catalogue. */
  readonly tools: number;
  /** A domain with a stored result, which can be shown without internet access. */
  readonly recorded: string | undefined;
  /** Whether `scan.contact` is set. */
  readonly hasContact: boolean;
}

/** Printed when the service has started: its addresses, and what to try first. */
export function startupBanner({ url, version, operatorToken, tools, recorded, hasContact }: StartupBanner): string {
  const token = operatorToken ? `\nOperator token, shown until it is first used: ${operatorToken}\n` : "";
  const stored = recorded
    ? `  curl -s -H "X-API-Key: $KEY" '${url}/v1/enrich/${recorded}?include=evidence'   # stored result, no internet needed\n`
    : "";
  const contact = hasContact
    ? ""
    : `
Who runs this scanner? Site owners see no contact in its requests. Set scan.contact to your email address or a page:
  casefile serve --scan-contact scans@your-company.com   (or CASEFILE_SCAN_CONTACT, or casefile.toml)
`;
  return `
Casefile ${version} is running at ${url} and detects ${tools} tools.
Console:       ${url}/
API reference: ${url}/docs
${token}${contact}
Try it in another terminal:
  KEY=$(curl -s ${url}/v1/keys -H 'content-type: application/json' -d '{"email":"you+'$(date +%s)'@your-company.com"}' | sed 's/.*"api_key":"\\([^"]*\\).*/\\1/')
${stored}  curl -s -H "X-API-Key: $KEY" '${url}/v1/enrich/your-company.com?include=evidence'
  curl -N -H "X-API-Key: $KEY" -H 'Accept: text/event-stream' ${url}/v1/enrich-stream/your-company.com

`;
}
