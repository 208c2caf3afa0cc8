import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { recordLog } from '../../../../test/log.ts'
import { openDatabase, type Database } from '../../../db/database.ts'
import { randomId } from '../../../lib/uuid.ts'
import type { NewTeam } from '../teams/new-teams.ts'
import { completeRegistration, listRegistrations, type Registration } from './registrations.ts'
import { createAccountStore, type AccountStore } from './store.ts'

const now = 1_700_000_000_000
const later = now + 3_600_000

let database: TestDatabase
let db: Database
let store: AccountStore
/** A second process with its own connections and batches. */
let other: Database
let otherStore: AccountStore

beforeAll(async () => {
  database = await openTestDatabase()
  db = database.db
  other = await openDatabase({ url: database.url, maxPoolSize: 4, log: recordLog().log })
  store = createAccountStore(db)
  otherStore = createAccountStore(other)
})
afterAll(async () => {
  await other.close()
  await database[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await db.query(sql`delete from teams`)
  await db.query(sql`delete from pending_registrations`)
  await db.query(sql`delete from outbox`)
})

let serial = 0
function team(more: Partial<NewTeam> = {}): NewTeam {
  serial += 1
  const fresh = { name: `team ${serial}`, email: `t${serial}@example.org`, division: 'open' }
  return { id: randomId(), ...fresh, perms: 0, extrankId: null, ...more }
}

function registration(more: Partial<Registration> = {}): Registration {
  const { id, name, division } = team()
  const email = `t${serial}@example.org`
  return { id, name, email, division, perms: 0, createdAt: now, expiresAt: later, ...more }
}

function register(row: Registration, into = store) {
  return into.register({
    registration: row,
    mail: { kind: 'register', to: row.email, token: `for ${row.id}` },
  })
}

async function countTeams(): Promise<number> {
  return (await db.query(sql`select id from teams`)).length
}

async function mailsTo(email: string): Promise<unknown[]> {
  return await db.query(sql`select id from outbox where payload->>'to' = ${email}`)
}

describe('teams created concurrently', () => {
  test.each([
    { what: 'name', fields: { name: 'The One' } },
    { what: 'email', fields: { email: 'one@example.org' } },
    { what: 'extrankId', fields: { extrankId: '77' } },
  ])('64 in parallel with the same $what: exactly one is created', async ({ what, fields }) => {
    const wanted = Array.from({ length: 64 }, () => team(fields))
    const outcomes = await Promise.all(
      wanted.map((one, at) => (at % 2 === 0 ? store : otherStore).createTeam(one)),
    )
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === what)).toHaveLength(63)
    expect(await countTeams()).toBe(1)
  })

  test('names that differ only in letter case are the same name', async () => {
    expect(await store.createTeam(team({ name: 'Pwn Stars' }))).toBeNull()
    expect(await store.createTeam(team({ name: 'pWN sTARS' }))).toBe('name')
  })

  test('names that differ only in the number of spaces are the same name, also concurrently', async () => {
    const names = Array.from({ length: 16 }, (_, at) => `Wide${' '.repeat(at + 1)}team`)
    const outcomes = await Promise.all(
      names.map((name, at) => (at % 2 === 0 ? store : otherStore).createTeam(team({ name }))),
    )
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'name')).toHaveLength(15)
    expect(await store.findCollision({ name: 'wide  TEAM', email: null, extrankId: null })).toBe('name')
    expect(await store.createTeam(team({ name: 'Wideteam' }))).toBeNull()
  })

  test('only the duplicate fails: the others in its commit are created', async () => {
    await store.createTeam(team({ name: 'taken' }))
    const wanted = [team(), team({ name: 'TAKEN' }), team(), team({ name: 'twice' }), team({ name: 'twice' })]
    const outcomes = await Promise.all(wanted.map((one) => store.createTeam(one)))
    expect(outcomes).toEqual([null, 'name', null, null, 'name'])
  })

  test('reports the first of several collisions, in the order name, email, extrankId', async () => {
    await store.createTeam(team({ name: 'a', email: 'a@example.org', extrankId: '1' }))
    const all = { name: 'A', email: 'a@example.org', extrankId: '1' }
    expect(await store.createTeam(team(all))).toBe('name')
    expect(await store.createTeam(team({ ...all, name: 'free' }))).toBe('email')
    expect(await store.createTeam(team({ ...all, name: 'free', email: null }))).toBe('extrankId')
  })

  test('each new team is recorded in the change log', async () => {
    const wanted = [team(), team(), team()]
    await Promise.all(wanted.map((one) => store.createTeam(one)))
    const rows = await db.query<{ ids: string[] }>(sql`select ids from changes where kind = 'teams'`)
    const noted = new Set(rows.flatMap(({ ids }) => ids))
    expect(wanted.every(({ id }) => noted.has(id))).toBe(true)
  })
})

describe('pending registrations', () => {
  test('a stored registration has its row and its mail', async () => {
    const row = registration()
    expect(await register(row)).toBeNull()
    expect(await store.findRegistration(row.id, now)).toEqual({
      ...row,
      codeId: null,
      fields: null,
      declared: null,
    })
    expect(await mailsTo(row.email)).toHaveLength(1)
  })

  test('a name or address that a team has is refused, without a row or a mail', async () => {
    await store.createTeam(team({ name: 'taken', email: 'taken@example.org' }))
    const named = registration({ name: 'Taken' })
    const addressed = registration({ email: 'taken@example.org' })
    const free = registration()
    expect(await Promise.all([named, addressed, free].map((row) => register(row)))).toEqual([
      'name',
      'email',
      null,
    ])
    expect(await store.findRegistration(named.id, now)).toBeNull()
    expect(await mailsTo(named.email)).toEqual([])
    expect(await mailsTo('taken@example.org')).toEqual([])
  })

  test('the newest registration for an address replaces the earlier ones', async () => {
    const rows = Array.from({ length: 32 }, () => registration({ email: 'again@example.org' }))
    for (const row of rows.slice(0, 2)) await register(row)
    expect(await store.findRegistration(rows[0]!.id, now)).toBeNull()
    await Promise.all(rows.map((row, at) => register(row, at % 2 === 0 ? store : otherStore)))
    expect(await listRegistrations(db, now)).toHaveLength(1)
  })

  test('an expired marker counts as missing', async () => {
    const row = registration()
    await register(row)
    expect(await store.findRegistration(row.id, later)).toBeNull()
    expect(await store.complete(row.id, later)).toBeNull()
    expect(await store.complete(row.id, later - 1)).toHaveProperty('teamId')
  })

  test('32 concurrent completions create one team', async () => {
    const row = registration()
    await register(row)
    const outcomes = await Promise.all(
      Array.from({ length: 32 }, (_, at) => (at % 2 === 0 ? store : otherStore).complete(row.id, now)),
    )
    expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1)
    expect(await countTeams()).toBe(1)
  })

  test('two with the same name: the first to complete wins, the other is deleted', async () => {
    const [first, second] = [registration({ name: 'both' }), registration({ name: 'Both' })]
    await Promise.all([register(first), register(second)])
    expect(await store.complete(second.id, now)).toHaveProperty('teamId')
    expect(await store.complete(first.id, now)).toEqual({ collision: 'name' })
    expect(await store.complete(first.id, now)).toBeNull()
  })

  test('a completion by an admin keeps the row when the name is taken', async () => {
    const row = registration({ name: 'both' })
    await register(row)
    await store.createTeam(team({ name: 'both' }))
    const recordAdmin = () => sql`select 1`
    const complete = () => completeRegistration(db, row.id, { now, recordAdmin })
    expect(await complete()).toEqual({ collision: 'name' })
    expect(await complete()).toEqual({ collision: 'name' })
  })

  test('lists the newest first', async () => {
    const rows = [registration(), registration({ createdAt: now + 1 })]
    await Promise.all(rows.map((row) => register(row)))
    expect((await listRegistrations(db, now)).map(({ id }) => id)).toEqual([rows[1]!.id, rows[0]!.id])
  })
})
