import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContest, type Contest } from '../../server/test/harness.ts'
import { sharedBrowser } from './browser.ts'

// A browser must get the response to an upload that the server refuses before it has read it.

/** A few by default; PENNANT_UPLOAD_TRIES sets more. */
const TRIES = Number(process.env['PENNANT_UPLOAD_TRIES'] ?? 12)
const SIZES = [10, 1000, 65_536, 262_144, 1_048_576, 2_000_000]

let contest: Contest
let page: Page
beforeAll(async () => {
  contest = await startContest()
  page = await (await sharedBrowser()).newPage()
  await page.goto(`${contest.url}/api/healthz`)
})
afterAll(async () => {
  await page.context().close()
  await contest[Symbol.asyncDispose]()
})

test.each(SIZES)('a refused upload of %i bytes gets its response', async (size) => {
  const counts = await page.evaluate(
    async ({ tries, bytes }) => {
      const seen: Record<string, number> = {}
      for (let count = 0; count < tries; count++) {
        for (const [method, path, field] of [
          ['POST', '/api/v2/admin/upload', 'files'],
          ['PATCH', '/api/v2/users/me/avatar', 'avatar'],
        ] as const) {
          const body = new FormData()
          body.append(field, new File([new Uint8Array(bytes)], 'a.png'))
          const kind = await fetch(path, { method, body })
            .then((response) => response.json())
            .then(({ kind: received }: { kind: string }) => received, String)
          seen[kind] = (seen[kind] ?? 0) + 1
        }
      }
      return seen
    },
    { tries: TRIES, bytes: size },
  )
  expect(counts).toEqual({ badToken: 2 * TRIES })
})
