import type { Locator, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { PATIENCE_MS, type Site } from './harness.ts'

const STEP_MS = 1000

interface Opening {
  readonly path: string
  /** What is there when the page is complete. */
  readonly shown?: Locator
}

/**
 * One clock for browser and server, which the story moves: answers carry the date of the contest's clock. It stands
 * still from when the countdown and `shown` are there: what asks again after a while would wait for ever.
 */
export async function openWithClock(page: Page, { contest }: Site, { path, shown }: Opening) {
  let behindMs = 0
  let isAway = false
  const open = new Set<Promise<void>>()
  const now = () => contest.clock.now() + behindMs
  await page.clock.install({ time: now() })
  const answer = async (route: Route) => {
    if (isAway) return route.abort('connectionrefused')
    const response = await route.fetch()
    const date = new Date(now()).toUTCString()
    await route.fulfill({ response, headers: { ...response.headers(), date } })
  }
  await page.route('**/api/**', async (route) => {
    const answered = answer(route).catch(unlessClosed)
    open.add(answered)
    await answered
    open.delete(answered)
  })
  await page.goto(path)
  await page
    .getByText(/(Starts|Ends) in/)
    .first()
    .waitFor()
  await shown?.first().waitFor()
  // So far it went by itself.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + STEP_MS)
  contest.clock.advance((await page.evaluate(() => Date.now())) - now())
  const look = async (locator: Locator, isThere: boolean) => {
    const about = `${String(locator)} should ${isThere ? 'come' : 'go'}`
    await expect
      .poll(
        async () => {
          await page.clock.runFor(1)
          return (await locator.count()) > 0
        },
        { timeout: PATIENCE_MS, message: about },
      )
      .toBe(isThere)
  }
  return {
    /** Waits for it: what is drawn by timers would not come by itself, and answers are. */
    see: (locator: Locator) => look(locator, true),
    /** Waits until it is gone. */
    miss: (locator: Locator) => look(locator, false),
    /** Lets the server's clock be so many seconds behind what its answers say. */
    fallBehind(seconds: number) {
      contest.clock.advance(-seconds * STEP_MS)
      behindMs += seconds * STEP_MS
    },
    /** From now on nobody answers, or somebody does again. */
    setAway(away: boolean) {
      isAway = away
    },
    /** In steps of a second, each with the answers to what it asked. */
    async pass(seconds: number) {
      await this.passUntil(now() + seconds * STEP_MS)
    },
    async passUntil(instant: number) {
      while (now() < instant) {
        const step = Math.min(STEP_MS, instant - now())
        contest.clock.advance(step)
        await page.clock.runFor(step)
        await Promise.allSettled(open)
      }
    },
  }
}

/** The story may end while something is asked. */
function unlessClosed(error: unknown): void {
  if (!/has been closed/.test(String(error))) throw error
}
