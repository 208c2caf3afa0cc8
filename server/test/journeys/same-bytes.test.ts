import { afterAll, beforeAll, expect, test } from 'vitest'
import { putChallengeV2, deleteChallenge, deleteSolve } from '@pennant/contract/admin-challenges.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { deleteTeam, deleteTeamSolves, signOutTeam, updateTeam } from '@pennant/contract/admin-teams.ts'
import { createAnnouncement } from '@pennant/contract/announcements.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { createScoreAdjustment } from '@pennant/contract/score-adjustments.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { updateProfileV2 } from '@pennant/contract/teams.ts'
import { createWave } from '@pennant/contract/waves.ts'
import { withoutCaches } from '../../src/lib/caching.ts'
import { noon, startContest, type Contest, type Member } from '../harness.ts'
import { addressesOf, readRoutes } from '../security/crawl.ts'

// A cache may only make a response faster. A random contest is played; after each step, callers of every kind read random
// addresses of every route, twice with the caches and once without any, and get the same bytes and the same ETag.
// PENNANT_CACHE_STEPS=2000 plays a longer one, PENNANT_CACHE_SEED repeats one.

const STEPS = Number(process.env['PENNANT_CACHE_STEPS'] ?? 60)
const SEED = Number(process.env['PENNANT_CACHE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const READS_PER_STEP = 24
/** Background work such as recording ranks may change the contest between two reads: then they are repeated. */
const ATTEMPTS = 5
const TEAMS = 8
const CHALLENGES = 6

/** Their responses are different each time: tokens, puzzles, the position in the change log, running figures. */
const VARYING =
  /captcha\/challenge|\/stream|\/metrics|healthz|readyz|overview|external-auth|\/diagnosis\/|\/selftest/

let contest: Contest
let admin: Member
let organiser: Member
const teams: Member[] = []
const waves: string[] = []

function dice(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}
const roll = dice(SEED)
const oneOf = <T>(items: readonly T[]): T => items[roll(items.length)] as T
const challengeIds = Array.from({ length: CHALLENGES }, (_, n) => `c${n}`)

beforeAll(async () => {
  contest = await startContest({
    config: { divisions: { open: 'Open', student: 'Students' }, rateLimits: {} },
  })
  admin = await contest.admin()
  organiser = await contest.admin(1)
  for (let n = 0; n < TEAMS; n += 1) teams.push(await contest.team(`Crew ${n}`))
  for (const id of challengeIds) await putChallenge(id)
})
afterAll(() => contest[Symbol.asyncDispose]())

async function putChallenge(id: string) {
  const releaseTime = oneOf([null, null, null, contest.clock.now() + MINUTE_MS * roll(30)])
  const data = {
    name: `Challenge ${id} ${roll(9)}`,
    category: oneOf(['web', 'misc']),
    author: 'author',
    description: `Text ${roll(9)}. ${'lorem ipsum '.repeat(roll(200))}`,
    flags: [{ provider: 'flags/static', config: { flag: `flag{${id}}` } }],
    points: { min: 100, max: 400 + roll(100) },
    hidden: roll(8) === 0,
    releaseTime,
    sortWeight: roll(9),
    tags: oneOf([[], ['a'], ['a', 'b']]),
    prerequisites: oneOf([
      [],
      [],
      [],
      [oneOf(challengeIds.filter((other) => other < id).concat('c0'))],
    ]).filter((other) => other !== id),
    lockedShown: roll(2) === 0,
    scoring: oneOf([{ kind: 'decay' as const }, { kind: 'static' as const }]),
  }
  await contest.call(putChallengeV2, { token: admin.token, params: { id }, body: { data } })
}

/** What organisers and teams do. Refusals are fine: what counts is what is read afterwards. */
const ACTIONS: readonly (() => Promise<unknown>)[] = [
  ...Array.from({ length: 8 }, () => submit),
  () => putChallenge(oneOf(challengeIds)),
  () => putChallenge(oneOf(challengeIds)),
  async () => {
    const { id } = oneOf(teams)
    const banned = roll(2) === 0
    await contest.call(updateTeam, { token: admin.token, params: { id }, body: { data: { banned } } })
  },
  () =>
    contest.call(updateProfileV2, {
      token: oneOf(teams).token,
      body: { countryCode: oneOf(['DE', 'NO', null]), statusText: oneOf(['hello', null]) },
    }),
  async () => {
    const data = { division: oneOf(['open', 'student']), name: `Crew ${roll(1e6)}` }
    await contest.call(updateTeam, { token: admin.token, params: { id: oneOf(teams).id }, body: { data } })
  },
  () =>
    contest.call(deleteSolve, {
      token: admin.token,
      params: { challengeId: oneOf(challengeIds), userId: oneOf(teams).id },
    }),
  () =>
    contest.call(createScoreAdjustment, {
      token: admin.token,
      body: { data: { userId: oneOf(teams).id, points: roll(200) - 100 || 1, reason: `reason ${roll(9)}` } },
    }),
  () =>
    contest.call(createAnnouncement, {
      token: admin.token,
      body: {
        data: {
          title: `News ${roll(9)}`,
          audience: { kind: 'division', division: oneOf(['open', 'student']) },
        },
      },
    }),
  () => contest.call(updateSettings, { token: admin.token, body: { data: settings() } }),
  rarely(() => contest.call(deleteTeamSolves, { token: admin.token, params: { userId: oneOf(teams).id } })),
  rarely(() => contest.call(signOutTeam, { token: admin.token, params: { id: teams[0]?.id ?? '' } })),
  rarely(() => contest.call(deleteChallenge, { token: admin.token, params: { id: oneOf(challengeIds) } })),
  rarely(async () => {
    const at = roll(TEAMS)
    await contest.call(deleteTeam, { token: admin.token, params: { id: teams[at]?.id ?? '' } })
    teams[at] = await contest.team(`Crew ${roll(1e9)}`)
  }),
  rarely(async () => {
    const openAt = contest.clock.now() + MINUTE_MS * (roll(20) - 3)
    const data = {
      name: `Wave ${roll(1e6)}`,
      openAt,
      countdown: true,
      challengeIds: [oneOf(challengeIds)],
      force: true,
    }
    const made = await contest.call(createWave, { token: admin.token, body: { data } })
    if (made.kind === 'goodWave') waves.push(made.data.wave.id)
  }),
]

function rarely(action: () => Promise<unknown>): () => Promise<unknown> {
  return async () => {
    if (roll(3) === 0) await action()
  }
}

async function submit() {
  const id = oneOf(challengeIds)
  const flag = roll(4) === 0 ? 'flag{wrong}' : `flag{${id}}`
  await contest.call(submitFlag, { token: oneOf(teams).token, params: { id }, body: { flag } })
}

function settings() {
  const freezeTime = oneOf([null, null, contest.clock.now() + MINUTE_MS * (roll(60) - 30)])
  const endTime = oneOf([null, null, null, noon + HOUR_MS * (20 + roll(20))])
  return { ctfName: `CTF ${roll(9)}`, freezeTime, endTime, resultsPublished: roll(4) === 0 }
}

interface Reading {
  readonly address: string
  readonly caller: string
  readonly token: string | null
  readonly headers: Readonly<Record<string, string>>
}

function randomReading(addresses: readonly string[]): Reading {
  const [caller = '', token = null] = oneOf<[string, string | null]>([
    ['nobody', null],
    ['an invalid token', 'invalid'],
    ['team 0', teams[0]?.token ?? null],
    ['another team', oneOf(teams).token],
    ['another team', oneOf(teams).token],
    ['organiser', organiser.token],
    ['admin', admin.token],
  ])
  const headers = {
    'accept-encoding': oneOf(['identity', 'gzip', 'br']),
    ...(token !== null && { authorization: `Bearer ${token}` }),
  }
  return { address: oneOf(addresses), caller, token, headers }
}

interface Answer {
  readonly status: number
  readonly etag: string | null
  readonly coding: string | null
  readonly cacheControl: string | null
  /** Of the bytes as they were sent: compressed forms are compared too. */
  readonly length: string | null
  readonly text: string
}

async function answerTo({ address, headers }: Reading, etag?: string): Promise<Answer> {
  const sent = etag === undefined ? headers : { ...headers, 'if-none-match': etag }
  const response = await fetch(contest.url + address, { headers: sent, redirect: 'manual' })
  // Every token is encrypted differently, so its compressed form has another length.
  const whole = await response.text()
  const text = whole.replace(/"teamToken":"[^"]*"/, '"teamToken":""')
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    coding: response.headers.get('content-encoding'),
    cacheControl: response.headers.get('cache-control'),
    length: text === whole ? response.headers.get('content-length') : null,
    text,
  }
}

/** The answers with and without caches, read until nothing changes meanwhile. Null if a rate limit refused one. */
async function answersTo(reading: Reading): Promise<{ cached: Answer; fresh: Answer } | null> {
  for (let attempt = 1; ; attempt += 1) {
    await answerTo(reading)
    const cached = await answerTo(reading)
    const fresh = await withoutCaches(() => answerTo(reading))
    const again = await answerTo(reading)
    if ([cached, fresh, again].some(({ status }) => status === 429)) return null
    const isQuiet = JSON.stringify(cached) === JSON.stringify(again)
    const isEqual = JSON.stringify(cached) === JSON.stringify(fresh)
    if (isEqual || (isQuiet && attempt >= 2) || attempt === ATTEMPTS) return { cached, fresh }
  }
}

test('every response has the same bytes with and without caches', { timeout: 30 * MINUTE_MS }, async () => {
  const routes = readRoutes.filter(({ path, text }) => !VARYING.test(path) && text === undefined)
  let compared = 0
  let unmodified = 0
  for (let step = 0; step < STEPS; step += 1) {
    await oneOf(ACTIONS)()
    // Refills the rate limits, and ends what is kept for a minute by design.
    contest.clock.advance(MINUTE_MS + roll(2 * MINUTE_MS))
    const seeds = { challengeIds, teamIds: teams.map(({ id }) => id), token: oneOf(teams).token }
    const addresses = routes.map((route) => addressesOf(route, seeds))
    for (let at = 0; at < READS_PER_STEP; at += 1) {
      const reading = randomReading(oneOf(addresses))
      const answers = await answersTo(reading)
      if (!answers) continue
      const { cached, fresh } = answers
      expect(cached, `seed ${SEED}, step ${step}, ${reading.caller}: ${reading.address}`).toEqual(fresh)
      compared += 1
      if (cached.etag === null || cached.status !== 200) continue
      const { status } = await withoutCaches(() => answerTo(reading, cached.etag ?? ''))
      expect(status, `seed ${SEED}, step ${step}, ETag of ${reading.address}`).toBe(304)
      unmodified += 1
    }
  }
  expect(compared).toBeGreaterThan((STEPS * READS_PER_STEP) / 2)
  expect(unmodified).toBeGreaterThan(STEPS)
})
