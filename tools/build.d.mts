import type { BuildOptions } from 'esbuild'

/** How both programs are bundled. */
export declare const bundleOptions: BuildOptions
