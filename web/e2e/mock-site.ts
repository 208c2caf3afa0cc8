import { fileURLToPath } from 'node:url'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { sharedBrowser } from './browser.ts'
import { serveFiles, type FileServer } from './file-server.ts'
import { stillContext } from './look.ts'

/** Built by `npm run test:browser`. */
const folder = fileURLToPath(new URL('../dist-mock', import.meta.url))

/** Serves the mock site to the tests of a file. `still` returns a context without animations, in the dark theme. */
export function shareMockSite() {
  let server: FileServer
  beforeAll(async () => {
    // Cached scripts also keep their compiled code for the next page.
    server = await serveFiles({ folder, headers: { 'cache-control': 'max-age=3600' } })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  return {
    still: async (width: number): Promise<BrowserContext> =>
      stillContext(await sharedBrowser(), { url: server.url, width, theme: 'dark' }),
  }
}
