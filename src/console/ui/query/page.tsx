import { Empty } from "../components/status.tsx";
import { useTitle } from "../router.ts";

export function QueryPage() {
  useTitle("Query");
  return (
    <>
      <h1>Who uses what</h1>
      <Empty title="No query yet" />
    </>
  );
}
