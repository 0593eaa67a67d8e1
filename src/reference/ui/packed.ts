import { packReferenceScript, packReferenceStyle } from "./pack.ts" with { type: "macro" };

/** Swagger UI, which shows the reference: an executable carries it compressed. */
export const loadReferenceUi = (): { readonly script: string; readonly style: string } => ({
  script: packReferenceScript(),
  style: packReferenceStyle(),
});
