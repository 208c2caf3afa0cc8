import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** One script of the build. Paths of files are those below the built folder, of modules those below `web`. */
export interface ChunkOfBuild {
  readonly file: string
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  readonly css: readonly string[]
  readonly modules: readonly string[]
}

/** Tells `tools/budgets` what is in which file, and what each file asks for. Servers hide the folder. */
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
