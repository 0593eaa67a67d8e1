import { useEffect, useState } from "preact/hooks";
import { requestWithKey } from "../api-client.ts";
import type { Suggestions } from "../api-types.ts";
import { urlFor } from "../router.ts";

type Named = Suggestions["tools"][number];
const known = new Map<string, Promise<Named | undefined>>();

/** The name and the category of tools by their ids, as far as they are known. Never counts against the quota. */
export function useTools(ids: readonly string[]): ReadonlyMap<string, Named> {
  const [tools, setTools] = useState<ReadonlyMap<string, Named>>(new Map());
  useEffect(() => {
    let current = true;
    for (const id of ids) {
      const asked = known.get(id) ?? findTool(id);
      known.set(id, asked);
      asked.then((found) => current && found && setTools((before) => new Map(before).set(id, found)));
    }
    return () => {
      current = false;
    };
  }, [ids.join(" ")]);
  return tools;
}

const findTool = (id: string): Promise<Named | undefined> =>
  requestWithKey<Suggestions>(urlFor("/console/suggest", { q: id })).then(
    ({ tools }) => tools.find((each) => each.id === id),
    // A name is a help: without it the id is shown.
    () => undefined,
  );
