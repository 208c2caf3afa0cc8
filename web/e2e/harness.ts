import { fileURLToPath } from 'node:url'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { startContest, type Contest, type Member } from '../../server/test/harness.ts'
import { launch, listen } from './browser.ts'

const siteDirectory = fileURLToPath(new URL('../dist', import.meta.url))
const HOUR_MS = 3_600_000
/** How long a story waits for what it looks for: a bound for a busy machine, not a measure. */
export const PATIENCE_MS = 30_000

interface PageOptions extends BrowserContextOptions {
  /** Signed in from the start. */
  readonly team?: Member
}

export interface Site extends AsyncDisposable {
  readonly contest: Contest
  /** What browsers complained of: console errors, policy reports, errors that nobody caught. Empty in a good story. */
  readonly complaints: readonly string[]
  /** A browser of its own, as of another person, on a page that is still blank. */
  visitor(options?: PageOptions): Promise<Page>
  addChallenge(id: string, fields?: object): Promise<void>
}

/** The built site on a real server whose contest runs for an hour already, with a clock that the story moves. */
export async function openSite(config: Readonly<Record<string, unknown>> = {}): Promise<Site> {
  const disposal = createDisposal()
  const now = Date.now()
  const times = { startTime: now - HOUR_MS, endTime: now + 47 * HOUR_MS }
  // Browsers take the time from the `Date` of answers, which is that of the machine.
  const contest = await startContest({ siteDirectory, startsAt: now, config: { ...times, ...config } })
  disposal.defer(() => contest[Symbol.asyncDispose]())
  const browser = await launch()
  disposal.defer(() => browser.close())
  const complaints: string[] = []
  const admin = await contest.admin()
  return {
    contest,
    complaints,
    async visitor({ team, ...options } = {}) {
      const context = await browser.newContext({ baseURL: contest.url, ...options })
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
      const answer = await contest.call(putChallengeV2, {
        token: admin.token,
        params: { id },
        body: { data },
      })
      if (answer.kind !== 'goodChallengeUpdateV2') throw new Error(JSON.stringify(answer))
    },
    [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
  }
}
