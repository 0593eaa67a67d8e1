import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { toApiError } from "../queries.ts";
import { ErrorPanel } from "./status.tsx";

/** A page that fails says so in its place, and the others stay reachable. It keeps its error, so its key is the page's address. */
export function Guarded({ children }: { readonly children: ComponentChildren }) {
  // Preact calls the function as a method, which `reportError` itself refuses.
  const [error] = useErrorBoundary((error) => reportError(error));
  return error === undefined ? children : <ErrorPanel error={toApiError(error)} retry={() => location.reload()} />;
}
