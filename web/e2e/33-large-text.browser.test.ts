import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

// Text grows to 200 % and no page scrolls sideways: docs/reference/site.md#accessibility

const ALL_RIGHTS = 63

test('with text twice as large the header does not overlap, and the page is not wider', async () => {
  await using site = await openSite()
  const team = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team, viewport: { width: 1440, height: 900 } })
  await page.goto('/')
  const header = page.getByRole('banner')
  await header.getByRole('link', { name: 'Organise' }).waitFor()
  await header.getByText('Ends in').waitFor()
  const boxes = async () => {
    const end = await header.getByRole('timer').boundingBox()
    const link = await header.getByRole('link', { name: 'Organise' }).boundingBox()
    const whole = await header.boundingBox()
    if (!end || !link || !whole) throw new Error('the header is not drawn')
    return { end, link, whole }
  }
  const small = await boxes()
  expect(small.whole.height).toBe(56)
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  for (const width of [1440, 1200, 1000]) {
    await page.setViewportSize({ width, height: 900 })
    const { end, link } = await boxes()
    expect([width, end.x >= link.x + link.width || end.y >= link.y + link.height]).toEqual([width, true])
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([width, Math.max(0, tooWide)]).toEqual([width, 0])
  }
  expect(site.complaints).toEqual([])
})
