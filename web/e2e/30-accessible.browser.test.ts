import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

// Section 6 of the site specification: no violation of any impact, and no page that scrolls sideways.

const LOOKS = [
  { colorScheme: 'dark', viewport: { width: 1440, height: 800 } },
  { colorScheme: 'light', viewport: { width: 360, height: 800 } },
] as const
const VISITORS = ['/', '/register', '/login', '/recover', '/verify', '/nowhere', '/challenges/anchor']
const TEAMS = ['/challenges', '/challenges/anchor', '/scores', '/profile']

test.each(LOOKS)('pages are for everybody, $colorScheme at $viewport.width', async (look) => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor', description: '> [!TIP]\n> Look.\n\n```\ncode\n```' })
  const team = await site.contest.team('Sailors')
  for (const [paths, options] of [
    [VISITORS, look],
    [TEAMS, { ...look, team }],
  ] as const) {
    const page = await site.visitor(options)
    for (const path of paths) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle')
      expect(await violationsOf(page), path).toEqual([])
      const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      // Below 0 by the room that is kept for a scroll bar.
      expect(await inPage(page, excess), path).toBeLessThanOrEqual(0)
    }
  }
  expect(site.complaints).toEqual([])
})

async function violationsOf(page: Page): Promise<unknown> {
  await inPage(page, axe.source)
  return inPage(
    page,
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))',
  )
}

/** As the browser's own tools would: the site's policy forbids `eval` to everybody else. */
async function inPage(page: Page, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page)
  const { result } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  return result.value
}
