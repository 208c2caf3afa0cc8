import { filterSubmissions, listSubmissions } from '@pennant/contract/admin-submissions.ts'
import { listTeams } from '@pennant/contract/admin-teams.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import * as contract from '@pennant/contract/fair-play.ts'
import { ALL_PERMISSIONS, permissions, roles } from '@pennant/contract/permissions.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { computeFromDatabase } from './compute.ts'
import { signalsJob } from './job.ts'
import { createReceipts } from './receipts.ts'
import { readDesk, readSignals } from './store.ts'

let contest: Contest
let referee: Member
let foxes: Member
let bears: Member
const page = { limit: '100', offset: '0' }
const FLAG = 'flag{the_shop_is_closed}'

beforeAll(async () => {
  contest = await startContest()
  // The worker computes once at the start, and might store that after a test has computed.
  await eventually(async () => expect((await readDesk(contest.db)).computedAt).not.toBeNull())
  referee = await contest.admin(roles.referee)
  foxes = await contest.team('Foxes')
  bears = await contest.team('Bears')
  await putChallenge(
    contest.db,
    challengeRow('web', { name: 'Shop', flags: [{ provider: 'flags/static', config: { flag: FLAG } }] }),
  )
  await submit(foxes, 'flag{same_odd_guess_7}')
  await submit(bears, 'flag{same_odd_guess_7}')
  await submit(bears, 'flag{planted_in_the_logo}')
})
afterAll(() => contest[Symbol.asyncDispose]())

async function submit({ token }: Member, flag: string) {
  await contest.call(submitFlag, { token, params: { id: 'web' }, body: { flag } })
}

async function compute() {
  const { db, world, clock } = contest
  await signalsJob({ db, world, now: () => clock.now(), isErased: () => false }).run(
    new AbortController().signal,
  )
}

const list = (query: object = {}) =>
  contest.call(contract.listFairPlaySignals, { token: referee.token, query: { ...page, ...query } })
const kindsOf = async (query: object = {}) => {
  const { data } = await list(query)
  return (data as { signals: { kind: string }[] }).signals.map(({ kind }) => kind).toSorted()
}

test('a referee reads signals with names, and what a filter leaves', async () => {
  const made = await contest.call(contract.createFairPlayDecoy, {
    token: referee.token,
    body: { data: { flag: 'flag{planted_in_the_logo}', place: 'logo.png' } },
  })
  expect(made.kind).toBe('goodFairPlayDecoy')
  await compute()
  const { data } = await list({ kind: 'equalWrongFlag' })
  expect(data).toEqual({
    total: 1,
    signals: [
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        kind: 'equalWrongFlag',
        tier: 'behavioural',
        teams: [
          { id: bears.id, name: 'Bears' },
          { id: foxes.id, name: 'Foxes' },
        ],
        challenge: { id: 'web', name: 'Shop' },
        at: expect.any(Number),
        submissionIds: [expect.any(String), expect.any(String)],
        evidence: { flag: 'flag{same_odd_guess_7}', teams: 2, seconds: expect.any(Number) },
      },
    ],
  })
  expect(await kindsOf({ tier: 'hard' })).toEqual(['decoyFlag'])
  expect(await kindsOf({ userId: foxes.id, tier: 'hard' })).toEqual([])
  expect(await kindsOf({ userId: bears.id })).toContain('decoyFlag')
})

test('the desk counts each kind, and suggests what is more than context', async () => {
  await compute()
  const { data } = await contest.call(contract.readFairPlay, { token: referee.token })
  expect(data).toMatchObject({
    computedAt: contest.clock.now(),
    isCut: false,
    thresholds: contract.defaultThresholds,
  })
  const { kinds } = data as { kinds: { kind: string }[] }
  expect(kinds).toContainEqual({ kind: 'decoyFlag', tier: 'hard', signals: 1, teams: 1 })
  const suggested = await contest.call(contract.listFairPlaySuggestions, { token: referee.token })
  const { suggestions } = suggested.data as { suggestions: { teams: { name: string }[] }[] }
  expect(suggestions.map(({ teams }) => teams.map(({ name }) => name).toSorted())).toEqual([
    ['Bears'],
    ['Bears', 'Foxes'],
  ])
})

test('the same signals are there after everything was computed again', async () => {
  await compute()
  const before = await list()
  await contest.db.query(sql`delete from fair_play_signals`)
  await compute()
  expect((await list()).data).toEqual(before.data)
})

test('thresholds have previews, change once per version, and decide the next computation', async () => {
  const { token } = referee
  const strict = { wrongFlagLength: 100 }
  const preview = await contest.call(contract.previewFairPlay, {
    token,
    body: { data: { thresholds: strict } },
  })
  const { kinds } = preview.data as { kinds: { kind: string }[] }
  expect(kinds.map(({ kind }) => kind)).not.toContain('equalWrongFlag')
  expect(await kindsOf()).toContain('equalWrongFlag')
  const save = (version: number, thresholds: object) =>
    contest.call(contract.updateFairPlayThresholds, { token, body: { data: { version, thresholds } } })
  expect((await save(0, strict)).data).toMatchObject({ version: 1, thresholds: strict })
  expect(await save(0, {})).toMatchObject({ kind: 'badFairPlayVersion', data: { version: 1 } })
  await compute()
  expect(await kindsOf()).not.toContain('equalWrongFlag')
  await save(1, contract.defaultThresholds)
})

test('planted flags are listed, refused twice and as a right flag, and deleted', async () => {
  const { token } = referee
  const add = (flag: string) =>
    contest.call(contract.createFairPlayDecoy, { token, body: { data: { flag, place: 'wiki' } } })
  const made = await add('flag{in_the_wiki}')
  const { decoy } = made.data as { decoy: { id: string } }
  expect((await add('flag{in_the_wiki}')).kind).toBe('badFairPlayDecoyKnown')
  expect((await add(FLAG)).kind).toBe('badFairPlayDecoyKnown')
  const { data } = await contest.call(contract.listFairPlayDecoys, { token })
  expect((data as { decoys: unknown[] }).decoys).toContainEqual(decoy)
  const remove = () => contest.call(contract.deleteFairPlayDecoy, { token, params: { id: decoy.id } })
  expect((await remove()).kind).toBe('goodFairPlayDecoyDelete')
  expect((await remove()).kind).toBe('badFairPlayDecoy')
})

test('there is a limit of planted flags', async () => {
  const count = contract.fairPlayLimits.decoys
  await contest.db.query(sql`
    insert into fair_play_decoys (id, flag, place) select 'many-' || n, 'flag{many_' || n || '}', 'x'
    from generate_series(1, ${count}) as n`)
  const full = await contest.call(contract.createFairPlayDecoy, {
    token: referee.token,
    body: { data: { flag: 'flag{one_more}', place: 'x' } },
  })
  expect(full).toMatchObject({ kind: 'badFairPlayDecoyCount', data: { max: count } })
  await contest.db.query(sql`delete from fair_play_decoys where id like 'many-%'`)
})

test('a referee reads the audit and no other list; an owner has fair play without the bit', async () => {
  const { token } = referee
  expect((await contest.call(listSubmissions, { token, query: page })).kind).toBe('goodAdminSubmissions')
  const filtered = await contest.call(filterSubmissions, { token, query: page, body: {} as never })
  expect(filtered.kind).toBe('goodAdminSubmissions')
  expect((await contest.call(listTeams, { token, query: page as never })).kind).toBe('badPerms')
  const owner = await contest.admin(ALL_PERMISSIONS)
  expect((await contest.call(contract.readFairPlay, { token: owner.token })).kind).toBe('goodFairPlay')
  const support = await contest.admin(roles.support)
  expect((await contest.call(contract.readFairPlay, { token: support.token })).kind).toBe('badPerms')
  expect(permissions.fairPlay & ALL_PERMISSIONS).toBe(0)
})

test('reading the challenges notes their receipt once; a solve without it is a signal', async () => {
  await using other = await startContest()
  await putChallenge(
    other.db,
    challengeRow('web', { flags: [{ provider: 'flags/static', config: { flag: FLAG } }] }),
  )
  await other.db.query(sql`update fair_play set receipts_since = timestamptz 'epoch'`)
  const [reader, blind] = [await other.team(), await other.team()]
  await other.call(listChallengesV2, { token: reader.token })
  for (const { token } of [reader, blind])
    await other.call(submitFlag, { token, params: { id: 'web' }, body: { flag: FLAG } })
  const receipts = createReceipts(() => 1)
  receipts.note(reader.id, other.world().publicChallenges())
  await receipts.flush(other.db)
  const { signals } = await computeFromDatabase(other, contract.defaultThresholds)
  expect(signals.filter(({ kind }) => kind === 'unseenSolve').map(({ teamIds }) => teamIds)).toEqual([
    [blind.id],
  ])
})

test('what cannot be written waits, and the earliest time counts', async () => {
  let now = 5_000
  const receipts = createReceipts(() => now)
  const challenges = contest.world().publicChallenges()
  receipts.note('some-team', challenges)
  const broken = { query: () => Promise.reject(new Error('away')) }
  await expect(receipts.flush(broken)).rejects.toThrow('away')
  now = 9_000
  receipts.note('some-team', [...challenges])
  await receipts.flush(contest.db)
  const later = createReceipts(() => 7_000)
  later.note('some-team', challenges)
  await later.flush(contest.db)
  const rows = await contest.db.query<{ at: Date }>(
    sql`select at from challenge_receipts where team_id = 'some-team'`,
  )
  expect(rows.map(({ at }) => at.getTime())).toEqual([5_000])
})

test('nothing is computed after the erasure', async () => {
  const { db, world } = contest
  await db.query(sql`delete from fair_play_signals`)
  const job = signalsJob({ db, world, now: () => 1, isErased: () => true })
  await job.run(new AbortController().signal)
  expect((await readSignals(db, { limit: 1, offset: 0 })).total).toBe(0)
})
