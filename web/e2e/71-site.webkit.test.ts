import { test, vi } from 'vitest'
import { tour } from './engine-tour.ts'
import { openSite } from './harness.ts'
import { startWebKit } from './webkit.ts'

// Thirty pages, in a browser without acceleration.
vi.setConfig({ testTimeout: 300_000 })

test('in WebKit, pages of three roles open, a flag is accepted, a file uploaded, news arrive', async () => {
  await using site = await openSite()
  await using webkit = await startWebKit(site.contest.url)
  await tour(site, webkit.openTab)
})
