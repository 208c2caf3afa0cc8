import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { updateTeam } from '@pennant/contract/admin-teams.ts'
import { createApiToken } from '@pennant/contract/api-tokens.ts'
import { startMessageThread } from '@pennant/contract/messages.ts'
import { deletePerson, readMe, updatePerson } from '@pennant/contract/people.ts'
import * as contract from '@pennant/contract/personal-data.ts'
import { readProfileV2, readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { Client } from 'pg'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { impersonalTables } from '../../../../test/impersonal-tables.ts'
import { personIn, teamless } from '../../../../test/people.ts'
import { everything, verified } from '../../../../test/personal-data.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import { verifyActions } from '../../../ops/verify/actions.ts'
import { personalTables } from './declared.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
  await putChallenge(contest.db, challengeRow('c1'))
  await putChallenge(contest.db, challengeRow('c2'))
})
afterAll(() => contest[Symbol.asyncDispose]())

const solve = (team: Member, id = 'c1') =>
  contest.call(submitFlag, { token: team.token, params: { id }, body: { flag: 'flag{x}' } })

async function fileOf(path: string, { token }: Member): Promise<{ status: number; text: string }> {
  const response = await fetch(new URL(path, contest.url), { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, text: await response.text() }
}

describe('the list', () => {
  test('decides about every column of text, JSON and bytes of the schema', async () => {
    const columns = await contest.db.query<{ name: string }>(sql`
      select c.relname || '.' || a.attname as name
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
        and t.typname in ('text', 'varchar', 'citext', 'inet', 'cidr', 'json', 'jsonb', 'bytea', '_text', '_inet')`)
    const listed = [
      ...personalTables.flatMap(({ name, personal, other }) =>
        [...personal, ...other].map((column) => `${name}.${column}`),
      ),
      ...Object.entries(impersonalTables).flatMap(([table, names]) =>
        names.map((name) => `${table}.${name}`),
      ),
    ]
    // A new column with personal data needs its purpose and its erasure; one without is listed as such.
    expect(listed.toSorted()).toEqual(columns.map(({ name }) => name).toSorted())
  })
})

/** A team that left a trace in every table that a deletion covers. */
async function fullTeam(name: string): Promise<{ team: Member; captain: Member; mark: string }> {
  const mark = name.toLowerCase().replaceAll(' ', '-')
  const team = await contest.team(name)
  const captain = await personIn(contest, team.id, {
    name: `Captain of ${mark}`,
    email: `captain@${mark}.test`,
    isCaptain: true,
  })
  const { db } = contest
  await db.query(sql`update teams set email = ${`team@${mark}.test`}, extrank_id = ${`x-${mark}`},
    status_text = ${`Status ${mark}`}, avatar_url = ${`/uploads/avatars/${team.id}/${'a'.repeat(64)}.webp`} where id = ${team.id}`)
  await db.query(
    sql`insert into members (id, team_id, email) values (${mark}, ${team.id}, ${`m@${mark}.test`})`,
  )
  await db.query(addToOutbox('mail', { kind: 'recover', to: `Team@${mark}.test`, token: 'secret-token' }))
  await db.query(sql`insert into mail_opt_outs (address, at) values (${`m@${mark}.test`}, now())`)
  await db.query(sql`
    insert into person_identities (issuer, subject, person_id, label)
    values ('https://issuer.test', ${mark}, ${captain.id}, ${`label ${mark}`})`)
  const asked = await contest.call(startMessageThread, {
    token: captain.token,
    body: { subject: `Subject ${mark}`, content: `Question ${mark}` },
  })
  expect(asked.kind).toMatch(/^good/)
  await contest.call(createApiToken, {
    token: captain.token,
    body: { name: `token ${mark}`, scopes: ['read'] },
  })
  const data = { statusText: `Status ${mark}` }
  await contest.call(updateTeam, { token: admin.token, params: { id: team.id }, body: { data } })
  return { team, captain, mark }
}

describe('a team', () => {
  test('downloads what is stored about it, without secrets and without what is of its people', async () => {
    const { team, mark } = await fullTeam('Download one')
    await fullTeam('Download other')
    await solve(team)
    const member = await personIn(contest, team.id, { name: 'Mate', email: 'mate@mates.test' })
    const { status, text } = await fileOf('/api/v2/users/me/personal-data', team)
    expect(status).toBe(200)
    const file = JSON.parse(text) as { of: string; id: string; tables: Record<string, object[]> }
    expect(file).toMatchObject({ format: 'pennant-personal-data/1', of: 'team', id: team.id })
    expect(file.tables).toMatchObject({
      teams: [{ name: 'Download one', email: `team@${mark}.test`, statusText: `Status ${mark}` }],
      members: [{ email: `m@${mark}.test` }],
      outbox: [{ kind: 'mail', to: `Team@${mark}.test` }],
      mail_opt_outs: [{ address: `m@${mark}.test` }],
      message_threads: [{ subject: `Subject ${mark}` }],
      thread_messages: [{ content: `Question ${mark}`, from: 'team' }],
      solves: [{ challengeId: 'c1' }],
      submissions: [{ challengeId: 'c1', result: 'correct', submittedFlag: 'flag{x}' }],
    })
    // That organisers changed points is closed in a freeze.
    expect(file.tables).not.toHaveProperty('admin_actions')
    const people = file.tables['persons'] as { name: string; isCaptain: boolean }[]
    expect(new Map(people.map(({ name, isCaptain }) => [name, isCaptain]))).toEqual(
      new Map([
        [`Captain of ${mark}`, true],
        ['Mate', false],
      ]),
    )
    for (const other of ['captain@', 'mate@', 'secret-token', 'download-other', `label ${mark}`])
      expect(text).not.toContain(other)
    expect((await fileOf('/api/v2/users/me/personal-data', member)).text).toContain('badPerms')
  })

  test('that deletes itself leaves an anonymous row with its solves', async () => {
    const { team, captain, mark } = await fullTeam('Erased with solves')
    const other = await contest.team('Other team')
    await solve(team)
    await solve(other)
    const read = async () => {
      const { data } = (await contest.call(getLeaderboardV2, { query: { limit: '100', offset: '0' } })) as {
        data: { leaderboard: { id: string; name: string }[] }
      }
      return data.leaderboard
    }
    const before = await read()
    expect(
      await contest.call(contract.eraseOwnTeam, { token: team.token, body: { name: 'erased with solves' } }),
    ).toMatchObject({ kind: 'badConfirmation' })
    const erased = await contest.call(contract.eraseOwnTeam, {
      token: captain.token,
      body: { name: 'Erased with solves' },
    })
    expect(erased).toMatchObject({ kind: 'goodTeamErase', data: { isKept: true } })
    const after = await read()
    const row = after.find(({ id }) => id === team.id)
    expect(row?.name).toMatch(/^Deleted team \d+$/)
    expect(after.map((each) => (each.id === team.id ? { ...each, name: '' } : each))).toEqual(
      before.map((each) => (each.id === team.id ? { ...each, name: '' } : each)),
    )
    expect((await contest.call(readOwnProfileV2, { token: team.token })).kind).toBe('badToken')
    expect(await contest.call(readMe, { token: captain.token })).toMatchObject({ data: { team: null } })
    const profile = await contest.call(readProfileV2, { params: { id: team.id } })
    expect(profile).toMatchObject({ data: { name: row?.name, avatarUrl: null, statusText: null } })
    // Only what is of the captain, who stays a person.
    const left = (await everything(contest.db)).split('\n').filter((line) => line.includes(mark))
    expect(left.filter((line) => !line.startsWith('person'))).toEqual([])
    expect(await verified(contest.database.url)).toEqual([])
  })

  test('without solves is gone, and its name is free', async () => {
    const { team, mark } = await fullTeam('Erased early')
    const erased = await contest.call(contract.eraseTeam, { token: admin.token, params: { id: team.id } })
    expect(erased).toMatchObject({ kind: 'goodTeamErase', data: { isKept: false } })
    expect(contest.world().team(team.id)).toBeUndefined()
    const left = (await everything(contest.db)).split('\n').filter((line) => line.includes(mark))
    expect(left.every((line) => line.startsWith('person'))).toBe(true)
    await contest.team('Erased early')
    const call = (id: string) => contest.call(contract.eraseTeam, { token: admin.token, params: { id } })
    expect((await call(team.id)).kind).toBe('badUnknownUser')
    expect((await call(admin.id)).kind).toBe('badUserPrivileged')
  })

  test('keeps its row under another name if one is called like it', async () => {
    const team = await contest.team('Doubled')
    await solve(team)
    const [row] = await contest.db.query<{ n: number }>(sql`select n from teams where id = ${team.id}`)
    await contest.team(`deleted  team ${row?.n}`)
    await contest.call(contract.eraseOwnTeam, { token: team.token, body: { name: 'Doubled' } })
    expect(contest.world().team(team.id)?.name).toBe(`Deleted team ${row?.n} ${team.id.slice(0, 8)}`)
  })
})

describe('a person', () => {
  const erase = ({ token }: Member, name: string, withTeam = false) =>
    contest.call(contract.eraseMe, { token, body: { name, withTeam } })

  test('downloads what is stored about them, and nothing of others', async () => {
    const { captain, mark } = await fullTeam('Person one')
    await solve(captain)
    const mate = await personIn(contest, (await contest.team()).id, { email: 'other@person.test' })
    await solve(mate)
    const { text } = await fileOf('/api/v2/people/me/personal-data', captain)
    const file = JSON.parse(text) as { tables: Record<string, object[]> }
    expect(file).toMatchObject({ of: 'person', id: captain.id })
    expect(file.tables).toMatchObject({
      persons: [{ name: `Captain of ${mark}`, email: `captain@${mark}.test`, team: 'Person one' }],
      person_sessions: [{ methods: ['mail'], ip: '127.0.0.1' }],
      person_identities: [{ issuer: 'https://issuer.test', label: `label ${mark}` }],
      api_tokens: [{ name: `token ${mark}`, scopes: ['read'] }],
      submissions: [{ challengeId: 'c1' }],
    })
    expect(file.tables['submissions']).toHaveLength(1)
    expect(text).not.toContain('other@person.test')
    expect(text).not.toContain('hash')
  })

  test('deletes the account; what the team did stays, by a deleted person', async () => {
    const { team, captain, mark } = await fullTeam('Person two')
    const mate = await personIn(contest, team.id, { name: `Mate ${mark}`, email: `mate@${mark}.test` })
    await solve(mate)
    await contest.call(updatePerson, {
      token: admin.token,
      params: { id: mate.id },
      body: { data: { name: `Renamed ${mark}` } },
    })
    expect((await erase(captain, `Captain of ${mark}`)).kind).toBe('badHandOver')
    expect((await erase(mate, 'Someone')).kind).toBe('badConfirmation')
    expect((await erase(mate, `Renamed ${mark}`)).kind).toBe('goodPersonErase')
    expect((await contest.call(readMe, { token: mate.token })).kind).toBe('badToken')
    const text = await everything(contest.db)
    for (const gone of [`Mate ${mark}`, `Renamed ${mark}`, `mate@${mark}`]) expect(text).not.toContain(gone)
    const rows = await contest.db.query(sql`
      select ip, result from submissions where team_id = ${team.id} and challenge_id = 'c1'`)
    expect(rows).toEqual([{ ip: 'unknown', result: 'correct' }])
    expect(await verified(contest.database.url)).toEqual([])
    // An organiser does the same on request.
    const last = { token: admin.token, params: { id: captain.id } }
    expect((await contest.call(deletePerson, last)).kind).toBe('goodAdminPersonDelete')
    expect(await everything(contest.db)).not.toContain(`Captain of ${mark}`)
  })

  test('takes along the team that no one else could sign in to, when asked twice', async () => {
    const team = await contest.team('Alone')
    await contest.db.query(sql`update teams set email = null where id = ${team.id}`)
    const person = await personIn(contest, team.id, { name: 'Alone', isCaptain: true })
    expect((await erase(person, 'Alone')).kind).toBe('badLastInTeam')
    expect((await erase(person, 'Alone', true)).kind).toBe('goodPersonErase')
    expect(contest.world().team(team.id)).toBeUndefined()
  })

  test('without a team deletes the account; the last organiser stays', async () => {
    const free = await teamless(contest, { name: 'Free' })
    expect((await erase(free, 'Free')).kind).toBe('goodPersonErase')
    const organisers = await contest.admin()
    await contest.db.query(sql`update teams set email = null where id = ${organisers.id}`)
    const last = await personIn(contest, organisers.id, { name: 'Last', isCaptain: true })
    expect((await erase(last, 'Last', true)).kind).toBe('badUserPrivileged')
    const own = { token: organisers.token, body: { name: contest.world().team(organisers.id)?.name ?? '' } }
    expect((await contest.call(contract.eraseOwnTeam, own)).kind).toBe('badUserPrivileged')
  })

  test('needs people', async () => {
    await using without = await startContest({ config: { people: 'off' } })
    const person = await teamless(without, { name: 'None' })
    const call = await without.call(contract.eraseMe, { token: person.token, body: { name: 'None' } })
    expect(call.kind).toBe('badToken')
  })
})

test('the record names every place, its receivers and measures', async () => {
  const record = await contest.call(contract.readProcessingRecord, { token: admin.token })
  if (record.kind !== 'goodProcessingRecord') throw new Error(record.kind)
  const names = new Set(personalTables.filter(({ personal }) => personal.length > 0).map(({ name }) => name))
  expect(new Set(record.data.data.map(({ table }) => table))).toEqual(names)
  // Organisers did not choose to erase them.
  expect(record.data.data.find(({ table }) => table === 'message_threads')?.retention).toBe('kept')
  expect(record.data.receivers).toContainEqual({ kind: 'files', name: 'uploads/local' })
  expect(new Set(record.data.data.map(({ category }) => category))).toEqual(
    new Set(contract.personalDataCategories),
  )
  expect(await contest.call(contract.readPrivacy, {})).toMatchObject({
    kind: 'goodPrivacy',
    data: { controller: '', eraseAt: null, erasesMessages: false },
  })
})

test('an erased field of the action log is no finding; a changed one is', async () => {
  await using database = await openTestDatabase()
  const { db, url } = database
  const insert = sql`
    insert into admin_actions (action, actor_name, ip, before, after)
    values ('team.update', 'Admin', '192.0.2.1', '{"a":1}', '{"a":2}')`
  await db.query(insert)
  // As versions before this one wrote them.
  await db.query(raw('alter table admin_actions disable trigger admin_actions_chain'))
  await db.query(sql`update admin_actions set digests = null, salts = null`)
  await db.query(sql`update admin_actions a set hash = action_hash(a)`)
  await db.query(sql`update action_chain set hash = (select hash from admin_actions)`)
  await db.query(raw('alter table admin_actions enable trigger admin_actions_chain'))
  await db.query(insert)
  await db.query(insert)
  expect(await verified(url)).toEqual([])
  await db.query(sql`update admin_actions set ip = null, salts = salts - 'ip', erased_at = now()`)
  expect(await verified(url)).toEqual([])
  const findings = async (change: string) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      await client.query('begin')
      await client.query(change)
      return (await verifyActions(client, null)).broken.length
    } finally {
      await client.query('rollback')
      await client.end()
    }
  }
  expect(await findings(`update admin_actions set after = '{"a":3}' where id = 2`)).toBe(1)
  expect(await findings(`update admin_actions set ip = '192.0.2.7' where id = 2`)).toBe(1)
  expect(await findings(`update admin_actions set before = null where id = 2`)).toBe(1)
  expect(await findings(`update admin_actions set target = 'x' where id = 2`)).toBe(1)
  expect(await findings(`update admin_actions set digests = null, salts = null where id = 3`)).toBe(1)
})
