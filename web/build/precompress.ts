import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = new Set(['.css', '.html', '.js', '.json', '.mjs', '.svg', '.txt', '.webmanifest'])
/** Operators replace it in place: a compressed copy beside it would still say the old. */
const REPLACED = new Set(['theme.css'])
/** Below this a header costs more than compression saves. */
const LEAST_BYTES = 1024

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Writes `.br` and `.gz` beside each text file of the build, for servers that send them as they are. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'pennant-precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    // After the files of `public` are there too.
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
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
