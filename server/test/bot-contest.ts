import { submitAdminBotJob } from '@pennant/contract/admin-bot.ts'
import sql from 'sql-template-tag'
import type { ChallengeRow } from '../src/world/model.ts'
import { putChallenge } from './contest-data.ts'
import { challengeRow } from './contest-rows.ts'
import { startContest, type Contest, type ContestOptions, type Member } from './harness.ts'
import { startFakeWorker, type FakeWorker, type FakeWorkerOptions } from './fake-worker.ts'

export const botSecret = 'bot-secret-77ab'
export const botConfig = {
  adminBot: {
    provider: {
      name: 'admin-bots/browser',
      options: { endpoint: 'http://worker.test', secretKey: botSecret },
    },
  },
}

export const jobTimeoutMs = 10_000

export const botSettings = {
  code: 'export const challenge = 1',
  revision: 'r1',
  inputs: { url: { pattern: '^https?://' } } as Readonly<Record<string, { pattern: string }>>,
  timeoutMilliseconds: jobTimeoutMs,
  requireInstancerInstancesRunning: false,
}

/** Starts a contest with an admin bot and the challenge `xss`, which the bot visits. */
export async function startBotContest({ config, ...options }: ContestOptions = {}): Promise<Contest> {
  const contest = await startContest({ ...options, config: { ...botConfig, ...config } })
  if (!options.beside) await addBotChallenge(contest, 'xss')
  return contest
}

/** Overrides for the bot settings and for the challenge's fields. */
type BotChallenge = Partial<typeof botSettings> &
  Partial<Pick<ChallengeRow, 'hidden' | 'flags' | 'instancerConfig'>>

export async function addBotChallenge(
  { db }: Contest,
  id: string,
  { hidden = false, flags, instancerConfig = null, ...settings }: BotChallenge = {},
): Promise<void> {
  const row = { hidden, instancerConfig, adminBotConfig: { ...botSettings, ...settings } }
  await putChallenge(db, challengeRow(id, { ...row, ...(flags && { flags }) }))
}

export function workerOf({ url }: Contest, work?: NonNullable<FakeWorkerOptions['work']>): FakeWorker {
  return startFakeWorker({ url, secretKey: botSecret, ...(work && { work }) })
}

export const goodInputs = { url: 'https://evil.example/' }

export function submit(
  { call }: Contest,
  { token }: Member,
  { id = 'xss', inputs = goodInputs }: { id?: string; inputs?: Record<string, string> } = {},
) {
  return call(submitAdminBotJob, { token, params: { id }, body: { inputs } })
}

/** Submits once the rate limit allows it and returns the job id. */
export async function submitLater(contest: Contest, team: Member, id = 'xss'): Promise<string> {
  contest.clock.advance(10_000)
  const response = await submit(contest, team, { id })
  if (response.kind !== 'goodAdminBotJobSubmitted') throw new Error(response.kind)
  return response.data.jobId
}

export interface AuditRow {
  readonly result: string
  readonly relatedId: string | null
  readonly details: Record<string, unknown>
}

export function readBotAudit({ db }: Contest): Promise<AuditRow[]> {
  return db.query<AuditRow>(sql`
    select result, related_id as "relatedId", details from submissions where kind = 'admin_bot' order by id`)
}

export interface QueuedJob {
  readonly id: string
  readonly status: 'queued' | 'running' | 'completed' | 'failed'
  readonly attempts: number
}

/** All jobs in queue order. */
export function readBotJobs({ db }: Contest): Promise<QueuedJob[]> {
  return db.query<QueuedJob>(sql`select id, status, attempts from admin_bot_jobs order by seq`)
}
