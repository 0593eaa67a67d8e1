const UNRELEASED = "## Unreleased";

/**
 * Gives the section "Unreleased" of a changelog its version and date, and opens a new, empty one.
 *
 * @returns the changelog, and the notes of the release without their heading
 * @throws Error without such a section, when it is empty, or when the version has a section already
 */
export function releaseChangelog(text: string, version: string, day: string): { text: string; notes: string } {
  const start = text.indexOf(`${UNRELEASED}\n`);
  if (start < 0) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}".`);
  if (text.includes(`\n## ${version}`)) throw new Error(`CHANGELOG.md has a section for ${version} already.`);
  const body = start + UNRELEASED.length + 1;
  const next = text.indexOf("\n## ", body);
  const end = next < 0 ? text.length : next + 1;
  const notes = text.slice(body, end).trim();
  if (notes === "") throw new Error('CHANGELOG.md has nothing in "Unreleased".');
  return { text: `${text.slice(0, body)}\n## ${version} (${day})\n\n${notes}\n\n${text.slice(end)}`, notes };
}

/** @throws Error when `next` is not a version of three numbers, or not newer than `current` */
export function assertNewer(current: string, next: string): void {
  const [old, wanted] = [current, next].map((version) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number));
  if (!old || !wanted) throw new Error(`"${next}" is not a version such as 0.2.0.`);
  const at = wanted.findIndex((part, index) => part !== old[index]);
  if (at < 0 || wanted[at]! < old[at]!) throw new Error(`Version ${next} is not newer than ${current}.`);
}

/**
 * The text that is published with the files: without links into the repository, which lead nowhere from there.
 *
 * @param contact who receives reports of vulnerabilities, as SECURITY.md says
 */
export function releaseNotes(version: string, notes: string, contact: string | undefined): string {
  const text = notes.replace(/\[([^\]\n]{1,200})\]\((?![a-z]+:)[^)\n]{1,300}\)/g, "$1");
  const security = contact === undefined ? "" : `\n## Security and conduct contact\n\n${contact}\n`;
  return `# Casefile ${version}\n\n${text}\n${security}`;
}
