import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import type { Database } from '../../../db/database.ts'
import { orCollision } from './collision.ts'
import { addMember, listTeamMembers, removeMember } from './members.ts'
import { patchTeam, removeTeamEmail, setTeamEmail } from './store.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await openTestDatabase()
  db = database.db
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  await db.query(sql`delete from teams`)
  for (const id of ['a', 'b', 'c', 'd']) {
    await db.query(sql`
      insert into teams (id, name, email, division, extrank_id)
      values (${id}, ${`team ${id}`}, ${`${id}@example.org`}, 'open', ${id === 'a' ? '1' : null})`)
  }
})

const isAllowed = (_email: string | null, division: string) => division !== 'closed'
const patch = (id: string, fields: Parameters<typeof patchTeam>[1]['patch']) =>
  orCollision(patchTeam(db, { id, patch: fields, isAllowed }))
const setEmail = (id: string, email: string) =>
  orCollision(setTeamEmail(db, { id, email, issuedAt: 0, isAllowed }))

describe('a patch', () => {
  test('changes given fields and clears with null', async () => {
    await patch('a', { countryCode: 'DE', statusText: 'hi' })
    expect(await patch('a', { name: 'new', division: 'second', statusText: null })).toMatchObject({
      team: { name: 'new', division: 'second', countryCode: 'DE', statusText: null, email: 'a@example.org' },
    })
  })

  test("may change the letter case of the team's name", async () => {
    expect(await patch('a', { name: 'TEAM A' })).toMatchObject({ team: { name: 'TEAM A' } })
  })

  test('with a taken name changes nothing', async () => {
    expect(await patch('a', { name: 'Team B', statusText: 'lost' })).toEqual({ collision: 'name' })
    expect(await patch('a', {})).toMatchObject({ team: { name: 'team a', statusText: null } })
  })

  test("is refused if the team's current address is not allowed in the division", async () => {
    expect(await patch('a', { division: 'closed' })).toEqual({ refused: 'division' })
  })

  test('of a deleted team is refused with the reason', async () => {
    expect(await patch('gone', { name: 'x1' })).toEqual({ refused: 'gone' })
  })

  test('from several concurrent teams gives a name to one of them', async () => {
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((id) => patch(id, { name: 'the one' })))
    expect(outcomes.filter((outcome) => 'team' in outcome)).toHaveLength(1)
    expect(outcomes.filter((outcome) => 'collision' in outcome)).toHaveLength(3)
  })
})

describe('the address', () => {
  test('is set, also to its current value', async () => {
    expect(await setEmail('a', 'new@example.org')).toMatchObject({ team: { email: 'new@example.org' } })
    expect(await setEmail('a', 'new@example.org')).toHaveProperty('team')
  })

  test('of another team is refused', async () => {
    expect(await setEmail('a', 'b@example.org')).toEqual({ collision: 'email' })
  })

  test("must be allowed in the team's current division", async () => {
    await db.query(sql`update teams set division = 'closed' where id = 'a'`)
    expect(await setEmail('a', 'new@example.org')).toEqual({ refused: 'division' })
  })

  test('can be removed while the ranking site remains linked', async () => {
    expect(await removeTeamEmail(db, { id: 'a', issuedAt: 0 })).toMatchObject({ team: { email: null } })
    expect(await removeTeamEmail(db, { id: 'a', issuedAt: 0 })).toEqual({ refused: 'none' })
    expect(await removeTeamEmail(db, { id: 'b', issuedAt: 0 })).toEqual({ refused: 'last' })
    expect(await removeTeamEmail(db, { id: 'gone', issuedAt: 0 })).toEqual({ refused: 'gone' })
  })
})

describe('members', () => {
  test('are listed in the order in which they were added', async () => {
    for (const email of ['z@x.org', 'a@x.org']) await addMember(db, { teamId: 'a', email, max: 5 })
    expect((await listTeamMembers(db, 'a')).map(({ email }) => email)).toEqual(['z@x.org', 'a@x.org'])
    expect(await listTeamMembers(db, 'b')).toEqual([])
  })

  test('never exceed the maximum, however many are added concurrently', async () => {
    const emails = Array.from({ length: 24 }, (_, at) => `m${at}@x.org`)
    const outcomes = await Promise.all(emails.map((email) => addMember(db, { teamId: 'a', email, max: 5 })))
    expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(19)
    expect(await listTeamMembers(db, 'a')).toHaveLength(5)
  })

  test('have unique addresses within a team, and a full team is reported first', async () => {
    const again = (teamId: string, max: number) => addMember(db, { teamId, email: 'm@x.org', max })
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => again('a', 9)))
    expect(outcomes.filter((outcome) => outcome === 'known')).toHaveLength(7)
    expect(await again('b', 9)).toHaveProperty('id')
    expect(await again('a', 1)).toBe('full')
  })

  test('are removed by their own team only', async () => {
    const added = await addMember(db, { teamId: 'a', email: 'm@x.org', max: 5 })
    const id = typeof added === 'object' ? added.id : 'none'
    await removeMember(db, 'b', id)
    expect(await listTeamMembers(db, 'a')).toHaveLength(1)
    await removeMember(db, 'a', id)
    expect(await listTeamMembers(db, 'a')).toEqual([])
  })

  test('of a deleted team cannot be added', async () => {
    expect(await addMember(db, { teamId: 'gone', email: 'm@x.org', max: 5 })).toBe('gone')
  })
})
