import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { createDatabaseMarkers } from '../../../kv/database-markers.ts'
import { randomId } from '../../../lib/uuid.ts'
import { createTeamByHand, demote, listAdmins, promote } from './admins.ts'
import { firstAdminLink } from './first-admin.ts'
import { listRegistrations } from './registrations.ts'
import { createAccountStore, type AccountStore } from './store.ts'
import { createTokens } from './tokens.ts'

const now = () => 1_700_000_000_000
const loginTimeoutMs = 3_600_000
const tokens = createTokens({ key: Buffer.alloc(32, 3), now, loginTimeoutMs })

let database: TestDatabase
let store: AccountStore
beforeAll(async () => {
  database = await openTestDatabase()
  store = createAccountStore(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  await database.db.query(sql`delete from teams`)
  await database.db.query(sql`delete from pending_registrations`)
})

async function link(origin = 'https://ctf.example.org') {
  const { db } = database
  const markers = createDatabaseMarkers(db, now)
  return await firstAdminLink({ db, tokens, markers, origin, now, loginTimeoutMs, division: 'open' })
}

function verifyIdOf(address: string | null): string {
  const token = new URL(address ?? 'http://none').searchParams.get('token') ?? ''
  return tokens.open(token, ['register'])?.verifyId ?? 'none'
}

async function takeNameAndAddress() {
  const fields = { name: 'Organiser', email: 'admin@ctf.example.org', division: 'open' }
  return await store.createTeam({ ...fields, id: randomId(), perms: 0, extrankId: null })
}

test('the link creates a team with every permission', async () => {
  const address = await link()
  expect(address).toMatch(/^https:\/\/ctf\.example\.org\/verify\?token=/)
  expect(await store.findRegistration(verifyIdOf(address), now())).toMatchObject({
    name: 'organiser',
    email: 'admin@ctf.example.org',
  })
  expect(await store.complete(verifyIdOf(address), now())).toHaveProperty('teamId')
  expect(await listAdmins(database.db)).toMatchObject([
    { name: 'organiser', email: 'admin@ctf.example.org', perms: ALL_PERMISSIONS },
  ])
})

test('there is no link if an admin exists', async () => {
  await createTeamByHand({ db: database.db, ...boss })
  expect(await link()).toBeNull()
})

const boss = { name: 'boss', email: 'b@example.org', perms: 16, division: 'open' }

test('the link stops working when another admin is created, even after that admin is deleted', async () => {
  const { db } = database
  const verifyId = verifyIdOf(await link())
  await createTeamByHand({ db, ...boss })
  expect(await store.findRegistration(verifyId, now())).toBeNull()
  expect(await store.complete(verifyId, now())).toBeNull()
  await demote(db, { email: boss.email, now: now() })
  expect(await store.complete(verifyId, now())).toBeNull()
  expect(await listAdmins(db)).toEqual([])
})

test('the link stops working when a team is promoted', async () => {
  const { db } = database
  await createTeamByHand({ db, ...boss, perms: 0 })
  const verifyId = verifyIdOf(await link())
  await promote(db, { email: boss.email, perms: 1, now: now() })
  await demote(db, { email: boss.email, now: now() })
  expect(await store.complete(verifyId, now())).toBeNull()
})

test('the link is refused while any team has permissions, and a start with an admin deletes it', async () => {
  const { db } = database
  const verifyId = verifyIdOf(await link())
  await store.createTeam({ ...boss, id: 'boss', perms: 0, extrankId: null })
  // Set directly in the database, as some operators do.
  await db.query(sql`update teams set perms = 63 where id = 'boss'`)
  expect(await store.complete(verifyId, now())).toBeNull()
  expect(await link()).toBeNull()
  await db.query(sql`update teams set perms = 0`)
  expect(await store.complete(verifyId, now())).toBeNull()
})

test('when the link and `admin create` run at the same time, the link cannot add a second admin afterwards', async () => {
  const { db } = database
  const verifyId = verifyIdOf(await link())
  const [, completion] = await Promise.all([
    createTeamByHand({ db, ...boss }),
    store.complete(verifyId, now()),
  ])
  expect(await store.complete(verifyId, now())).toBeNull()
  expect(await listAdmins(db)).toHaveLength(completion === null ? 1 : 2)
})

test('a new link replaces the previous one', async () => {
  const [first, second] = [await link(), await link('http://localhost:3000')]
  expect(await store.complete(verifyIdOf(first), now())).toBeNull()
  expect(await store.complete(verifyIdOf(second), now())).toHaveProperty('teamId')
})

test('a host that is not valid in an email address is replaced', async () => {
  const verifyId = verifyIdOf(await link('http://127.0.0.1:3000'))
  expect(await store.findRegistration(verifyId, now())).toMatchObject({ email: 'admin@pennant.invalid' })
})

test('the link works even if its name and address were taken before or after it was printed', async () => {
  const early = verifyIdOf(await link())
  expect(await takeNameAndAddress()).toBeNull()
  expect(await store.complete(early, now())).toHaveProperty('teamId')
  expect(await listAdmins(database.db)).toMatchObject([
    { name: 'organiser-2', email: 'admin-2@ctf.example.org' },
  ])
  await database.db.query(sql`delete from teams where perms > 0`)
  expect(await store.complete(verifyIdOf(await link()), now())).toHaveProperty('teamId')
})

test('a registration with the same address neither replaces the link nor inherits its permissions', async () => {
  const verifyId = verifyIdOf(await link())
  const email = 'admin@ctf.example.org'
  const id = randomId()
  const times = { createdAt: now(), expiresAt: now() + loginTimeoutMs }
  const registration = { id, email, name: 'mallory', division: 'open', perms: 0, ...times }
  expect(await store.register({ registration, mail: { kind: 'register', to: email, token: 't' } })).toBeNull()
  expect((await listRegistrations(database.db, now())).map((row) => row.id)).toEqual([id])
  expect(await store.complete(id, now())).toHaveProperty('teamId')
  expect(await listAdmins(database.db)).toEqual([])
  expect(await store.complete(verifyId, now())).toHaveProperty('teamId')
})

test('adds and removes permissions by email address', async () => {
  const { db } = database
  const made = await createTeamByHand({ db, ...boss })
  expect(made).toHaveProperty('id')
  expect(await promote(db, { email: 'b@example.org', perms: 5, now: now() })).toMatchObject({
    name: 'boss',
    perms: 21,
  })
  expect(await demote(db, { email: 'b@example.org', now: now() })).toMatchObject({ perms: 0 })
  expect(await listAdmins(db)).toEqual([])
  expect(await promote(db, { email: 'nobody@example.org', perms: 63, now: now() })).toBeNull()
  expect(await demote(db, { email: 'nobody@example.org', now: now() })).toBeNull()
})

test('an admin cannot be created with the name or address of another team', async () => {
  const { db } = database
  await createTeamByHand({ db, ...boss })
  expect(await createTeamByHand({ db, ...boss, email: 'c@example.org' })).toEqual({ collision: 'name' })
  expect(await createTeamByHand({ db, ...boss, name: 'chief' })).toEqual({ collision: 'email' })
})
