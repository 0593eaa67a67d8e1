/**
 * Sets both versions of a Chart.yaml, which are that of the release.
 *
 * @throws Error when it does not have both
 */
export function versioned(chart: string, version: string): string {
  const names = ["version", "appVersion"];
  return names.reduce((text, name) => {
    const line = new RegExp(`^${name}: .*$`, "m");
    if (!line.test(text)) throw new Error(`Chart.yaml has no ${name}.`);
    return text.replace(line, `${name}: ${version}`);
  }, chart);
}
