import { Empty } from "../components/status.tsx";
import { useTitle } from "../router.ts";

export function ListPage({ id }: { readonly id: string }) {
  useTitle("List");
  return (
    <>
      <h1>List {id}</h1>
      <Empty title="Nothing to show yet" />
    </>
  );
}
