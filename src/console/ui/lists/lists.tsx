import { Empty } from "../components/status.tsx";
import { useTitle } from "../router.ts";

export function Lists() {
  useTitle("Lists");
  return (
    <>
      <h1>Lists</h1>
      <Empty title="No lists yet" />
    </>
  );
}
