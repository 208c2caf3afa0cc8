import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env['PENNANT_SERVER'] ?? 'http://127.0.0.1:3000'
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Below this a compressed file saves no packet. */
const MIN_BYTES = 1024
const TEXT = /\.(?:js|css|html|svg|json|txt|map)$/

/** Writes `.br` and `.gz` beside every text file, once, so that no server has to. */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'pennant-precompress',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle: async () => {
      const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && TEXT.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
      await Promise.all(paths.map(compress))
    },
  }
}

async function compress(path: string) {
  const bytes = readFileSync(path)
  if (bytes.length < MIN_BYTES) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 10,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const [br, gz] = await Promise.all([brotli(bytes, { params }), zip(bytes, { level: 9 })])
  writeFileSync(`${path}.br`, br)
  writeFileSync(`${path}.gz`, gz)
}

/** The headings' font is wanted at once: it is never swapped in late. */
function preloadFont(): Plugin {
  return {
    name: 'pennant-preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => name.endsWith('.woff2'))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  }
}

export default defineConfig({
  plugins: [react(), preloadFont(), precompress()],
  resolve: { dedupe: ['react', 'react-dom', '@mantine/core', '@mantine/hooks'] },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    // What the first page needs is one file: each more costs a slow phone a request before anything moves.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'site', tags: ['$initial'] }] } } },
    // The page's policy admits no script or style from within itself.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1024,
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': server, '/uploads': server } },
})
