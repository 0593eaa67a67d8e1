/**
 * Where an executable holds its licences: zstd. None where the program runs from its source, which has them in
 * `node_modules`: `scripts/build` puts the executable's path in the place of this one.
 */
export const CARRIED_LICENCES: string | undefined = undefined;
