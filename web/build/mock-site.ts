import type { Plugin } from 'vite'

const CATALOGUE = /\/web\/src\/text\/en\/[\w-]+\.ts$/
const EXPORTED = /^export const (\w+)/gm

/**
 * What a build of mode `mock` has beside the mock: English that can be made pseudo, and a page whose early requests go
 * nowhere, since nobody is there to answer them.
 */
export function mockSite(): Plugin {
  return {
    name: 'pennant-mock-site',
    enforce: 'pre',
    transform(code, id) {
      if (!CATALOGUE.test(id.replaceAll('\\', '/'))) return null
      const names = [...code.matchAll(EXPORTED)].map(([, name = '']) => name)
      const plain = code.replace(EXPORTED, 'const $1Plain')
      const lines = names.map((name) => `export const ${name} = inLanguage(${name}Plain)`)
      return [`import { inLanguage } from '/mock/language.ts'`, plain, ...lines].join('\n')
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
