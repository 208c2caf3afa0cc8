import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = new Set(['.css', '.html', '.js', '.json', '.mjs', '.svg', '.txt', '.webmanifest'])
/** Operators replace this file in place: a compressed copy next to it would be outdated. */
const REPLACED = new Set(['theme.css'])
/** Below this size a header costs more than compression saves. */
const LEAST_BYTES = 1024

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Writes `.br` and `.gz` next to each text file of the build, for servers that serve precompressed files. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'pennant-precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    // Runs after the files of `public` have been copied.
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        // After a failed build there is no folder, and an error here would hide the reason.
        if (!existsSync(folder)) return
        const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        await Promise.all(
          names.filter((name) => TEXT.has(extname(name)) && !REPLACED.has(name)).map(compress),
        )
      },
    },
  }

  async function compress(name: string): Promise<void> {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    if (bytes.length < LEAST_BYTES) return
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    const [small, old] = await Promise.all([brotli(bytes, { params }), zip(bytes, { level: 9 })])
    writeFileSync(`${path}.br`, small)
    writeFileSync(`${path}.gz`, old)
  }
}
