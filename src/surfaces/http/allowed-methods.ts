interface Route {
  readonly method: string;
  /** As the router has it: `/v1/companies/:slug`. */
  readonly path: string;
}

/**
 * Tells which methods a path takes; none, where nothing is. Of several routes that match, the one counts that has the
 * most of the path written out: `/v1/casestudies/semantic` is no case study's id, whatever the method.
 */
export function allowedMethods(routes: readonly Route[]): (path: string) => readonly string[] {
  const known = routes.map(({ method, path }) => ({
    method,
    pattern: patternOf(path),
    open: path.split("/").filter((segment) => segment.startsWith(":") || segment === "*").length,
  }));
  return (path) => {
    const matching = known.filter(({ pattern }) => pattern.test(path));
    const fewest = Math.min(...matching.map(({ open }) => open));
    const methods = new Set(matching.filter(({ open }) => open === fewest).map(({ method }) => method));
    // What counts is asked for its body: a HEAD would scan, count and throw the result away.
    if (methods.has("GET") && !isCounted(path)) methods.add("HEAD");
    return [...methods];
  };
}

const isCounted = (path: string) => /^\/v1\/(?:enrich(?:-stream)?|casestudies|companies|industries)(?:\/|$)/.test(path);

const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.+?^$()|[\]\\]/g, "\\$&")
      .replace(/:[^/]+/g, "[^/]+")
      .replace(/\*/g, ".*")
      .replace(/\/$/, "")}/?$`,
  );
