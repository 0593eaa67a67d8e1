import { Empty } from "../components/status.tsx";
import { useTitle } from "../router.ts";

export function ToolPage({ id }: { readonly id: string }) {
  useTitle(id);
  return (
    <>
      <h1>{id}</h1>
      <Empty title="Nothing to show yet" />
    </>
  );
}
