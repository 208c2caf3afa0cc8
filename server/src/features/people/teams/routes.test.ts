import * as contract from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { withMail } from '../../../../test/mail.ts'
import { changeTeam } from '../../../../test/team-rows.ts'

let contest: Contest
beforeAll(async () => {
  const divisionACLs = [
    { match: 'any', divisions: ['open', 'second'] },
    { match: 'domain', value: 'uni.edu', divisions: ['uni'] },
  ]
  const divisions = { open: 'Open', second: 'Second', uni: 'University' }
  contest = await startContest({ config: { ...withMail, divisions, divisionACLs, maxMembers: 3 } })
})
afterAll(() => contest[Symbol.asyncDispose]())

describe.each(['v1', 'v2'] as const)("a change to the team's own profile in %s", (version) => {
  const update = (token: string, body: { name?: string; division?: string }, on = contest) =>
    version === 'v1'
      ? on.call(contract.updateProfileV1, { token, body })
      : on.call(contract.updateProfileV2, { token, body })

  test('applies all given fields and returns the result', async () => {
    const { id, token } = await contest.team()
    const name = `renamed ${version}`
    const { kind, data } = await update(token, { name: ` ${name} `, division: 'second' })
    expect(kind).toBe('goodUserUpdate')
    const { email } = contest.world().team(id) ?? {}
    expect(data).toMatchObject({ user: { name, division: 'second', email } })
    expect(contest.world().team(id)).toMatchObject({ name, division: 'second' })
  })

  test('may contain no fields', async () => {
    const { id, token } = await contest.team()
    const { name } = contest.world().team(id) ?? {}
    expect((await update(token, {})).data).toMatchObject({ user: { name, division: 'open' } })
  })

  test('that changes nothing writes nothing', async () => {
    const { id, token } = await contest.team()
    const { name = '', division = '' } = contest.world().team(id) ?? {}
    const { responses } = await contest.db.change(async () => ({
      // The change lock is held, so a write would have to wait for the end of this transaction.
      responses: await Promise.all([update(token, {}), update(token, { name, division })]),
    }))
    expect(responses.map(({ kind }) => kind)).toEqual(['goodUserUpdate', 'goodUserUpdate'])
  })

  test('to the name of another team applies nothing', async () => {
    await contest.team(`occupied ${version}`)
    const { id, token } = await contest.team()
    const before = contest.world().team(id)
    const response = await update(token, { name: `OCCUPIED ${version}`, division: 'second' })
    expect(response.kind).toBe('badKnownName')
    expect(contest.world().team(id)).toEqual(before)
  })

  test("may change the letter case of the team's name", async () => {
    const { id, token } = await contest.team(`shouting ${version}`)
    expect((await update(token, { name: `SHOUTING ${version}` })).kind).toBe('goodUserUpdate')
    expect(contest.world().team(id)?.name).toBe(`SHOUTING ${version}`)
  })

  test('refuses a division that the address is not allowed in, before anything else', async () => {
    const { id, token } = await contest.team()
    for (const division of ['uni', 'nowhere', '']) {
      expect((await update(token, { division, name: 'unused' })).kind).toBe('badDivisionNotAllowed')
    }
    await changeTeam(contest, id, sql`division = 'uni'`)
    expect((await update(token, { division: 'uni' })).kind).toBe('badDivisionNotAllowed')
  })

  test('allows a burst of three renames and does not limit other changes', async () => {
    const { token } = await contest.team()
    for (const at of [1, 2, 3]) {
      expect((await update(token, { name: `hasty ${version} ${at}` })).kind).toBe('goodUserUpdate')
    }
    expect(await update(token, { name: 'too hasty' })).toMatchObject({
      kind: 'badRateLimit',
      data: { timeLeft: expect.any(Number) },
    })
    expect((await update(token, { division: 'second' })).kind).toBe('goodUserUpdate')
  })

  test('refuses malformed fields and unauthenticated callers', async () => {
    const { token } = await contest.team()
    expect((await update(token, { name: 'x' })).kind).toBe('badName')
    expect((await update(token, { name: null as never })).kind).toBe('badBody')
    expect((await update('garbage', { name: 'x' })).kind).toBe('badToken')
  })

  test('keeps the division after the end, but nothing else', async () => {
    await using over = await startContest({ config: { divisions: { open: 'Open', second: 'Second' } } })
    const { token } = await over.team()
    over.clock.advance(48 * HOUR_MS)
    const response = await update(token, { division: 'second', name: 'after the end' }, over)
    if (version === 'v2') expect(response.kind).toBe('badDivisionChangeEnded')
    else {
      const reason = expect.stringMatching(/^body:division: /)
      expect(response).toMatchObject({ kind: 'badBody', data: { reason } })
    }
    const allowed = await update(token, { division: 'open', name: 'after the end' }, over)
    expect(allowed.data).toMatchObject({ user: { name: 'after the end', division: 'open' } })
  })

  test('gives a name to exactly one of several concurrent teams', async () => {
    const rivals = await Promise.all(Array.from({ length: 8 }, () => contest.team()))
    const responses = await Promise.all(
      rivals.map(({ token }) => update(token, { name: `prize ${version}` })),
    )
    expect(responses.filter(({ kind }) => kind === 'goodUserUpdate')).toHaveLength(1)
    expect(responses.filter(({ kind }) => kind === 'badKnownName')).toHaveLength(7)
  })

  test('is allowed for a banned team', async () => {
    const { id, token } = await contest.team()
    await changeTeam(contest, id, sql`banned = true`)
    expect((await update(token, { division: 'second' })).kind).toBe('goodUserUpdate')
  })
})

describe('country and status', () => {
  const update = (token: string, body: { countryCode?: string | null; statusText?: string | null }) =>
    contest.call(contract.updateProfileV2, { token, body })

  test('are set, kept and cleared', async () => {
    const { token } = await contest.team()
    const set = await update(token, { countryCode: 'XK', statusText: 'x'.repeat(60) })
    expect(set.data).toMatchObject({
      user: { countryCode: 'XK', statusText: 'x'.repeat(60), avatarUrl: null },
    })
    expect((await update(token, { countryCode: null })).data).toMatchObject({
      user: { countryCode: null, statusText: 'x'.repeat(60) },
    })
  })

  test('must be valid', async () => {
    const { token } = await contest.team()
    for (const body of [{ countryCode: 'de' }, { countryCode: 'ZZ' }, { statusText: 'x'.repeat(61) }]) {
      expect((await update(token, body)).kind).toBe('badBody')
    }
  })

  test('do not exist in version 1', async () => {
    const { id, token } = await contest.team()
    const body = { countryCode: 'DE' } as object
    expect((await contest.call(contract.updateProfileV1, { token, body })).kind).toBe('goodUserUpdate')
    expect(contest.world().team(id)?.countryCode).toBeNull()
  })
})

test('a team that floods its own changes uses at most two connections and gets a retry response', async () => {
  const { token } = await contest.team()
  const texts = Array.from({ length: 60 }, (_, at) => `status ${at}`)
  const update = (statusText: string) =>
    contest.call(contract.updateProfileV2, { token, body: { statusText } })
  const { responses } = await contest.db.change(async () => {
    const pending = texts.map(update)
    // Refused requests get their response at once; the others wait for this change.
    const refused = await Promise.race(pending)
    expect(refused).toMatchObject({ kind: 'badRateLimit', data: { timeLeft: expect.any(Number) } })
    expect(contest.db.connections().waiting).toBe(0)
    return { responses: pending }
  })
  const kinds = (await Promise.all(responses)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'goodUserUpdate').length).toBeGreaterThanOrEqual(18)
  expect(kinds).toContain('badRateLimit')
})

describe('members', () => {
  const list = (token?: string) => contest.call(contract.listMembers, { token })
  const create = (token: string | undefined, email: string) =>
    contest.call(contract.createMember, { token, body: { email } })
  const remove = (token: string | undefined, id: string) =>
    contest.call(contract.deleteMember, { token, params: { id } })

  test('are added, listed in order and removed', async () => {
    const { id, token } = await contest.team()
    const added = await create(token, ' B@Example.org ')
    expect(added).toMatchObject({ kind: 'goodMemberCreate', data: { userid: id, email: 'b@example.org' } })
    await create(token, 'a@example.org')
    const members = (await list(token)).data as { id: string; email: string }[]
    expect(members.map(({ email }) => email)).toEqual(['b@example.org', 'a@example.org'])
    expect((await remove(token, members[0]?.id ?? '')).kind).toBe('goodMemberDelete')
    expect((await list(token)).data).toHaveLength(1)
  })

  test("include only the team's own members", async () => {
    const [one, two] = [await contest.team(), await contest.team()]
    const { id } = (await create(one.token, 'm@example.org')).data as { id: string }
    expect((await list(two.token)).data).toEqual([])
    expect((await remove(two.token, id)).kind).toBe('goodMemberDelete')
    expect((await remove(two.token, 'nothing')).kind).toBe('goodMemberDelete')
    expect((await list(one.token)).data).toHaveLength(1)
  })

  test('have unique addresses and are limited to the configured number', async () => {
    const { token } = await contest.team()
    const emails = Array.from({ length: 12 }, (_, at) => `m${at}@example.org`)
    expect((await create(token, 'm0@example.org')).kind).toBe('goodMemberCreate')
    expect((await create(token, 'm0@example.org')).kind).toBe('badKnownEmail')
    const kinds = (await Promise.all(emails.slice(1).map((email) => create(token, email)))).map(
      ({ kind }) => kind,
    )
    expect(kinds.filter((kind) => kind === 'goodMemberCreate')).toHaveLength(2)
    expect(kinds.filter((kind) => kind === 'badTooManyMembers')).toHaveLength(9)
    // A full team is reported before the duplicate.
    expect((await create(token, 'm0@example.org')).kind).toBe('badTooManyMembers')
  })

  test('require addresses and a signed-in team', async () => {
    const { token } = await contest.team()
    expect((await create(token, 'nobody')).kind).toBe('badEmail')
    expect((await create(token, 7 as never)).kind).toBe('badBody')
    expect((await create(undefined, 'nobody')).kind).toBe('badToken')
    expect((await list()).kind).toBe('badToken')
    expect((await remove(undefined, 'x')).kind).toBe('badToken')
  })

  test('cannot be added to a team that is being deleted', async () => {
    const { id, token } = await contest.team()
    const { response } = await contest.db.change(async (tx) => {
      await tx.query(sql`delete from teams where id = ${id}`)
      tx.changed('teams', [id])
      const pending = create(token, 'late@example.org')
      await vi.waitUntil(() => isSomebodyWaiting(contest), { timeout: 60_000, interval: 5 })
      return { response: pending }
    })
    expect((await response).kind).toBe('badToken')
  })

  test('do not exist if the deployment does not enable them', async () => {
    await using alone = await startContest({ config: { userMembers: false } })
    const { token } = await alone.team()
    const email = 'm@example.org'
    expect((await alone.call(contract.listMembers, { token })).kind).toBe('badEndpoint')
    expect((await alone.call(contract.createMember, { token, body: { email } })).kind).toBe('badEndpoint')
    expect((await alone.call(contract.createMember, { token, body: { email: 'no' } })).kind).toBe('badEmail')
    expect((await alone.call(contract.deleteMember, { token, params: { id: 'x' } })).kind).toBe('badEndpoint')
  })
})

/** Whether a transaction of this database waits for a lock. */
async function isSomebodyWaiting({ db }: Contest): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return rows.length > 0
}
