import { EXAMPLE_PATH, exampleText } from "../test/box/example.ts";

/**
 * Writes the recording of an invented company that the documentation scans with no internet.
 * Run it after a change to the company's description; a test fails when the recording is outdated.
 */

await Bun.write(new URL(`../${EXAMPLE_PATH}`, import.meta.url), exampleText());
