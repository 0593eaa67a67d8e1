/** Code samples of a first request. The key is a placeholder, because samples are pasted and stored. */
export const SAMPLE_LANGUAGES = ["curl", "TypeScript", "Python", "MCP"] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

export const samples: Readonly<Record<SampleLanguage, (base: string) => string>> = {
  curl: (base) => `export CASEFILE_KEY=cf_live_…

curl -H "X-API-Key: $CASEFILE_KEY" \\
  "${base}/v1/enrich/acme.com?include=evidence"

curl -N -H "X-API-Key: $CASEFILE_KEY" \\
  ${base}/v1/enrich-stream/acme.com`,
  TypeScript: (base) => `const headers = { "X-API-Key": process.env.CASEFILE_KEY ?? "" };

const response = await fetch("${base}/v1/enrich/acme.com", { headers });
if (!response.ok) throw new Error((await response.json()).detail);
const { tools } = await response.json();
for (const { tool, category } of tools) console.log(category, tool);`,
  Python: (base) => `import json, os, urllib.request

request = urllib.request.Request(
    "${base}/v1/enrich/acme.com",
    headers={"X-API-Key": os.environ["CASEFILE_KEY"]},
)
with urllib.request.urlopen(request) as response:
    for tool in json.load(response)["tools"]:
        print(tool["category"], tool["tool"])`,
  MCP: (base) => `{
  "mcpServers": {
    "casefile": {
      "url": "${base}/mcp",
      "headers": { "X-API-Key": "cf_live_…" }
    }
  }
}`,
};
