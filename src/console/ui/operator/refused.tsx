import type { Deed } from "./use-deed.ts";

/** Why a deed was not done, read aloud at once; nothing when it was. */
export function Refused({ deed }: { readonly deed: Pick<Deed, "refusal"> }) {
  if (deed.refusal === null) return null;
  return (
    <p class="error" role="alert">
      {deed.refusal.message}
    </p>
  );
}
