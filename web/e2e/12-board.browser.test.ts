import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bigBoard, bigBoardConfig, fillBoard } from './big-board.ts'
import { openSite } from './harness.ts'

// Story 12 of the site specification, on a real server with 10,000 teams.

const ROW_PX = 44
const FRAMES = 60

const nameOf = (place: number) => (place === bigBoard.place ? 'Own Crew' : `Crew ${place}`)
const rowOf = (page: Page, place: number) =>
  page.getByRole('table', { name: 'Standings' }).getByRole('link', { name: nameOf(place), exact: true })
const region = (page: Page) => page.getByRole('region', { name: 'Standings' })

test('ten thousand teams: the own row, the end, a search, a division, and back to the row', async () => {
  await using site = await openSite(bigBoardConfig)
  const { contest, own } = await fillBoard(site)
  await using _ = contest
  const page = await site.visitor({ team: own, viewport: { width: 1280, height: 900 } })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('leaderboard/now')) asked.push(new URL(request.url()).search)
  })
  await page.goto(`${contest.url}/scores`)
  await rowOf(page, 1).waitFor()
  const table = page.getByRole('table', { name: 'Standings' })
  expect(await table.getAttribute('aria-rowcount')).toBe(String(bigBoard.teams))
  const mine = page.getByRole('region', { name: 'Your team' })
  await mine.getByText(bigBoard.place.toLocaleString('en')).waitFor()
  await mine.getByText(/behind the place above/).waitFor()

  asked.length = 0
  await mine.getByRole('button', { name: 'Jump to me' }).click()
  await rowOf(page, bigBoard.place).waitFor()
  await mine.waitFor({ state: 'detached' })
  await expect.poll(() => focusedText(page)).toBe('Own Crew')
  expect(asked.length).toBeLessThanOrEqual(3)
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).not.toBeNull()

  await region(page).evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
  await rowOf(page, bigBoard.teams).waitFor()
  await mine.waitFor()

  await page.evaluate(noteAlerts)
  await refuseOnce(page, /leaderboard\/now\?.*search=/)
  await page.getByRole('searchbox', { name: 'Search teams' }).fill('crew 777')
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('11')
  await rowOf(page, 777).waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset['alerts'])).toBeUndefined()
  expect(new URL(page.url()).searchParams.get('at')).toBeNull()
  await page.getByRole('searchbox', { name: 'Search teams' }).fill('')
  await page.getByRole('combobox', { name: 'Division' }).selectOption('Students')
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(bigBoard.teams / 2))
  await rowOf(page, 2).waitFor()

  await region(page).evaluate((box, px) => box.scrollTo({ top: 1000 * px }), ROW_PX)
  await rowOf(page, 2002).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe('1001')
  await rowOf(page, 2002).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Open the profile' }).click()
  await page.getByRole('heading', { level: 1, name: nameOf(2002) }).waitFor()
  await page.goBack()
  await page.waitForURL(/\/scores/)
  await rowOf(page, 2002).waitFor()
  expect(site.complaints).toEqual([])
})

test('rows are reached by keys alone, opened, and left where they were', async () => {
  await using site = await openSite(bigBoardConfig)
  const { contest, own } = await fillBoard(site)
  await using _ = contest
  const page = await site.visitor({ team: own, viewport: { width: 1280, height: 900 } })
  await page.goto(`${contest.url}/scores`)
  await rowOf(page, 1).waitFor()
  await page.keyboard.press('m')
  await rowOf(page, bigBoard.place).waitFor()
  await expect.poll(() => focusedText(page)).toBe('Own Crew')
  await page.keyboard.press('Home')
  await expect.poll(() => focusedText(page)).toMatch(/^(Crew 1|1)$/)
  await rowOf(page, 1).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focusedText(page)).toBe('Crew 3')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('24 of 24 solved').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => focusedText(page)).toBe('Crew 3')
  await page.keyboard.press('/')
  await page.keyboard.type('crew 42')
  await rowOf(page, 42).waitFor()
  expect(site.complaints).toEqual([])
})

test('frames of scrolling are counted, and few elements are drawn', async () => {
  await using site = await openSite(bigBoardConfig)
  const { contest } = await fillBoard(site)
  await using _ = contest
  const page = await site.visitor({ viewport: { width: 1440, height: 900 } })
  for (const view of ['list', 'matrix']) {
    await page.goto(`${contest.url}/scores?view=${view}&graph=0`)
    await rowOf(page, 1).waitFor()
    const frames = await region(page).evaluate(scroll, FRAMES)
    // A figure for people: what a frame takes depends on the machine.
    console.info(`${view}: a frame takes ${frames.median} ms, 95 of 100 at most ${frames.most} ms`)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1500)
  }
  expect(site.complaints).toEqual([])
})

test('flags and the graph speak the language that was chosen, not that of the browser', async () => {
  await using site = await openSite(bigBoardConfig)
  const { contest } = await fillBoard(site)
  await using _ = contest
  const page = await site.visitor({ locale: 'en-US', viewport: { width: 1280, height: 900 } })
  await page.addInitScript(() => localStorage.setItem('pennant.preferences', '{"language":"de"}'))
  await page.goto(`${contest.url}/scores`)
  await page.getByTitle('Norwegen').first().waitFor()
  const caption = page.locator('figcaption')
  await caption
    .getByText(/\d\.\d{3}$/)
    .first()
    .waitFor()
  expect(await caption.getByText(/\d,\d{3}$/).count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('a graph that does not come, and a matrix without its columns, say so and are asked for again', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await site.contest.team('Sailors')
  await site.contest.call(submitFlag, {
    token: team.token,
    params: { id: 'anchor' },
    body: { flag: 'flag{anchor}' },
  })
  const page = await site.visitor({ viewport: { width: 1280, height: 900 } })
  const refused = /leaderboard\/(?:graph|challs|challenges)/
  await page.route(refused, (route) =>
    route.fulfill({ status: 404, json: { kind: 'badEndpoint', message: '' } }),
  )
  await page.goto('/scores?view=matrix')
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
  await expect.poll(() => again.count()).toBe(2)
  await page.unroute(refused)
  await again.first().click()
  await page.getByRole('img', { name: 'Scores over time' }).waitFor()
  await page.getByRole('columnheader', { name: /^Anchor web/ }).waitFor()
  expect(await again.count()).toBe(0)
  expect(site.complaints).toEqual([])
})

/** In the page: an alert that is shown, however shortly. */
function noteAlerts() {
  new MutationObserver(() => {
    const isTold = document.querySelector('main [role=alert]') !== null
    if (isTold) document.documentElement.dataset['alerts'] = 'told'
  }).observe(document.body, { childList: true, subtree: true })
}

function refuseOnce(page: Page, address: RegExp): Promise<unknown> {
  const json = { kind: 'badRateLimit', message: 'Too fast.', data: { timeLeft: 300 } }
  return page.route(address, (route) => route.fulfill({ status: 429, json }), { times: 1 })
}

function focusedText(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.textContent ?? null)
}

/** In the page: scrolls a hundred rows with each frame. Milliseconds of a frame. */
async function scroll(box: Element, count: number) {
  const next = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const times: number[] = []
  let last = await next()
  for (let frame = 0; frame < count; frame += 1) {
    box.scrollTop += 100 * 44
    const now = await next()
    times.push(now - last)
    last = now
  }
  times.sort((left, right) => left - right)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  return { median: at(0.5), most: at(0.95) }
}
