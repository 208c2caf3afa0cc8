import type { BuildOptions, Plugin } from 'esbuild'

/** How both programs are bundled. */
export declare const bundleOptions: BuildOptions

/** Whether the programs import the package instead of containing it. */
export function isExternal(name: string): boolean

/** Makes `import()` of a CommonJS file have the names in a split bundle that it has in Node. */
export declare const namesOfCommonJs: Plugin

/**
 * Builds the programs and the site where they are missing or older than their sources; with `all`, always. Output goes
 * below `into`, by default the root.
 */
export function build(
  root: string,
  options?: { readonly all?: boolean; readonly into?: string },
): Promise<void>

/** Whether the output exists and is newer than its sources. */
export function isBuilt(root: string, output: string): boolean
