import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { launch } from './browser.ts'
import { serveFiles } from './file-server.ts'
import { stillContext } from './look.ts'

const web = fileURLToPath(new URL('..', import.meta.url))

interface MockSite extends AsyncDisposable {
  readonly url: string
}

/** The site on its mock, in a folder of its own: files that run side by side build it each for itself. */
async function openMockSite(): Promise<MockSite> {
  const disposal = createDisposal()
  const folder = mkdtempSync(join(tmpdir(), 'pennant-mock-'))
  disposal.defer(() => rmSync(folder, { recursive: true, force: true }))
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  const build = ['build', '--mode', 'mock', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir']
  const made = spawnSync(process.execPath, [vite, ...build], { cwd: web, encoding: 'utf8' })
  if (made.status !== 0) {
    await disposal[Symbol.asyncDispose]()
    throw new Error(`The mock does not build: ${made.stderr}`)
  }
  const server = await serveFiles({ folder })
  disposal.defer(() => server[Symbol.asyncDispose]())
  return { url: server.url, [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose]() }
}

/** The site on its mock and one browser for the whole file. `still` is a browser where nothing moves, in the dark. */
export function shareMockSite() {
  let site: MockSite
  let browser: Browser
  beforeAll(async () => {
    site = await openMockSite()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.[Symbol.asyncDispose]()
  })
  return {
    still: (width: number): Promise<BrowserContext> =>
      stillContext(browser, { url: site.url, width, theme: 'dark' }),
  }
}
