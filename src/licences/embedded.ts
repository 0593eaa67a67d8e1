/**
 * Path of the zstd-compressed licences in the executable. Undefined when run from source, where they are collected from
 * `node_modules`; `scripts/build` replaces this module.
 */
export const EMBEDDED_LICENCES: string | undefined = undefined;
