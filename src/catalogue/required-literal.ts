/** A shorter literal is met on too many values to save anything. */
const LEAST = 4;
/** Any other brace stands for itself. */
const REPEAT = /^\{\d{0,9}(?:,\d{0,9})?\}/;

/**
 * The longest text that every value met by an expression must contain, letter case aside; undefined when there is none
 * of at least four characters, or when that cannot be told (an alternative at the top).
 *
 * It lets an expression stand under a text pattern, so that it runs only where it can match.
 */
export function requiredLiteral(source: string): string | undefined {
  let best = "";
  let run = "";
  let depth = 0;
  const close = () => {
    if (run.length > best.length) best = run;
    run = "";
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (char === "[") {
      // A class stands for one of several characters, and a bracket inside it opens nothing.
      at = endOfClass(source, at);
      close();
    } else if (char === "(") {
      depth += 1;
      close();
    } else if (char === ")") {
      depth -= 1;
      close();
    } else if (depth > 0) {
      // What a group holds may be one of several, or not be there at all.
      if (char === "\\") at += 1;
    } else if (char === "|") return undefined;
    else if (char === "?" || char === "*" || (char === "{" && REPEAT.test(source.slice(at, at + 20)))) {
      // The repeated character may be missing; what stood before it may not.
      run = run.slice(0, -1);
      close();
      if (char === "{") at = source.indexOf("}", at);
    } else if (char === "+" || char === "." || char === "^" || char === "$") close();
    else if (char === "\\") {
      at += 1;
      const escaped = source[at] ?? "";
      if (/[a-z0-9]/i.test(escaped)) {
        close();
        // What follows spells a character out and is no text.
        at += /^(?:x[0-9a-f]{2}|u[0-9a-f]{4}|c[a-z])/i.exec(source.slice(at))?.[0].slice(1).length ?? 0;
      } else run += escaped;
    } else run += char;
  }
  close();
  return best.length >= LEAST ? best.toLowerCase() : undefined;
}

function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "]") return at;
  }
  return source.length;
}
