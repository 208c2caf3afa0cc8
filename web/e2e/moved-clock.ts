import { openStream } from '@pennant/contract/stream.ts'
import type { Locator, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { PATIENCE_MS, type Site } from './harness.ts'

const STEP_MS = 1000
const POLL = { interval: 5, timeout: PATIENCE_MS }
/** Would wait at the server, in real time: no response. */
const UNANSWERED = [openStream.path]

interface Opening {
  readonly path: string
  /** Visible once the page is complete. */
  readonly shown?: Locator
}

/**
 * One clock for browser and server, moved by the scenario; responses carry its date. It is paused once the countdown
 * and `shown` are visible; timers fire only when it is moved.
 */
export async function openWithClock(page: Page, { contest }: Site, { path, shown }: Opening) {
  let behindMs = 0
  let isUnreachable = false
  const now = () => contest.clock.now() + behindMs
  await page.clock.install({ time: now() })
  const fulfil = async (route: Route) => {
    if (isUnreachable) return route.abort('connectionrefused')
    const response = await route.fetch()
    const date = new Date(now()).toUTCString()
    await route.fulfill({ response, headers: { ...response.headers(), date } })
  }
  await page.route('**/api/**', async (route) => {
    if (UNANSWERED.some((each) => route.request().url().includes(each))) return
    await fulfil(route).catch(unlessClosed)
  })
  await page.addInitScript(countPending, UNANSWERED)
  await page.goto(path)
  await page
    .getByText(/(Starts|Ends) in/)
    .first()
    .waitFor()
  await shown?.first().waitFor()
  // Until here the clock ran in real time.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + STEP_MS)
  contest.clock.advance((await page.evaluate(() => Date.now())) - now())
  const check = async (locator: Locator, isThere: boolean) => {
    const about = `${String(locator)} should ${isThere ? 'appear' : 'disappear'}`
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
    /** Waits until it is visible, running pending timers. */
    see: (locator: Locator) => check(locator, true),
    /** Waits until it is hidden. */
    miss: (locator: Locator) => check(locator, false),
    /** Sets the server's clock behind the dates of its responses. */
    fallBehind(seconds: number) {
      contest.clock.advance(-seconds * STEP_MS)
      behindMs += seconds * STEP_MS
    },
    /** Makes the server unreachable, or reachable again. */
    setUnreachable(unreachable: boolean) {
      isUnreachable = unreachable
    },
    /**
     * Advances in steps of a second and waits for the responses of each step: the page's time stops while they are on their way
     * in real time. Otherwise requests of a busy machine would time out and be repeated.
     */
    async pass(seconds: number) {
      await this.passUntil(now() + seconds * STEP_MS)
    },
    async passUntil(instant: number) {
      while (now() < instant) {
        const step = Math.min(STEP_MS, instant - now())
        contest.clock.advance(step)
        await page.clock.runFor(step)
        await expect.poll(() => page.evaluate(pendingCount), POLL).toBe(0)
      }
    },
  }
}

interface Counted {
  pending: number
}

/** Runs in the page: counts requests without a response. */
function countPending(unanswered: readonly string[]): void {
  const counted = Object.assign(globalThis, { pending: 0 }) as typeof globalThis & Counted
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    if (unanswered.some((each) => String(input).includes(each))) return fetch(input, init)
    counted.pending += 1
    try {
      return await fetch(input, init)
    } finally {
      counted.pending -= 1
    }
  }
}

/** Runs in the page. */
function pendingCount(): number {
  return (globalThis as unknown as Counted).pending
}

/** The scenario may end while a request is in flight. */
function unlessClosed(error: unknown): void {
  if (!/(?:has been|context) (?:closed|disposed)/.test(String(error))) throw error
}
