import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bigBoard, bigBoardConfig, fillBoard } from './big-board.ts'
import { openSite, type Site } from './harness.ts'

// On a real server with 10,000 teams.

const ROW_PX = 40
const FRAMES = 60

const nameOf = (place: number) => (place === bigBoard.place ? 'Own Crew' : `Crew ${place}`)
const rowOf = (page: Page, place: number) =>
  page.getByRole('table', { name: 'Standings' }).getByRole('link', { name: nameOf(place), exact: true })
const region = (page: Page) => page.getByRole('region', { name: 'Standings' })

let board: { readonly site: Site } & Awaited<ReturnType<typeof fillBoard>>

// The tests only read these standings, which take seconds to fill.
beforeAll(async () => {
  const site = await openSite(bigBoardConfig)
  board = { site, ...(await fillBoard(site)) }
})

// In tests the server's clock only moves on request, and an address has three searches until it does.
beforeAll(() => {
  const timer = setInterval(() => board.contest.clock.advance(1_000), 1_000)
  return () => clearInterval(timer)
})

afterAll(async () => {
  await board.contest[Symbol.asyncDispose]()
  await board.site[Symbol.asyncDispose]()
})

test("ten thousand teams: own row, end, search, division, and back to the viewer's row", async () => {
  const { site, contest, own } = board
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
  await mine.getByText(/behind the team above/).waitFor()

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

  await page.evaluate(recordAlerts)
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
  await page.getByRole('dialog').getByRole('link', { name: 'Open profile' }).click()
  await page.getByRole('heading', { level: 1, name: nameOf(2002) }).waitFor()
  await page.goBack()
  await page.waitForURL(/\/scores/)
  await rowOf(page, 2002).waitFor()
  expect(site.complaints).toEqual([])
})

test('a search that the rate limit refuses again says so until it succeeds', async () => {
  const { site, contest } = board
  const page = await site.visitor({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${contest.url}/scores`)
  await rowOf(page, 1).waitFor()
  const address = /leaderboard\/now\?.*search=/
  const json = { kind: 'badRateLimit', message: 'Too fast.', data: { timeLeft: 300 } }
  await page.route(address, (route) => route.fulfill({ status: 429, json }))
  await page.getByRole('searchbox', { name: 'Search teams' }).fill('crew 42')
  const notice = page.getByText('Too many requests from your network. Retrying.')
  await notice.waitFor()
  await page.unroute(address)
  await rowOf(page, 42).waitFor()
  await notice.waitFor({ state: 'detached' })
  expect(site.complaints).toEqual([])
})

test('teams are compared side by side, and the address shows the same comparison to others', async () => {
  const { site, contest, own } = board
  const page = await site.visitor({ team: own, viewport: { width: 1280, height: 900 } })
  await page.goto(`${contest.url}/scores`)
  const compare = async (place: number) => {
    await rowOf(page, place).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('dialog', { name: 'Comparison of teams' }).waitFor()
  }
  await rowOf(page, 1).waitFor()
  await compare(2)
  const dialog = page.getByRole('dialog', { name: 'Comparison of teams' })
  await dialog.getByRole('columnheader', { name: 'Own Crew' }).waitFor()
  await dialog.getByRole('columnheader', { name: 'Crew 2', exact: false }).waitFor()
  await dialog.getByRole('rowheader', { name: 'Task 1', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await compare(3)
  await expect.poll(() => dialog.getByRole('columnheader').count()).toBe(3)

  const shared = new URL(page.url())
  expect(shared.searchParams.get('compare')?.split(',')).toHaveLength(3)
  const other = await site.visitor({ viewport: { width: 360, height: 780 } })
  await other.goto(`${shared.href},00000000-0000-4000-8000-000000000000`)
  const seen = other.getByRole('dialog', { name: 'Comparison of teams' })
  await seen.getByText('One team of this address does not exist.').waitFor()
  expect(await seen.getByRole('columnheader').count()).toBe(3)
  await seen.getByRole('button', { name: 'Remove Crew 3 from the comparison' }).click()
  await expect.poll(() => seen.getByRole('columnheader').count()).toBe(2)
  await seen.getByRole('button', { name: 'Clear comparison' }).click()
  await seen.waitFor({ state: 'detached' })
  expect(new URL(other.url()).searchParams.get('compare')).toBeNull()
  expect(site.complaints).toEqual([])
})

test('a profile that cannot be read for a comparison is reported, and read again on request', async () => {
  await using site = await openSite()
  const [one, two] = [await site.contest.team('Anchors'), await site.contest.team('Buoys')]
  const page = await site.visitor()
  const profiles = /\/api\/v2\/users\/[\w-]{36}$/
  await page.route(profiles, (route) => route.abort('connectionrefused'))
  await page.goto(`/scores?compare=${one.id},${two.id}`)
  const dialog = page.getByRole('dialog', { name: 'Comparison of teams' })
  const again = dialog.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  const asked = page.waitForRequest(profiles)
  await again.click()
  await asked
  await page.unroute(profiles)
  // The first profile that arrives reads the other one again, which may take the button away at any moment.
  const clickIfShown = () =>
    again.evaluateAll((buttons) =>
      buttons.forEach((each) => each.dispatchEvent(new MouseEvent('click', { bubbles: true }))),
    )
  await expect.poll(() => clickIfShown().then(() => dialog.getByRole('columnheader').count())).toBe(2)
  await dialog.getByRole('columnheader', { name: 'Anchors' }).waitFor()
  await dialog.getByRole('columnheader', { name: 'Buoys' }).waitFor()
  expect(site.complaints.filter((text) => !text.includes('net::ERR_CONNECTION_REFUSED'))).toEqual([])
})

test('rows are reached with the keyboard, opened, and keep their position when closed', async () => {
  const { site, contest, own } = board
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
  await page.getByRole('dialog').getByText('23 of 24 solved').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => focusedText(page)).toBe('Crew 3')
  await page.keyboard.press('/')
  await page.keyboard.type('crew 42')
  await rowOf(page, 42).waitFor()
  expect(site.complaints).toEqual([])
})

test('scrolling renders few elements per frame', async () => {
  const { site, contest } = board
  const page = await site.visitor({ viewport: { width: 1440, height: 900 } })
  for (const view of ['list', 'matrix']) {
    await page.goto(`${contest.url}/scores?view=${view}&graph=0`)
    await rowOf(page, 1).waitFor()
    const frames = await region(page).evaluate(scroll, FRAMES)
    // Printed only: the frame time depends on the machine.
    console.info(`${view}: a frame takes ${frames.median} ms, 95 of 100 at most ${frames.most} ms`)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1500)
  }
  expect(site.complaints).toEqual([])
})

test('the graph is zoomed with the keyboard, and keeps the focus when it is reset', async () => {
  const { site, contest } = board
  const page = await site.visitor({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${contest.url}/scores`)
  const graph = page.getByRole('img', { name: 'Scores over time' })
  const reset = page.getByRole('button', { name: 'Reset zoom' })
  const focused = page.locator(':focus').and(graph)
  await graph.focus()
  await page.keyboard.press('+')
  await reset.waitFor()
  await page.keyboard.press('Escape')
  await reset.waitFor({ state: 'hidden' })
  await page.keyboard.press('+')
  await reset.focus()
  await page.keyboard.press('Enter')
  await focused.waitFor()
  expect(await reset.count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test("flags and the graph use the chosen language, not the browser's", async () => {
  const { site, contest } = board
  const page = await site.visitor({ locale: 'en-US', viewport: { width: 1280, height: 900 } })
  await page.addInitScript(() => localStorage.setItem('pennant.preferences', '{"language":"de"}'))
  await page.goto(`${contest.url}/scores`)
  await page.getByTitle('Norwegen').first().waitFor()
  await page.getByRole('img', { name: 'Punkte im Zeitverlauf' }).press('End')
  const caption = page.locator('figcaption')
  await caption
    .getByText(/\d\.\d{3}$/)
    .first()
    .waitFor()
  expect(await caption.getByText(/\d,\d{3}$/).count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('a graph or matrix that cannot be loaded says so and is requested again', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await site.contest.team('Sailors')
  await site.contest.call(submitFlag, {
    token: team.token,
    params: { id: 'anchor' },
    body: { flag: 'flag{anchor}' },
  })
  const page = await site.visitor({ viewport: { width: 1280, height: 900 } })
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
  // The graph in the corner of the matrix repeats what its rows say, so its failure is not reported there.
  const parts = [
    ['/scores', /leaderboard\/graph/, page.getByRole('img', { name: 'Scores over time' })],
    [
      '/scores?view=matrix',
      /leaderboard\/(?:challs|challenges)/,
      page.getByRole('columnheader', { name: /^Anchor web/ }),
    ],
  ] as const
  for (const [path, refused, part] of parts) {
    await page.route(refused, (route) =>
      route.fulfill({ status: 404, json: { kind: 'badEndpoint', message: '' } }),
    )
    await page.goto(path)
    await again.waitFor()
    await page.unroute(refused)
    await again.click()
    await part.waitFor()
    expect(await again.count()).toBe(0)
  }
  expect(site.complaints).toEqual([])
})

/** Runs in the page: records every alert, however briefly it is shown. */
function recordAlerts() {
  new MutationObserver(() => {
    const isShown = document.querySelector('main [role=alert]') !== null
    if (isShown) document.documentElement.dataset['alerts'] = 'shown'
  }).observe(document.body, { childList: true, subtree: true })
}

function refuseOnce(page: Page, address: RegExp): Promise<unknown> {
  const json = { kind: 'badRateLimit', message: 'Too fast.', data: { timeLeft: 300 } }
  return page.route(address, (route) => route.fulfill({ status: 429, json }), { times: 1 })
}

function focusedText(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.textContent ?? null)
}

/** Runs in the page: scrolls a hundred rows per frame and returns the frame times in milliseconds. */
async function scroll(box: Element, count: number) {
  const next = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const times: number[] = []
  let last = await next()
  for (let frame = 0; frame < count; frame += 1) {
    box.scrollTop += 100 * 40
    const now = await next()
    times.push(now - last)
    last = now
  }
  times.sort((left, right) => left - right)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  return { median: at(0.5), most: at(0.95) }
}
