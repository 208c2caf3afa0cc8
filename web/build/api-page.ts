import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'vite'

const source = (name: string) => fileURLToPath(new URL(`../api-docs/${name}`, import.meta.url))
const face = (name: string) => fileURLToPath(new URL(`../src/theme/faces/${name}`, import.meta.url))
const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const viewerFile = (name: string) => readFileSync(join(viewer, name), 'utf8')

/** Path of the page in the built site. */
const PAGE = 'api-docs/index.html'

/**
 * The page of the API: an existing viewer with our texts around it. A page of its own, because the site must not load anything of it.
 * docs/reference/site.md#the-page-of-the-api
 */
export function apiPage(): Plugin {
  return {
    name: 'pennant-api-page',
    apply: 'build',
    async generateBundle() {
      const emit = (name: string, content: string | Uint8Array) =>
        `/${this.getFileName(this.emitFile({ type: 'asset', name: `api-docs-${name}`, source: content }))}`
      const withFaces = (css: string) =>
        css.replaceAll(/\{\{([\w.-]+)\}\}/g, (_, name: string) => emit(name, readFileSync(face(name))))
      const files: Readonly<Record<string, string>> = {
        'viewer.js': emit('viewer.js', viewerFile('swagger-ui-bundle.js')),
        'viewer.css': emit('viewer.css', viewerFile('swagger-ui.css')),
        'page.css': emit('page.css', withFaces(await bundled('page.css'))),
        'page.js': emit('page.js', await bundled('page.ts')),
        'trusted-html.js': emit('trusted-html.js', await bundled('trusted-html.ts')),
        'start.js': emit('start.js', await bundled('viewer.ts')),
      }
      const page = readFileSync(source('page.html'), 'utf8')
      const html = page.replaceAll(/\{\{([\w.-]+)\}\}/g, (_, name: string) => files[name] ?? '')
      this.emitFile({ type: 'asset', fileName: PAGE, source: html })
      const licenses =
        viewerFile('LICENSE') + viewerFile('NOTICE') + viewerFile('swagger-ui-bundle.js.LICENSE.txt')
      this.emitFile({ type: 'asset', fileName: 'api-docs/licenses.txt', source: licenses })
    },
  }
}

async function bundled(name: string): Promise<string> {
  const options = { bundle: true, minify: true, write: false, format: 'iife', target: 'es2022' } as const
  const { outputFiles } = await build({ ...options, entryPoints: [source(name)], external: ['{{*'] })
  return outputFiles[0]?.text ?? ''
}
