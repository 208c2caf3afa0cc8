import type { BuildOptions } from 'esbuild'

/** How both programs are bundled. */
export declare const bundleOptions: BuildOptions

/** Builds the programs and the site where they are missing or older than their sources. */
export function build(root: string): Promise<void>
