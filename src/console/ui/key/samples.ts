/** The first call in four ways: texts to copy. The key stays a placeholder, for such texts are pasted and kept. */
export const LANGUAGES = ["curl", "TypeScript", "Python", "MCP"] as const;
export type Language = (typeof LANGUAGES)[number];

export const codeIn: Readonly<Record<Language, (base: string) => string>> = {
  curl: (base) => `export CASEFILE_KEY=cf_live_…

curl -H "X-API-Key: $CASEFILE_KEY" \\
  "${base}/v1/enrich/acme.com?include=evidence"

curl -N -H "X-API-Key: $CASEFILE_KEY" \\
  ${base}/v1/enrich-stream/acme.com`,
  TypeScript: (base) => `const headers = { "X-API-Key": process.env.CASEFILE_KEY ?? "" };

const answer = await fetch("${base}/v1/enrich/acme.com", { headers });
if (!answer.ok) throw new Error((await answer.json()).detail);
const { tools } = await answer.json();
for (const { tool, category } of tools) console.log(category, tool);`,
  Python: (base) => `import json, os, urllib.request

request = urllib.request.Request(
    "${base}/v1/enrich/acme.com",
    headers={"X-API-Key": os.environ["CASEFILE_KEY"]},
)
with urllib.request.urlopen(request) as answer:
    for tool in json.load(answer)["tools"]:
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
