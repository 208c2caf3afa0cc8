import { expect, test } from 'vitest'
import * as accounts from '@pennant/contract/accounts.ts'
import { putChallengeV1, putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { listChallengesV2, listSolvesV2 } from '@pennant/contract/challenges.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { getExtrankLeaderboard } from '@pennant/contract/extrank-export.ts'
import { getLeaderboardV1, getLeaderboardV2, getLeaderboardWithGraph } from '@pennant/contract/leaderboard.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { readOwnProfileV2, readProfileV2 } from '@pennant/contract/teams.ts'
import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { firstAdminLink } from '../../src/features/people/accounts/first-admin.ts'
import { startContest, type Contest } from '../harness.ts'
import { tokenMailedTo, withMail } from '../mail.ts'

const config = {
  ...withMail,
  ctfName: 'Journey CTF',
  divisions: { open: 'Open', students: 'Students' },
  divisionACLs: [
    { match: 'domain', value: 'uni.example', divisions: ['students', 'open'] },
    { match: 'any', divisions: ['open'] },
  ],
}

const page = { limit: '10', offset: '0' }

test('a whole contest, from the first admin to the export, on two concurrent servers', async () => {
  await using contest = await startContest({ config, mayUseRedis: true })
  await using other = await startContest({ config, mayUseRedis: true, beside: contest })
  const admin = await becomeFirstAdmin(contest)
  contest.clock.advance(-2 * HOUR_MS)
  await prepareChallenges(contest, admin)

  // Before the start, only the organiser sees the challenges.
  const foxes = await registerByMail(contest, 'Foxes', 'foxes@uni.example')
  const owls = await registerByMail(other, 'Owls', 'owls@mail.example')
  expect(await contest.call(listChallengesV2, { token: foxes })).toMatchObject({ kind: 'badNotStarted' })
  expect(await contest.call(listChallengesV2, { token: admin })).toMatchObject({ kind: 'goodChallenges' })

  contest.clock.advance(2 * HOUR_MS)
  const list = await contest.call(listChallengesV2, { token: foxes })
  expect(list.data).toMatchObject([
    { id: 'warm-up', points: 500, solves: 0, hasFlag: true, files: [{ name: 'hint.txt', size: 9 }] },
    { id: 'hard', points: 500, scoringKind: 'decay' },
  ])
  const download = await fetch(new URL(firstFileOf(list.data), contest.url))
  expect(await download.text()).toBe('look here')

  // Flags are submitted to both servers; each learns immediately of solves on the other.
  expect(await submit(contest, { token: foxes, id: 'warm-up', flag: 'flag{no}' })).toBe('badFlag')
  expect(await submit(contest, { token: foxes, id: 'warm-up', flag: 'flag{warm}' })).toBe('goodFlag')
  expect(await submit(other, { token: foxes, id: 'warm-up', flag: 'flag{warm}' })).toBe(
    'badAlreadySolvedChallenge',
  )
  expect(await submit(other, { token: owls, id: 'warm-up', flag: 'flag{warm}' })).toBe('goodFlag')
  expect(await submit(other, { token: owls, id: 'hard', flag: 'PENNANT-2030' })).toBe('goodFlag')
  await contest.app.stores.follower.catchUp()

  const board = await contest.call(getLeaderboardV2, { query: page })
  expect(board.data).toMatchObject({
    total: 2,
    leaderboard: [
      { name: 'Owls', score: 981, globalPlace: 1, divisionPlace: 1, division: 'open' },
      { name: 'Foxes', score: 481, globalPlace: 2, divisionPlace: 1, division: 'students' },
    ],
  })
  expect((await contest.call(getLeaderboardV1, { query: page })).data).toMatchObject({
    leaderboard: [{ score: 981 }, { score: 481 }],
  })
  const graph = await contest.call(getLeaderboardWithGraph, { query: page })
  expect(graph.data).toMatchObject({ graph: [{ name: 'Owls' }, { name: 'Foxes' }] })
  const solves = await contest.call(listSolvesV2, { params: { id: 'warm-up' }, query: page, token: owls })
  expect(solves.data).toMatchObject({
    mySolvePosition: 2,
    solves: [{ userName: 'Foxes', bloodIndex: 0 }, { userName: 'Owls' }],
  })
  const me = await other.call(readOwnProfileV2, { token: owls })
  expect(me.data).toMatchObject({ score: 981, globalPlace: 1, solves: [{ id: 'hard' }, { id: 'warm-up' }] })

  // A scheduled release happens without further action.
  contest.clock.advance(HOUR_MS)
  expect((await other.call(listChallengesV2, {})).data).toMatchObject([
    { id: 'warm-up' },
    { id: 'late' },
    { id: 'hard' },
  ])

  // After the end, everything remains readable and flags are rejected.
  contest.clock.advance(48 * HOUR_MS)
  expect(await submit(contest, { token: foxes, id: 'hard', flag: 'PENNANT-2030' })).toBe('badEnded')
  const profile = await contest.call(readProfileV2, { params: { id: idOf(board.data) } })
  expect(profile).toMatchObject({ kind: 'goodUserData', data: { name: 'Owls', score: 981 } })
  const standings = await other.call(getExtrankLeaderboard, { token: admin })
  expect(standings.data).toEqual({
    standings: [
      { pos: 1, team: 'Owls', score: 981 },
      { pos: 2, team: 'Foxes', score: 481 },
    ],
  })
})

async function becomeFirstAdmin({ app, call, clock }: Contest): Promise<string> {
  const { db, tokens, keyValue } = app.stores
  const link = await firstAdminLink({
    db,
    tokens,
    markers: keyValue.markers,
    loginTimeoutMs: HOUR_MS,
    now: () => clock.now(),
    origin: 'https://ctf.example',
    division: 'open',
  })
  const verifyToken = new URL(link ?? '').searchParams.get('token') ?? ''
  const made = await call(accounts.verifyV2, { body: { verifyToken } })
  if (made.kind !== 'goodRegisterV2') throw new Error(made.kind)
  const again = await call(accounts.verifyV2, { body: { verifyToken } })
  expect(again.kind).toBe('badTokenVerification')
  return made.data.authToken
}

async function prepareChallenges({ call, clock }: Contest, token: string): Promise<void> {
  const form = new FormData()
  form.append('files', new Blob(['look here']), 'hint.txt')
  const stored = await call(uploadFilesV2, { token, form })
  if (stored.kind !== 'goodFilesUpload') throw new Error(stored.kind)
  const points = { min: 100, max: 500 }
  const warm = {
    name: 'Warm-up',
    category: 'misc',
    points,
    files: stored.data,
    sortWeight: 1,
    flag: 'flag{warm}',
  }
  const hard = {
    name: 'Hard',
    category: 'rev',
    points,
    sortWeight: 3,
    flags: [{ provider: 'flags/regex', config: { pattern: '^pennant-\\d{4}$', flags: 'i' } }],
  }
  const late = {
    name: 'Late',
    points,
    sortWeight: 2,
    flag: 'flag{late}',
    releaseTime: clock.now() + 2 * HOUR_MS + 60_000,
  }
  const hidden = { name: 'Hidden', points, flag: 'flag{hidden}', hidden: true }
  for (const [id, data] of Object.entries({ 'warm-up': warm, hard, late, hidden })) {
    expect(await call(putChallengeV2, { token, params: { id }, body: { data } })).toMatchObject({
      kind: 'goodChallengeUpdateV2',
    })
  }
  // An older client edits one field without losing the others.
  const edited = await call(putChallengeV1, {
    token,
    params: { id: 'hard' },
    body: { data: { author: 'tove' } },
  })
  expect(edited).toMatchObject({ kind: 'goodChallengeUpdate', data: { author: 'tove', name: 'Hard' } })
}

async function registerByMail(contest: Contest, name: string, email: string): Promise<string> {
  expect(await contest.call(accounts.registerV2, { body: { name, email } })).toMatchObject({
    kind: 'goodVerifySent',
  })
  const verifyToken = await mailedToken(contest, email)
  const made = await contest.call(accounts.verifyV2, { body: { verifyToken } })
  if (made.kind !== 'goodRegisterV2') throw new Error(made.kind)
  // The team token works on another device.
  const signedIn = await contest.call(accounts.login, { body: { teamToken: made.data.teamToken } })
  if (signedIn.kind !== 'goodLogin') throw new Error(signedIn.kind)
  return signedIn.data.authToken
}

/** Only the leader sends mail, and the first server is the leader. */
const senders = new Set<Contest>()

async function mailedToken(contest: Contest, email: string): Promise<string> {
  senders.add(contest)
  return await Promise.any([...senders].map((sender) => tokenMailedTo(sender, email)))
}

interface Attempt {
  readonly token: string
  readonly id: string
  readonly flag: string
}

async function submit({ call }: Contest, { token, id, flag }: Attempt): Promise<string> {
  return (await call(submitFlag, { token, params: { id }, body: { flag } })).kind
}

const firstFileOf = (list: unknown) => (list as { files: { url: string }[] }[])[0]?.files[0]?.url ?? ''
const idOf = (board: unknown) => (board as { leaderboard: { id: string }[] }).leaderboard[0]?.id ?? ''

test('the public configuration describes the event', async () => {
  await using contest = await startContest({ config, mayUseRedis: true })
  const response = await contest.call(getClientConfigV2, {})
  expect(response).toMatchObject({
    kind: 'goodClientConfig',
    data: { ctfName: 'Journey CTF', emailEnabled: true },
  })
})
