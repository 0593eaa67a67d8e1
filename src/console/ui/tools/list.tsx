import { Empty } from "../components/status.tsx";
import { useTitle } from "../router.ts";

export function ToolList() {
  useTitle("Tools");
  return (
    <>
      <h1>Tools</h1>
      <Empty title="No tools to show yet" />
    </>
  );
}
