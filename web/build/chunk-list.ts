import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** One chunk of the build. File paths are relative to the output folder, module paths to `web`. */
export interface ChunkOfBuild {
  readonly file: string
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  readonly css: readonly string[]
  readonly modules: readonly string[]
}

/**
 * Reports to `tools/budgets` which modules each file contains and what it imports. Servers do not serve the
 * folder.
 */
export function chunkList(): Plugin {
  return {
    name: 'pennant-chunk-list',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).flatMap((chunk): ChunkOfBuild[] => {
          if (chunk.type !== 'chunk') return []
          const { fileName: file, imports, dynamicImports, moduleIds, viteMetadata } = chunk
          const css = [...(viteMetadata?.importedCss ?? [])]
          const modules = moduleIds.map((id) => relative(import.meta.dirname, id).replace(/^\.\.\//, ''))
          return [{ file, imports, dynamicImports, css, modules }]
        })
        this.emitFile({ type: 'asset', fileName: '.build/chunks.json', source: JSON.stringify(chunks) })
      },
    },
  }
}
