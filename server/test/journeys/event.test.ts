import { expect, test } from 'vitest'
import { registerV2, verifyV2 } from '@pennant/contract/accounts.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { updateTeam } from '@pennant/contract/admin-teams.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { getExtrankLeaderboard } from '@pennant/contract/extrank-export.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { readOwnProfileV2, readProfileV2 } from '@pennant/contract/teams.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { tokenMailedTo, withMail } from '../mail.ts'
import { push, pushSecret } from '../pushes.ts'

const config = {
  ...withMail,
  captcha: {
    provider: { name: 'captcha/static', options: { code: 'human' } },
    protectedEndpoints: ['register'],
  },
  divisions: { open: 'Open', students: 'Students' },
  divisionACLs: [
    { match: 'regex', value: '@(.+\\.)?uni\\.example$', divisions: ['students'] },
    { match: 'domain', value: 'mail.example', divisions: ['open'] },
  ],
}

const points = { min: 100, max: 500 }
const page = { limit: '10', offset: '0' }

test('an event with mail, captcha, divisions, a ban, a release and a king of the hill', async () => {
  await using contest = await startContest({ config, mayUseRedis: true })
  const organiser = await contest.admin()
  await prepare(contest, organiser)

  // Registration: a participant, an allowed address, and the mail.
  const { call } = contest
  const body = { name: 'Bots', email: 'bots@mail.example' }
  expect((await call(registerV2, { body })).kind).toBe('badCaptcha')
  const elsewhere = { name: 'Others', email: 'a@other.example', captchaCode: 'human' }
  expect((await call(registerV2, { body: elsewhere })).kind).toBe('badCompetitionNotAllowed')
  const foxes = await register(contest, 'Foxes', 'foxes@cs.uni.example')
  const owls = await register(contest, 'Owls', 'owls@mail.example')
  const crows = await register(contest, 'Crows', 'crows@mail.example')

  for (const team of [foxes, crows, owls]) expect(await submit(contest, team, 'first')).toBe('goodFlag')
  expect(await submit(contest, owls, 'secret')).toBe('badChallenge')
  expect(await boardOf(contest)).toEqual(['1 Foxes 458', '2 Crows 458', '3 Owls 458'])

  // The hill's own points rise and fall.
  await push(contest, 'hill', [
    { userId: owls.id, points: 300 },
    { userId: crows.id, points: -50 },
  ])
  expect(await boardOf(contest)).toEqual(['1 Owls 758', '2 Foxes 458', '3 Crows 408'])
  await push(contest, 'hill', [{ userId: owls.id, points: 250 }])
  const own = await call(listChallengesV2, { token: owls.token })
  expect(own.data).toContainEqual(
    expect.objectContaining({ id: 'hill', yourScore: 250, yourPointDelta: -50, scoringKind: 'dynamic' }),
  )

  // A ban removes the team from the leaderboard immediately and raises the value of its solves for the
  // others.
  const banned = await call(updateTeam, {
    token: organiser.token,
    params: { id: foxes.id },
    body: { data: { banned: true } },
  })
  expect(banned.kind).toBe('goodAdminUserUpdate')
  expect(await boardOf(contest)).toEqual(['1 Owls 731', '2 Crows 431'])
  expect(await submit(contest, foxes, 'late')).toBe('badPerms')
  expect((await call(readProfileV2, { params: { id: foxes.id } })).kind).toBe('badUnknownUser')
  expect((await call(readOwnProfileV2, { token: foxes.token })).data).toMatchObject({
    banned: true,
    score: 0,
    globalPlace: null,
  })

  // A release happens exactly at its time.
  expect(await idsOf(contest)).toEqual(['first', 'hill'])
  contest.clock.advance(HOUR_MS - 1)
  expect(await submit(contest, crows, 'late')).toBe('badChallenge')
  contest.clock.advance(1)
  expect(await idsOf(contest)).toEqual(['first', 'hill', 'late'])
  expect(await submit(contest, crows, 'late')).toBe('goodFlag')
  expect(await boardOf(contest)).toEqual(['1 Crows 931', '2 Owls 731'])

  // The organiser hides a broken challenge and lifts the ban.
  await save(contest, { organiser, id: 'late' }, { hidden: true })
  expect(await boardOf(contest)).toEqual(['1 Owls 731', '2 Crows 431'])
  await call(updateTeam, {
    token: organiser.token,
    params: { id: foxes.id },
    body: { data: { banned: false } },
  })
  expect(await boardOf(contest)).toEqual(['1 Owls 708', '2 Foxes 458', '3 Crows 408'])

  // The event ends early and is audited and exported.
  const ended = { endTime: contest.clock.now() + 1 }
  expect((await call(updateSettings, { token: organiser.token, body: { data: ended } })).kind).toBe(
    'goodAdminSettingsUpdate',
  )
  contest.clock.advance(2)
  expect(await submit(contest, foxes, 'first')).toBe('badEnded')
  const audit = await call(filterSubmissions, {
    token: organiser.token,
    query: page,
    body: { result: { include: ['correct'] } },
  })
  expect(audit.data).toMatchObject({ total: 4 })
  const standings = await call(getExtrankLeaderboard, { token: organiser.token })
  expect(standings.data).toMatchObject({
    standings: [
      { pos: 1, team: 'Owls' },
      { pos: 2, team: 'Foxes' },
      { pos: 3, team: 'Crows' },
    ],
  })
})

async function prepare(contest: Contest, organiser: Member): Promise<void> {
  await save(contest, { organiser, id: 'first' }, { sortWeight: 1, flag: 'flag{first}', points })
  await save(
    contest,
    { organiser, id: 'secret' },
    { sortWeight: 4, flag: 'flag{secret}', points, hidden: true },
  )
  const releaseTime = contest.clock.now() + HOUR_MS
  await save(contest, { organiser, id: 'late' }, { sortWeight: 3, flag: 'flag{late}', points, releaseTime })
  const scoring = { kind: 'dynamic' as const, source: { transport: 'webhook' as const, secret: pushSecret } }
  await save(contest, { organiser, id: 'hill' }, { sortWeight: 2, scoring })
}

interface Target {
  readonly organiser: Member
  readonly id: string
}

async function save({ call }: Contest, { organiser, id }: Target, data: object): Promise<void> {
  const saved = await call(putChallengeV2, { token: organiser.token, params: { id }, body: { data } })
  expect(saved.kind).toBe('goodChallengeUpdateV2')
}

async function register(contest: Contest, name: string, email: string): Promise<Member> {
  const asked = await contest.call(registerV2, { body: { name, email, captchaCode: 'human' } })
  expect(asked.kind).toBe('goodVerifySent')
  const made = await contest.call(verifyV2, { body: { verifyToken: await tokenMailedTo(contest, email) } })
  if (made.kind !== 'goodRegisterV2') throw new Error(made.kind)
  const token = made.data.authToken
  const me = await contest.call(readOwnProfileV2, { token })
  if (me.kind !== 'goodUserSelfData') throw new Error(me.kind)
  return { id: me.data.id, token }
}

async function submit({ call }: Contest, { token }: Member, id: string): Promise<string> {
  return (await call(submitFlag, { token, params: { id }, body: { flag: `flag{${id}}` } })).kind
}

async function boardOf({ call }: Contest): Promise<string[]> {
  const board = await call(getLeaderboardV2, { query: page })
  if (board.kind !== 'goodLeaderboard') throw new Error(board.kind)
  return board.data.leaderboard.map(({ globalPlace, name, score }) => `${globalPlace} ${name} ${score}`)
}

async function idsOf({ call }: Contest): Promise<string[]> {
  const list = await call(listChallengesV2, {})
  if (list.kind !== 'goodChallenges') throw new Error(list.kind)
  return list.data.map(({ id }) => id)
}
