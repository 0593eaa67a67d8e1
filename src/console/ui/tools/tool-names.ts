import { useEffect, useState } from "preact/hooks";
import { requestWithKey } from "../api-client.ts";
import type { Suggestions } from "../api-types.ts";
import { urlFor } from "../router.ts";

type Named = Suggestions["tools"][number];
const known = new Map<string, Promise<Named | undefined>>();

/** The name and the category of a tool by its id; undefined until they are known. Never counts against the quota. */
export function useTool(id: string): Named | undefined {
  const [tool, setTool] = useState<Named | undefined>();
  useEffect(() => {
    if (id === "") return;
    let current = true;
    const asked = known.get(id) ?? findTool(id);
    known.set(id, asked);
    asked.then((found) => current && setTool(found));
    return () => {
      current = false;
    };
  }, [id]);
  return tool;
}

const findTool = (id: string): Promise<Named | undefined> =>
  requestWithKey<Suggestions>(urlFor("/console/suggest", { q: id })).then(
    ({ tools }) => tools.find((each) => each.id === id),
    // A name is a help: without it the id is shown.
    () => undefined,
  );
