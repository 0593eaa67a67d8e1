import type { Command } from "commander";

/** Example command lines, by command. Commands with longer notes have their examples there. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: ["casefile serve", "casefile serve --host 0.0.0.0 --port 8080 --data-dir /srv/casefile"],
  "who-uses": [
    "casefile who-uses hubspot --not marketo",
    "casefile who-uses --category CRM --top de --format csv --output crm.csv",
  ],
  history: ["casefile history acme.com", "casefile history acme.com --since 2026-01-01 --json"],
  tools: ["casefile tools", "casefile tools mail --category Email"],
  import: ["casefile import stories.jsonl", "zcat stories.csv.gz | casefile import -"],
  export: ["casefile export -o stories.jsonl", "casefile export --format csv > stories.csv"],
  reindex: ["casefile reindex"],
  submissions: [
    "casefile submissions --state review",
    "casefile submissions show sub_4tq0c7w1m9x2k5r8z3vb",
    "casefile submissions approve sub_4tq0c7w1m9x2k5r8z3vb --wait",
  ],
  studies: [
    "casefile studies review --industry banking",
    "casefile studies show acme-northgate",
    "casefile studies remove acme-northgate",
    "casefile studies read page.html --url https://acme.com/customers/northgate",
  ],
  starter: ["casefile starter", "casefile starter remove"],
  companies: [
    "casefile companies acme",
    "casefile companies --industry banking --json --server http://127.0.0.1:7171",
    "casefile companies merge acme-inc acme",
  ],
  proof: ["casefile proof acme.com --vendor posthog", 'casefile proof acme.com --question "cut cloud costs" --json'],
  brief: ["casefile brief acme.com --vendor posthog", "casefile brief acme.com --format html --output acme.html"],
  gaps: ["casefile gaps acme.com --industry banking", 'casefile gaps acme.com --category "CRM" --json'],
  rivals: ["casefile rivals posthog"],
  jobs: ["casefile jobs --state dead", "casefile jobs retry 42"],
  mails: ["casefile mails --state failed"],
  keys: ["casefile keys issue ana@acme.com", "casefile keys limit ana@acme.com 5000", "casefile keys --json"],
  operator: ["casefile operator reset-token"],
  operators: [
    "casefile operators invite 'Ana Bright' --role reviewer",
    "casefile operators link 'Ana Bright'",
    "casefile operators role 'Ana Bright' admin",
    "casefile operators remove 'Ana Bright'",
  ],
  audit: ["casefile audit --since 2026-05-01", "casefile audit --operator 'Ana Bright' --format csv -o audit.csv"],
  backup: ["casefile backup", "casefile backup create", "casefile backup verify casefile.tar.zst"],
  store: ["casefile store migrate --to postgres://casefile@db.example/casefile"],
  restore: ["casefile restore casefile.tar.zst --data-dir /srv/casefile"],
  fingerprints: [
    "casefile fingerprints list mail",
    "casefile fingerprints explain hubspot",
    "casefile fingerprints unknown",
  ],
  "data-sources": ["casefile data-sources"],
  model: ["casefile model", "casefile model add ./encoder --name custom"],
  watch: [
    "casefile watch acme.com",
    "casefile watch add acme.com --every 1d",
    "casefile watch changes --since 2026-05-01",
  ],
  webhooks: [
    "casefile webhooks add https://hooks.acme.com/casefile",
    "casefile webhooks test wh_7w2m9x4tq0c1k5r8z3vb",
    "casefile webhooks deliveries --state failed",
  ],
  "opt-outs": ["casefile opt-outs add acme.com --note 'asked by mail'", "casefile opt-outs remove acme.com"],
  privacy: ["casefile privacy export acme.com > acme.json", "casefile privacy erase ana@acme.com"],
  mcp: ["casefile mcp --data-dir /srv/casefile"],
  health: ["casefile health", "casefile health --server http://127.0.0.1:8080"],
  doctor: ["casefile doctor", "casefile doctor --offline"],
  completions: [
    `eval "$(casefile completions bash)"   # in ~/.bashrc`,
    `eval "$(casefile completions zsh)"    # in ~/.zshrc, after compinit`,
    "casefile completions fish > ~/.config/fish/completions/casefile.fish",
  ],
};

/** Adds the examples to the help of each command. */
export function addExamples(program: Command): void {
  for (const command of program.commands) {
    const examples = EXAMPLES[command.name()] ?? [];
    if (examples.length === 0) continue;
    const title = examples.length === 1 ? "Example" : "Examples";
    command.addHelpText("after", `\n${title}:\n${examples.map((example) => `  ${example}`).join("\n")}`);
  }
}
