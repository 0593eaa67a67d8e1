export interface StartupBanner {
  readonly url: string;
  readonly version: string;
  /** Shown at the first start only. */
  readonly operatorToken: string | null;
  readonly tools: number;
  /** Whose result is kept, so that it can be asked for with no internet. */
  readonly recorded: string | undefined;
}

/** What a person reads when the service has started: where it is, and the next things to try. */
export function startupBanner({ url, version, operatorToken, tools, recorded }: StartupBanner): string {
  const token = operatorToken
    ? `
Operator token, shown this once: ${operatorToken}
`
    : "";
  const kept = recorded
    ? `  curl -s -H "X-API-Key: $KEY" '${url}/v1/enrich/${recorded}?max_age=31536000&include=evidence'   # kept here: no internet needed
`
    : "";
  return `
Casefile ${version} serves ${url} and knows ${tools} tools. Reference: ${url}/docs
Console, in a browser: ${url}/
${token}
Try it, in another terminal:
  KEY=$(curl -s ${url}/v1/keys -H 'content-type: application/json' -d '{"email":"you@your-company.com"}' | sed 's/.*"api_key":"\\([^"]*\\).*/\\1/')
${kept}  curl -s -H "X-API-Key: $KEY" '${url}/v1/enrich/your-company.com?include=evidence'
  curl -N -H "X-API-Key: $KEY" -H 'Accept: text/event-stream' ${url}/v1/enrich-stream/your-company.com

`;
}
