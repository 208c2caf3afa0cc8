import { listActions } from '@pennant/contract/actions.ts'
import { login, testToken } from '@pennant/contract/accounts.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { listMessageThreads } from '@pennant/contract/messages.ts'
import { readOwnProfileV2, signOutEverywhere } from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { personIn, teamless } from '../../../../test/people.ts'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { endedSessionRows, personRows } from './rows.ts'

let contest: Contest
beforeEach(async () => {
  contest = await startContest()
})
afterEach(() => contest[Symbol.asyncDispose]())

const kindOf = async (token: string) => (await contest.call(readOwnProfileV2, { token })).kind

test('a person acts as the team, and only the captain reads its token', async () => {
  const team = await contest.team('crew')
  const captain = await personIn(contest, team.id, { isCaptain: true })
  const member = await personIn(contest, team.id)
  const own = async (token: string) => (await contest.call(readOwnProfileV2, { token })).data
  expect(await own(captain.token)).toMatchObject({ id: team.id, teamToken: expect.stringMatching(/./) })
  expect(await own(member.token)).toMatchObject({ id: team.id, teamToken: '' })
})

test('a person in no team has a session, and acts as none', async () => {
  const person = await teamless(contest)
  expect(await kindOf(person.token)).toBe('badNoTeam')
  expect((await contest.call(testToken, { token: person.token })).kind).toBe('badNoTeam')
})

test('a session ends when it is ended, expires, or all of the person are', async () => {
  const { id } = await contest.team('crew')
  const [ended, expired, voided] = [
    await personIn(contest, id),
    await personIn(contest, id, { lifeMs: HOUR_MS }),
    await personIn(contest, id),
  ]
  await contest.db.change(async (tx) => {
    const [session] = await tx.query<{ id: string }>(
      sql`update person_sessions set ended_at = now(), expires_at = now() + interval '9 years'
        where person_id = ${ended.id} returning id`,
    )
    tx.changed(endedSessionRows, [session?.id ?? ''])
    await tx.query(sql`update persons set sessions_valid_from = to_timestamp(${contest.clock.now() / 1000 + 60})
      where id = ${voided.id}`)
    tx.changed(personRows, [voided.id])
  })
  expect(await kindOf(ended.token)).toBe('badToken')
  expect(await kindOf(voided.token)).toBe('badToken')
  expect(await kindOf(expired.token)).toBe('goodUserSelfData')
  contest.clock.advance(HOUR_MS)
  expect(await kindOf(expired.token)).toBe('badToken')
})

test('a team without its own token is reached by its people only', async () => {
  const team = await contest.team('crew')
  const { data } = await contest.call(readOwnProfileV2, { token: team.token })
  const { teamToken } = data as { teamToken: string }
  const captain = await personIn(contest, team.id, { isCaptain: true })
  await contest.db.change(async (tx) => {
    await tx.query(sql`update teams set token_off = true where id = ${team.id}`)
    tx.changed('teams', [team.id])
  })
  expect(await kindOf(team.token)).toBe('badToken')
  expect((await contest.call(login, { body: { teamToken } })).kind).toBe('badTokenVerification')
  expect((await contest.call(readOwnProfileV2, { token: captain.token })).data).toMatchObject({
    teamToken: '',
  })
})

test('an organiser has the permissions of the team that the person may use, and the action log names the person', async () => {
  const team = await contest.admin()
  const limited = await personIn(contest, team.id, { perms: 1 })
  const whole = await personIn(contest, team.id, { name: 'Ada' })
  const rename = (token: string) =>
    contest.call(updateSettings, { token, body: { data: { ctfName: 'Named' } } })
  expect((await rename(limited.token)).kind).toBe('badPerms')
  expect((await rename(whole.token)).kind).toBe('goodAdminSettingsUpdate')
  const { data } = await contest.call(listActions, { token: team.token, query: { limit: '1' } })
  expect(data).toMatchObject({ actions: [{ actor: { id: team.id, person: { id: whole.id, name: 'Ada' } } }] })
})

test('a deleted team leaves its people without one', async () => {
  const team = await contest.team('crew')
  const captain = await personIn(contest, team.id, { isCaptain: true })
  await contest.db.change(async (tx) => {
    await tx.query(sql`delete from teams where id = ${team.id}`)
    tx.changed('teams', [team.id])
  })
  expect(await kindOf(captain.token)).toBe('badNoTeam')
})

test('every person of a team may write to the organisers; only the captain signs all out', async () => {
  const team = await contest.team('crew')
  const [captain, member] = [
    await personIn(contest, team.id, { isCaptain: true }),
    await personIn(contest, team.id),
  ]
  expect((await contest.call(listMessageThreads, { token: member.token })).kind).toBe('goodMessageThreads')
  expect((await contest.call(signOutEverywhere, { token: member.token })).kind).toBe('badPerms')
  expect((await contest.call(signOutEverywhere, { token: captain.token })).kind).toBe('goodSignOutEverywhere')
})
