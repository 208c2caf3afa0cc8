import { existsSync } from 'node:fs'
import { readAdminBotJob } from '@pennant/contract/admin-bot.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBotJobs } from '../../server/test/bot-contest.ts'
import { eventually } from '../../server/test/eventually.ts'
import type { Member } from '../../server/test/harness.ts'
import { LEASE_MS } from '../../server/src/features/engines/admin-bot/worker-store.ts'
import type { HttpService } from '../../server/test/http-service.ts'
import { startPages } from './pages.ts'
import { codeOf, send, startStage, waitForEnd, type Stage } from './stage.ts'
import { foldersOf, processesOf, startWorkerProcess } from './worker-process.ts'

let pages: HttpService

beforeAll(async () => {
  pages = await startPages()
})

afterAll(() => pages[Symbol.asyncDispose]())

async function startVisits(workers: number, seconds: number, env = {}): Promise<Stage> {
  const stage = await startStage({ workers, env: { ALLOW_PRIVATE: new URL(pages.url).host, ...env } })
  const code = codeOf(`const page = await browserContext.newPage()
    await page.goto('${pages.url}/plain?team=' + job.userId)
    await page.waitForTimeout(${seconds * 1000})
    output.info('done', 'yes')`)
  await stage.addChallenge('visit', code, {})
  return stage
}

const visitsOf = ({ id }: Member) => pages.asked.filter(({ url }) => url.endsWith(`team=${id}`)).length

async function sendTo(stage: Stage): Promise<{ team: Member; jobId: string }> {
  const team = await stage.contest.team()
  return { team, jobId: await send(stage, team, { id: 'visit', inputs: {} }) }
}

test('a worker finishes its visit on the first stop signal and leaves nothing behind', async () => {
  await using stage = await startVisits(1, 2)
  const worker = stage.workers[0]!
  const { team, jobId } = await sendTo(stage)
  await eventually(() => expect(visitsOf(team)).toBe(1))
  worker.signal('SIGTERM')
  expect(await worker.ended).toBe(0)
  expect(await waitForEnd(stage, team, { id: 'visit', jobId })).toMatchObject({ status: 'completed' })
  expect(processesOf(worker.id)).toEqual([])
  expect(foldersOf(worker.id)).toEqual([])
})

test('a worker returns its job to the queue on the second stop signal', async () => {
  await using stage = await startVisits(2, 3)
  const [first, second] = stage.workers
  // A waiting worker must not take the job first.
  second!.signal('SIGSTOP')
  const { team, jobId } = await sendTo(stage)
  await eventually(() => expect(visitsOf(team)).toBe(1))
  first!.signal('SIGTERM')
  await eventually(() => {
    first!.signal('SIGTERM')
    expect(processesOf(first!.id)).toEqual([])
  })
  expect(await first!.ended).toBe(0)
  expect(foldersOf(first!.id)).toEqual([])
  // No one renews the lease any more; moving the clock saves the wait for its end.
  stage.contest.clock.advance(LEASE_MS)
  second!.signal('SIGCONT')
  expect(await waitForEnd(stage, team, { id: 'visit', jobId })).toMatchObject({ status: 'completed' })
  expect(visitsOf(team)).toBe(2)
})

test('processes of a killed worker exit, and the next worker cleans up', async () => {
  await using stage = await startVisits(1, 6)
  const worker = stage.workers[0]!
  const { team } = await sendTo(stage)
  await eventually(() => expect(visitsOf(team)).toBe(1))
  // Once it is killed, a worker of another test that starts may clean up, too.
  expect(foldersOf(worker.id)).toHaveLength(1)
  worker.signal('SIGKILL')
  await worker.ended
  await eventually(() => expect(processesOf(worker.id)).toEqual([]))
  await using next = await startWorkerProcess({ BASE_URL: stage.contest.url, SECRET_KEY: 'x' })
  expect(foldersOf(worker.id)).toEqual([])
  expect(foldersOf(next.id)).toHaveLength(1)
})

/** The queue does not depend on the browser, and this one starts three times as fast. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const QUICK_BROWSER = existsSync(HEADLESS_SHELL) ? { CHROMIUM_PATH: HEADLESS_SHELL } : {}
/** The last team's place in the queue is read each time: more often would exceed its rate limit. */
const POLL_MS = 100
const JOBS = 40
const DONE_BEFORE_THE_KILL = 10

test('completes each of forty jobs once when one of two workers is killed', async () => {
  await using stage = await startVisits(2, 0, QUICK_BROWSER)
  const { contest } = stage
  const sent: { team: Member; jobId: string }[] = []
  for (let index = 0; index < JOBS; index += 1) sent.push(await sendTo(stage))
  const last = sent.at(-1)!.team
  const positions: number[] = []
  const checkPlace = async () => {
    const own = { token: last.token, params: { id: 'visit' } }
    const response = await contest.call(readAdminBotJob, own)
    if (response.kind !== 'goodAdminBotJobStatus') throw new Error(JSON.stringify(response))
    const place = response.data.job?.queuePosition
    if (typeof place === 'number') positions.push(place)
    const queued = (await readBotJobs(contest)).filter(({ status }) => status === 'queued').length
    // It is the last in the queue, which can only shrink between both reads.
    if (typeof place === 'number') expect(queued).toBeLessThanOrEqual(place)
  }
  await eventually(async () => {
    await checkPlace()
    const jobs = await readBotJobs(contest)
    expect(jobs.filter(({ status }) => status === 'completed').length).toBeGreaterThan(DONE_BEFORE_THE_KILL)
    expect(jobs.filter(({ status }) => status === 'running')).toHaveLength(2)
  }, POLL_MS)
  stage.workers[1]!.signal('SIGKILL')
  expect(positions).toEqual(positions.toSorted((a, b) => b - a))
  expect(positions.at(-1)).toBeLessThan(JOBS - DONE_BEFORE_THE_KILL)

  let ended = 0
  while (ended < JOBS) {
    const before = ended
    ended = await eventually(async () => {
      const now = (await readBotJobs(contest)).filter(
        ({ status }) => status !== 'queued' && status !== 'running',
      )
      expect(now.length).toBeGreaterThan(before)
      return now.length
    })
  }
  const jobs = await readBotJobs(contest)
  expect(jobs.filter(({ status }) => status !== 'completed')).toEqual([])
  // Only the killed worker's job was assigned again.
  expect(jobs.filter(({ attempts }) => attempts > 1)).toHaveLength(1)
  const visits = sent.map(({ team }) => visitsOf(team))
  expect(Math.min(...visits)).toBe(1)
  expect(visits.filter((count) => count > 1).length).toBeLessThanOrEqual(1)
}, 600_000)
