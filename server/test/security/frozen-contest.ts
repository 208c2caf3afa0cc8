import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import sql from 'sql-template-tag'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { buyHint, createHint } from '@pennant/contract/hints.ts'
import { startInstance } from '@pennant/contract/instances.ts'
import { createPage } from '@pennant/contract/pages.ts'
import { createScoreAdjustment } from '@pennant/contract/score-adjustments.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { botConfig, botSettings, submit, workerOf } from '../bot-contest.ts'
import { putChallenge, putSettings, putSolve } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { feedKey } from '../fuzz/deployments.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { ask } from '../message-threads.ts'
import { push, putDynamic } from '../pushes.ts'
import type { Seeds } from './crawl.ts'
import { tracksOf } from '../world-model.ts'

// The contest of the differential crawl (freeze.test.ts). The database dates solves, so it runs at the present time.

export interface FrozenContest extends AsyncDisposable {
  readonly contest: Contest
  readonly config: Readonly<Record<string, unknown>>
  readonly seeds: Seeds
  readonly teams: Teams
}

/** `idle` does nothing while the standings are frozen. `lone` acts before the others do, which `busy` and `other` are. */
export interface Teams {
  readonly idle: Member
  readonly lone: Member
  readonly busy: Member
  readonly other: Member
  readonly organiser: Member
}

const instancerConfig = {
  challengeIntegrationId: 'box',
  config: {},
  expose: [],
  timeoutMilliseconds: 60_000,
}
const price = 20
let solveNumber = 0

export async function openFrozenContest(): Promise<FrozenContest> {
  const startsAt = Date.now()
  const freezeTime = startsAt - MINUTE_MS
  const before = (minutes: number) => freezeTime - minutes * MINUTE_MS
  const config = {
    ...botConfig,
    instancers: { local: { name: 'instancers/memory' } },
    standingsFeed: { key: feedKey },
    startTime: startsAt - 6 * HOUR_MS,
    endTime: startsAt + 40 * HOUR_MS,
    freezeTime,
  }
  const contest = await startContest({ startsAt, config })
  const teams = {
    idle: await contest.team('team idle'),
    lone: await contest.team('team lone'),
    busy: await contest.team('team busy'),
    other: await contest.team('team other'),
    organiser: await contest.admin(),
  }
  const { idle, lone, busy, other } = teams
  await putSettings(contest.db, { statisticsPublic: true, tracks: tracksOf(0) })
  await putChallenges(contest)
  const solves = [
    [idle, 'one', 60],
    [busy, 'one', 50],
    [lone, 'one', 40],
    [busy, 'two', 0],
  ] as const
  for (const [{ id: teamId }, challengeId, minutes] of solves)
    await putSolve(
      contest.db,
      solveRow((solveNumber += 1), { teamId, challengeId, createdAt: before(minutes) }),
    )
  const at = before(30)
  await pushAt(contest, { at, scores: [{ userId: idle.id, points: 40 }] })
  const hintIds = [await addHint(contest, teams.organiser), await addHint(contest, teams.organiser)]
  const { id: threadId } = await ask(contest, lone)
  const seeds = {
    challengeIds: ['one', 'two', 'three', 'gated', 'visited', 'pushed', 'nothing'],
    teamIds: [idle.id, lone.id, busy.id, other.id],
    otherIds: [...hintIds, threadId, await addPage(contest, teams.organiser)],
    token: contest.app.stores.tokens.issueTeam(idle.id),
    values: {
      track: ['main', 'all', 'human', 'agent,guest'],
      time: [before(55), freezeTime, freezeTime + 1].map(String),
      offset: ['1'],
      limit: ['2'],
    },
  }
  return { contest, config, seeds, teams, [Symbol.asyncDispose]: () => contest[Symbol.asyncDispose]() }
}

async function putChallenges(contest: Contest): Promise<void> {
  for (const id of ['one', 'two', 'three', 'gated'])
    await putChallenge(contest.db, challengeRow(id, { instancerConfig }))
  await putChallenge(contest.db, challengeRow('visited', { adminBotConfig: botSettings }))
  await putDynamic(contest, 'pushed')
  await contest.db.change(async (tx) => {
    await tx.query(sql`update challenges set prerequisites = '["three"]' where id = 'gated'`)
    tx.changed('challenges', ['gated'])
  })
}

async function addHint(contest: Contest, { token }: Member): Promise<string> {
  const data = { text: 'Look closely.', price, release: { kind: 'time' as const, at: FIRST_INSTANT } }
  const made = await contest.call(createHint, { token, params: { id: 'three' }, body: { data } })
  if (made.kind !== 'goodAdminHint') throw new Error(made.kind)
  return made.data.hint.id
}

async function addPage(contest: Contest, { token }: Member): Promise<string> {
  const texts = [{ language: 'en', title: 'Rules', content: 'Be kind.' }]
  const body = { data: { slug: 'rules', published: true, texts } }
  mustBe('goodPageUpdate', await contest.call(createPage, { token, body }))
  return 'rules'
}

/** A push, dated back: the database dates events. */
async function pushAt(
  contest: Contest,
  { at, scores }: { readonly at: number; readonly scores: Parameters<typeof push>[2] },
): Promise<void> {
  await push(contest, 'pushed', scores)
  await contest.db.change(async (tx) => {
    await tx.query(sql`update feed_events set at = ${new Date(at)}`)
    await tx.query(sql`update feed_scores set scored_at = ${new Date(at)}, tick_at = ${new Date(at)}`)
    tx.changed('feed', ['pushed'])
  })
}

function mustBe(kind: string, actual: { readonly kind: string }): void {
  if (actual.kind !== kind) throw new Error(`${actual.kind} instead of ${kind}`)
}

export const submitTo = (contest: Contest, { token }: Member, [id, flag = 'flag{x}']: [string, string?]) =>
  contest.call(submitFlag, { token, params: { id }, body: { flag } })

const buy = (contest: Contest, { token }: Member, hintId: string) =>
  contest.call(buyHint, { token, params: { id: 'three', hintId }, body: { price } })

/** What `lone` may see of the time after the freeze: what it did itself. */
export async function actAlone({ contest, seeds, teams: { lone } }: FrozenContest): Promise<void> {
  mustBe('badFlag', await submitTo(contest, lone, ['three', 'wrong']))
  mustBe('goodHint', await buy(contest, lone, seeds.otherIds?.[0] ?? ''))
  mustBe('goodFlag', await submitTo(contest, lone, ['three']))
}

/** All that others can do, except changes of their own names and the like. */
export async function actOfOthers({ contest, seeds, teams }: FrozenContest): Promise<void> {
  const { busy, other, idle, organiser } = teams
  const { token } = organiser
  for (const hintId of seeds.otherIds?.slice(0, 2) ?? []) mustBe('goodHint', await buy(contest, busy, hintId))
  mustBe('badFlag', await submitTo(contest, busy, ['three', 'wrong']))
  mustBe('goodFlag', await submitTo(contest, busy, ['three']))
  mustBe('goodFlag', await submitTo(contest, other, ['one']))
  mustBe('goodFlag', await submitTo(contest, other, ['three']))
  mustBe('goodFlag', await submitTo(contest, other, ['gated']))
  const pushed = await push(contest, 'pushed', [
    { userId: busy.id, points: 90 },
    { userId: idle.id, points: 1 },
  ])
  mustBe('1 1 0', { kind: pushed })
  const data = { userId: other.id, points: 70, reason: 'a fair write-up' }
  mustBe('goodScoreAdjustment', await contest.call(createScoreAdjustment, { token, body: { data } }))
  for (const hintId of seeds.otherIds?.slice(0, 2) ?? []) mustBe('goodHint', await buy(contest, busy, hintId))
  mustBe(
    'goodInstanceStatus',
    await contest.call(startInstance, { token: busy.token, params: { id: 'one' }, body: {} }),
  )
  mustBe('goodAdminBotJobSubmitted', await submit(contest, busy, { id: 'visited' }))
  await workerOf(contest).drain()
  await ask(contest, other)
}

/** After the end no one submits, but organisers correct scores, and rows that a backup had not may be restored. */
export async function actAfterTheEnd({ contest, teams, config }: FrozenContest): Promise<void> {
  const { idle, other, organiser } = teams
  const createdAt = Number(config['endTime']) - MINUTE_MS
  await putSolve(
    contest.db,
    solveRow((solveNumber += 1), { teamId: other.id, challengeId: 'two', createdAt }),
  )
  const data = { userId: idle.id, points: 5, reason: 'a late report' }
  const made = await contest.call(createScoreAdjustment, { token: organiser.token, body: { data } })
  mustBe('goodScoreAdjustment', made)
}
