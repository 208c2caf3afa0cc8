import { fileURLToPath } from 'node:url'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import type { Client } from '@pennant/contract/client.ts'
import { openStream } from '@pennant/contract/stream.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { startContest, type Contest, type Member } from '../../server/test/harness.ts'
import { listen, sharedBrowser } from './browser.ts'

export const siteDirectory = fileURLToPath(new URL('../dist', import.meta.url))
/** How long a scenario waits for an element: generous, for a busy machine. */
export const PATIENCE_MS = 30_000

interface PageOptions extends BrowserContextOptions {
  /** Signed in from the start. */
  readonly team?: Member
}

export interface Site extends AsyncDisposable {
  readonly contest: Contest
  /** Console errors, policy reports and uncaught errors. Empty if the scenario passes. */
  readonly complaints: readonly string[]
  /** A separate browser context, like another person's, with a blank page. */
  visitor(options?: PageOptions): Promise<Page>
  addChallenge(id: string, fields?: object): Promise<void>
}

/**
 * The built site on a real server whose contest started an hour ago, with a clock that the scenario controls.
 */
export async function openSite(config: Readonly<Record<string, unknown>> = {}): Promise<Site> {
  const disposal = createDisposal()
  const now = Date.now()
  const times = { startTime: now - HOUR_MS, endTime: now + 47 * HOUR_MS }
  // Browsers read the time from the `Date` header, which is the machine's.
  const started = await startContest({ siteDirectory, startsAt: now, config: { ...times, ...config } })
  disposal.defer(() => started[Symbol.asyncDispose]())
  const contest = { ...started, call: rejectFailures(started.call) }
  const browser = await sharedBrowser()
  const complaints: string[] = []
  const admin = await contest.admin()
  return {
    contest,
    complaints,
    async visitor({ team, ...options } = {}) {
      const context = await browser.newContext({ baseURL: contest.url, ...options })
      disposal.defer(() => context.close())
      context.setDefaultTimeout(PATIENCE_MS)
      if (team) {
        const key = { name: 'pennant.token', value: team.token }
        await context.addInitScript(({ name, value }) => localStorage.setItem(name, value), key)
      }
      const page = await context.newPage()
      listen(page, complaints)
      return page
    },
    async addChallenge(id, fields = {}) {
      const data = { name: id, category: 'web', hidden: false, flag: `flag{${id}}`, ...fields }
      const response = await contest.call(putChallengeV2, {
        token: admin.token,
        params: { id },
        body: { data },
      })
      accepted(response)
    },
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}

/**
 * Scenarios call the API to prepare and to check. A rate limit or a server error there is never expected, and a
 * helper that polls could take it for an empty list.
 */
function rejectFailures(call: Client): Client {
  return async (route, request) => {
    const response = await call(route, request)
    const { kind } = response
    if (kind === 'badRateLimit' || kind.startsWith('error'))
      throw new Error(`${route.method} ${route.path}: ${JSON.stringify(response)}`)
    return response
  }
}

/** Opens a page and waits for its live stream: what happens from then on reaches it as an event. */
export async function gotoLive(page: Page, path: string): Promise<void> {
  const opened = page.waitForResponse((response) => response.url().endsWith(openStream.path))
  await page.goto(path)
  const type = (await opened).headers()['content-type']
  if (type !== 'text/event-stream') throw new Error(`${path} has no live stream: ${type}`)
}

/** What the page announces after an action. Unlike the word in the button, it stays until the next announcement. */
export function announced(page: Page, text: string) {
  return page.locator('[aria-live=polite]').getByText(text, { exact: true }).last()
}

/** Returns the response, or throws it when it is a refusal. */
export function accepted<T extends { readonly kind: string }>(response: T): T {
  if (!response.kind.startsWith('good')) throw new Error(JSON.stringify(response))
  return response
}
