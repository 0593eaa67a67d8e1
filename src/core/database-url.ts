const MAX_SERVERS = 8;

/**
 * The servers of a PostgreSQL URL, each as a URL of its own: `postgres://ada:pw@one:5432,two:5432/casefile` has two, of
 * which one accepts writes. Of libpq's `target_session_attrs` only `read-write` and `primary` are accepted, which are
 * how several servers are used anyway.
 *
 * @returns undefined for another URL, and for one without a database
 */
export function databaseServers(url: string): readonly URL[] | undefined {
  const [, start = "", hosts = "", rest = ""] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)(\/.*)$/.exec(url) ?? [];
  const servers: URL[] = [];
  for (const host of hosts.split(",")) {
    const server = URL.parse(`${start}${host}${rest}`);
    // A password with an unencoded / or @ ends up in the path.
    if (!server || server.hostname === "" || server.pathname.length < 2 || /[@:]/.test(server.pathname))
      return undefined;
    const attributes = server.searchParams.get("target_session_attrs");
    if (attributes !== null && !/^(read-write|primary)$/.test(attributes)) return undefined;
    server.searchParams.delete("target_session_attrs");
    servers.push(server);
  }
  return servers.length > MAX_SERVERS ? undefined : servers;
}
