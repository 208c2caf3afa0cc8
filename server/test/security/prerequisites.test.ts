import { deleteChallenge, putChallengeV2, readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { allRoutes } from '@pennant/contract/all.ts'
import { listChallengesV1, listChallengesV2 } from '@pennant/contract/challenges.ts'
import { listAnnouncements, createAnnouncement } from '@pennant/contract/announcements.ts'
import { addressOf } from '@pennant/contract/client.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { startMessageThread } from '@pennant/contract/messages.ts'
import type { Route } from '@pennant/contract/route.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { botConfig, botSettings } from '../bot-contest.ts'
import { putChallenge, putFeed, putSolve } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../harness.ts'
import { putDynamic } from '../pushes.ts'
import { readStream } from '../stream.ts'
import { addressesOf, read, readRoutes } from './crawl.ts'

// A challenge whose prerequisites a team has not solved does not exist for that team, whatever it requests.

const MARK = 'k3pt'
const gatedIds = ['k3pt-gated', 'k3pt-pushed']
const instancerConfig = {
  challengeIntegrationId: 'k3pt-integration',
  config: {},
  expose: [],
  timeoutMilliseconds: 60_000,
}

let contest: Contest
let admin: Member
let solver: Member

beforeAll(async () => {
  contest = await startContest({
    config: { ...botConfig, rateLimits: {}, instancers: { local: { name: 'instancers/memory' } } },
  })
  admin = await contest.admin()
  solver = await contest.team()
  const { db } = contest
  await putChallenge(db, challengeRow('first', { flags: flagOf('flag{first}') }))
  await putChallenge(
    db,
    challengeRow('k3pt-gated', {
      name: 'k3pt-name',
      flags: flagOf('flag{gated}'),
      adminBotConfig: botSettings,
      instancerConfig,
    }),
  )
  await putDynamic(contest, 'k3pt-pushed', { secret: 'k3pt-webhook' })
  for (const id of gatedIds) expect((await save(id, { prerequisites: ['first'] })).kind).toBe(SAVED)
  const at = noon - MINUTE_MS
  await putSolve(db, solveRow(1, { challengeId: 'first', teamId: solver.id, createdAt: at }))
  await putSolve(db, solveRow(2, { challengeId: 'k3pt-gated', teamId: solver.id, createdAt: at }))
  const score = { points: 7, scoredAt: at, delta: 7, tickAt: at }
  await putFeed(db, { challengeId: 'k3pt-pushed', teamId: solver.id, ...score })
})
afterAll(() => contest[Symbol.asyncDispose]())

const SAVED = 'goodChallengeUpdateV2'

function flagOf(flag: string) {
  return [{ provider: 'flags/static', config: { flag } }]
}

function save(id: string, data: object) {
  return contest.call(putChallengeV2, { token: admin.token, params: { id }, body: { data } as never })
}

async function shownTo(member?: Member) {
  const response = await contest.call(listChallengesV2, { token: member?.token })
  if (response.kind !== 'goodChallenges') throw new Error(response.kind)
  return response.data
}

const idsFor = async (member?: Member) => (await shownTo(member)).map(({ id }) => id).toSorted()

function submit(member: Member, id: string, flag: string) {
  return contest.call(submitFlag, { token: member.token, params: { id }, body: { flag } })
}

/** Everything that participants can do with a challenge. */
const challengeRoutes = allRoutes.filter(
  ({ path, auth, perms, unwrapped }) =>
    /\/challs\/:id(?:\/|$)/.test(path) && !perms && !unwrapped && auth !== 'service' && auth !== 'signature',
)

const bodies: Readonly<Record<string, object>> = {
  '/api/v1/challs/:id/submit': { flag: 'flag{gated}' },
  '/api/v2/challs/:id/hints/:hintId/purchase': { price: 5 },
  '/api/v2/integrations/challs/:id/admin-bot/jobs': { inputs: { url: 'https://a.test' } },
}

async function request(route: Route, id: string, token?: string) {
  const address = addressOf(route, {
    params: { id, jobId: 'j', hintId: 'h' },
    query: { limit: '10', offset: '0' },
  })
  const response = await fetch(contest.url + address, {
    method: route.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(route.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(route.body ? { body: JSON.stringify(bodies[route.path] ?? {}) } : {}),
  })
  return { status: response.status, text: await response.text() }
}

test('the walk finds the routes of a challenge', () => {
  expect(challengeRoutes.length).toBeGreaterThanOrEqual(12)
})

test.each(challengeRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s responds as for a challenge that does not exist',
  async (_name, route) => {
    const team = await contest.team()
    for (const token of [team.token, undefined])
      for (const id of gatedIds)
        expect(await request(route, id, token)).toEqual(await request(route, 'none', token))
  },
)

test('a question about it is refused as one about a challenge that does not exist, until the team opens it', async () => {
  const ask = (member: Member, challengeId: string) =>
    contest.call(startMessageThread, {
      token: member.token,
      body: { subject: 'Is it down?', content: 'It does not respond.', challengeId },
    })
  const team = await contest.team()
  const none = await ask(team, 'none')
  for (const id of gatedIds) expect(await ask(team, id)).toEqual(none)
  expect(none.kind).toBe('badChallenge')
  expect((await ask(solver, 'k3pt-gated')).kind).toBe('goodMessageSend')
})

test('no read of any route mentions it to a team that has not opened it', async () => {
  const team = await contest.team()
  const seeds = {
    challengeIds: ['first', ...gatedIds],
    teamIds: [team.id, solver.id],
    token: contest.app.stores.tokens.issueTeam(team.id),
  }
  for (const route of readRoutes) {
    if (route.auth === 'service') continue
    for (const address of addressesOf(route, seeds)) {
      // Searches are rate limited.
      contest.clock.advance(1000)
      for (const token of [team.token, undefined]) {
        const { text } = await read(contest, route, { address, token })
        // The reason of a refusal may repeat what was sent.
        expect(text, address).not.toContain(MARK)
      }
    }
  }
})

test('opens for the team that solves them, at once and in its open browsers, and for no other', async () => {
  const [team, other] = [await contest.team(), await contest.team()]
  const [mine, theirs] = [
    await readStream(contest.url, { token: team.token }),
    await readStream(contest.url, { token: other.token }),
  ]
  try {
    await mine.next('hello')
    const before = mine.lastEventId()
    expect(await idsFor(team)).toEqual(['first'])
    expect((await submit(team, 'k3pt-gated', 'flag{gated}')).kind).toBe('badChallenge')
    expect((await submit(team, 'first', 'flag{first}')).kind).toBe('goodFlag')
    expect(await idsFor(team)).toEqual(['first', ...gatedIds])
    const { data } = await mine.next('challenges')
    expect(data.released.map(({ id }: { id: string }) => id).toSorted()).toEqual(gatedIds)
    expect((await submit(team, 'k3pt-gated', 'flag{gated}')).kind).toBe('goodFlag')
    await mine.next('solves')
    await mine.next('solves')
    await theirs.next('solves')
    expect(JSON.stringify(theirs.events)).not.toContain(MARK)
    expect(await idsFor(other)).toEqual(['first'])
    expect(await idsFor()).toEqual(['first'])

    // A browser that was offline meanwhile.
    const resumed = await readStream(contest.url, { token: team.token, lastEventId: before })
    expect(JSON.stringify((await resumed.next('challenges')).data)).toContain('k3pt-gated')
    resumed.close()
    const elsewhere = await readStream(contest.url, { token: other.token, lastEventId: before })
    await elsewhere.next('solves')
    expect(JSON.stringify(elsewhere.events)).not.toContain(MARK)
    elsewhere.close()
  } finally {
    mine.close()
    theirs.close()
  }
})

test('is open for organisers', async () => {
  expect(await idsFor(admin)).toEqual(['first', ...gatedIds])
})

test('is listed without its texts if organisers show it as locked', async () => {
  const team = await contest.team()
  await putChallenge(contest.db, challengeRow('shown', { flags: flagOf('flag{shown}') }))
  await save('shown', { prerequisites: ['first', 'k3pt-gated'], lockedShown: true })
  const entry = (await shownTo(team)).find(({ id }) => id === 'shown')
  expect(entry).toMatchObject({
    locked: true,
    requires: ['first'],
    name: 'Challenge shown',
    description: '',
    files: [],
    hasFlag: false,
  })
  const v1 = await contest.call(listChallengesV1, { token: team.token })
  expect(JSON.stringify(v1)).not.toContain('shown')
  expect((await submit(team, 'shown', 'flag{shown}')).kind).toBe('badChallenge')
  await submit(team, 'first', 'flag{first}')
  await submit(team, 'k3pt-gated', 'flag{gated}')
  expect((await shownTo(team)).find(({ id }) => id === 'shown')).not.toHaveProperty('locked')
  await contest.call(deleteChallenge, { token: admin.token, params: { id: 'shown' } })
})

test('an announcement to those who have not solved it reaches only teams that have opened it', async () => {
  const body = { data: { title: 'k3pt', audience: { kind: 'unsolved' as const, challengeId: 'k3pt-gated' } } }
  await contest.call(createAnnouncement, { token: admin.token, body })
  const team = await contest.team()
  const titles = async () => JSON.stringify(await contest.call(listAnnouncements, { token: team.token }))
  expect(await titles()).not.toContain(MARK)
  await submit(team, 'first', 'flag{first}')
  expect(await titles()).toContain(MARK)
})

test('a hidden or removed prerequisite has a defined effect', async () => {
  for (const id of ['base', 'top']) await putChallenge(contest.db, challengeRow(id, { flags: flagOf(id) }))
  await save('top', { prerequisites: ['base'] })
  const [early, late] = [await contest.team(), await contest.team()]
  await submit(early, 'base', 'base')
  // Hidden: solved ones count, and no one else can open it.
  await save('base', { hidden: true })
  expect(await idsFor(early)).toContain('top')
  expect(await idsFor(late)).not.toContain('top')
  // An organiser takes the solve back: closed again, unless the team has solved the challenge itself.
  await save('base', { hidden: false })
  await contest.db.change(async (tx) => {
    await tx.query(sql`delete from solves where challenge_id = 'base' and team_id = ${early.id}`)
    tx.changed('solves', ['base', early.id])
  })
  expect(await idsFor(early)).not.toContain('top')
  // Deleted: it is no longer required.
  await contest.call(deleteChallenge, { token: admin.token, params: { id: 'base' } })
  expect(await idsFor(late)).toContain('top')
  const stored = await contest.call(readAdminChallengeV2, { token: admin.token, params: { id: 'top' } })
  expect(stored.data).not.toHaveProperty('prerequisites')
  await contest.call(deleteChallenge, { token: admin.token, params: { id: 'top' } })
})

test('cycles, unknown challenges and long lists are refused with their names', async () => {
  for (const id of ['x', 'y', 'z']) await putChallenge(contest.db, challengeRow(id, { hidden: true }))
  await save('x', { prerequisites: ['y', 'y'] })
  const stored = await contest.call(readAdminChallengeV2, { token: admin.token, params: { id: 'x' } })
  expect(stored.data).toMatchObject({ prerequisites: ['y'] })
  await save('y', { prerequisites: ['z'] })
  expect(await save('z', { prerequisites: ['x'] })).toMatchObject({
    kind: 'badBody',
    data: {
      reason: expect.stringContaining(
        'data.prerequisites: are a cycle, which no team can open: z → x → y → z',
      ),
    },
  })
  expect(await save('x', { prerequisites: ['x'] })).toMatchObject({
    data: { reason: expect.stringContaining('x → x') },
  })
  expect(await save('x', { prerequisites: ['nothing'] })).toMatchObject({
    data: { reason: expect.stringContaining('no such challenge: nothing') },
  })
  expect((await save('x', { prerequisites: Array.from({ length: 21 }, String) })).kind).toBe('badBody')
})
