import { registerV2, verifyV2 } from '@pennant/contract/accounts.ts'
import { readInstance, startInstance, stopInstance } from '@pennant/contract/instances.ts'
import { limitOf } from '@pennant/contract/limits.ts'
import { setEmailV2 } from '@pennant/contract/teams.ts'
import { expect, test } from 'vitest'
import { putChallenge } from '../contest-data.ts'
import { challengeRow } from '../contest-rows.ts'
import { startContest } from '../harness.ts'
import { settleOutbox, withMail } from '../mail.ts'

// Concurrent identical requests against limits that are checked before the action. Races of members, bot
// jobs, external-auth codes, verification tokens, names, avatars and solves are tested next to their
// features.

const MANY = 32

function countOf(responses: readonly { readonly kind: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of responses) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

test('many concurrent registrations of one address send few mails, and all their links together create one team', async () => {
  await using contest = await startContest({ config: withMail })
  const email = 'flood@example.org'
  const responses = await Promise.all(
    Array.from({ length: MANY }, (_, n) => contest.call(registerV2, { body: { name: `flood ${n}`, email } })),
  )
  const { burst } = limitOf('mailsToAddress')
  expect(countOf(responses)).toEqual({ goodVerifySent: burst, badRateLimit: MANY - burst })
  await settleOutbox(contest)
  const mails = contest.mails.filter(({ to }) => to === email)
  expect(mails.length).toBeGreaterThan(0)
  expect(mails.length).toBeLessThanOrEqual(burst)
  const tokens = mails.map(({ text }) => decodeURIComponent(/token=([^\s&]+)/.exec(text)?.[1] ?? ''))
  const used = await Promise.all(
    [...tokens, ...tokens].map((verifyToken) => contest.call(verifyV2, { body: { verifyToken } })),
  )
  expect(countOf(used)).toEqual({ goodRegisterV2: 1, badTokenVerification: used.length - 1 })
  expect(contest.world().findTeamByEmail(email)).toBeDefined()
})

test('many concurrent changes to one address result in one team that has it', async () => {
  await using contest = await startContest()
  const teams = await Promise.all(Array.from({ length: 8 }, () => contest.team()))
  const email = 'wanted@example.org'
  const responses = await Promise.all(
    teams.map(({ token }) => contest.call(setEmailV2, { token, body: { email } })),
  )
  expect(countOf(responses)).toEqual({ goodEmailSet: 1, badKnownEmail: teams.length - 1 })
  expect(teams.filter(({ id }) => contest.world().team(id)?.email === email)).toHaveLength(1)
})

test("many concurrent starts of instances stay within the team's limit, even while others stop", async () => {
  const maxPerTeam = 3
  await using contest = await startContest({
    config: { instancers: { local: { name: 'instancers/memory' } }, instances: { maxPerTeam } },
  })
  const instancerConfig = { challengeIntegrationId: '', config: {}, expose: [], timeoutMilliseconds: 600_000 }
  const ids = Array.from({ length: 8 }, (_, n) => `chall-${n}`)
  for (const id of ids) await putChallenge(contest.db, challengeRow(id, { instancerConfig }))
  const { token } = await contest.team()
  const held = async () => {
    const responses = await Promise.all(
      ids.map((id) => contest.call(readInstance, { token, params: { id } })),
    )
    const states = responses.map(({ data }) => (data as { status: string }).status)
    return states.filter((status) => status !== 'stopped').length
  }
  const start = (id: string) => contest.call(startInstance, { token, params: { id }, body: {} })
  const responses = await Promise.all([...ids, ...ids].map(start))
  expect(responses.filter(({ kind }) => kind === 'goodInstanceStatus').length).toBeGreaterThanOrEqual(
    maxPerTeam,
  )
  expect(await held()).toBe(maxPerTeam)
  // Regression: a stop freed its slot immediately, while the instance still existed.
  for (const id of ids) {
    await Promise.all(ids.map((other) => contest.call(stopInstance, { token, params: { id: other } })))
    await start(id)
    expect(await held()).toBeLessThanOrEqual(maxPerTeam)
  }
})
