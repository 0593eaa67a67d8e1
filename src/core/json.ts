/** The value of a JSON text, or `undefined` for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The elements of a JSON array of objects. Of one that was cut short (`truncated`), the whole elements before the cut:
 * a large company's list is longer than any cap. `undefined` for anything else.
 */
export function parseJsonArray(text: string, truncated = false): readonly unknown[] | undefined {
  const end = text.lastIndexOf("},");
  const value = parseJson(truncated && end >= 0 ? `${text.slice(0, end)}}]` : text);
  return Array.isArray(value) ? value : undefined;
}

/** A field of a JSON object; `undefined` for every other value. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
