import { readFileSync } from "node:fs";
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };

/** Runs at bundle time, as a macro. @throws Error when the package has no such file */
export const packReferenceScript = (): string => readFileSync(script, "utf8");

/** As above. */
export const packReferenceStyle = (): string => readFileSync(style, "utf8");
