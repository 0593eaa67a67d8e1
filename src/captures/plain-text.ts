/** What a stranger's JSON or YAML has where a text belongs: `""` for lists and objects, whose own `toString` may throw. */
export function plainText(value: unknown): string {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : "";
}
