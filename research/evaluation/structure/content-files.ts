/** The YAML front matter of a content file, and its body. */
export function splitFrontMatter(source: string): { facts: Record<string, unknown>; body: string } {
  const [, yaml, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  if (yaml === undefined || body === undefined) return { facts: {}, body: source };
  const facts: unknown = Bun.YAML.parse(yaml);
  return { facts: typeof facts === "object" && facts !== null ? { ...facts } : {}, body };
}

/** HTML that a site generator makes of a content file: its details first, its pieces for quotes and leads as elements. */
export function contentHtml(facts: Readonly<Record<string, unknown>>, body: string): string {
  const details = Array.isArray(facts.case_study_details) ? facts.case_study_details : [];
  const rows = details.flatMap((detail: unknown) =>
    Object.entries(detail ?? {}).map(([name, value]) => `<div>${name} <b>${String(value)}</b></div>`),
  );
  return (
    (rows.length > 0 ? `<div class="details">${rows.join("")}</div>` : "") +
    body
      .replace(
        /\{\{<\s*case-studies\/quote([^>]*)>\}\}([\s\S]*?)\{\{<\s*\/case-studies\/quote\s*>\}\}/g,
        (_, attributes: string, text: string) => {
          const author = /author="([^"]*)"/.exec(attributes)?.[1] ?? "";
          return `<div class="banner"><div class="banner-text"><p>${text.trim()}<br><br>— ${author}</p></div></div>`;
        },
      )
      .replace(
        /\{\{<\s*case-studies\/lead\s*>\}\}([\s\S]*?)\{\{<\s*\/case-studies\/lead\s*>\}\}/g,
        (_, text: string) => `<h2 class="lead">${text.trim()}</h2>`,
      )
      .replace(/\{\{[<%][^}]*[>%]\}\}/g, "")
  );
}
