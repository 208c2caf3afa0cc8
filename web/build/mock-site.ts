import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const ENGLISH = /\/web\/src\/text\/en\/[\w-]+\.ts$/
const language = fileURLToPath(new URL('../mock/language.ts', import.meta.url))

/**
 * Additions to a build of mode `mock`: English texts that can be pseudo-localized, and a page without early
 * requests, because no server would respond to them.
 */
export function mockSite(): Plugin {
  return {
    name: 'pennant-mock-site',
    enforce: 'pre',
    resolveId(source, importer) {
      const isCatalogue = source === '../catalogue.ts' && ENGLISH.test(importer?.replaceAll('\\', '/') ?? '')
      return isCatalogue ? language : null
    },
    transformIndexHtml: {
      order: 'pre',
      handler: () => [
        {
          tag: 'script',
          children: `{ const real = fetch; self.fetch = (path, init) => String(path).startsWith('/api/') ? new Promise(() => {}) : real(path, init) }`,
          injectTo: 'head-prepend',
        },
      ],
    },
  }
}
