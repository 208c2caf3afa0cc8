import { Client } from 'pg'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/database.ts'
import { byCommand, recordAdminAction } from '../../db/admin-actions.ts'
import type { Database } from '../../db/database.ts'
import { withOrigin } from '../../lib/action-origin.ts'
import { pruneHistory } from '../../worker/prune-history.ts'
import { verifyActions } from './actions.ts'

async function check(url: string, anchor: string | null = null) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await verifyActions(client, anchor)
  } finally {
    await client.end()
  }
}

/** Entry 3 has every column. */
async function fill(db: Database): Promise<void> {
  await db.query(sql`
    insert into teams (id, name, email, division) values ('t1', 'Grüße; "1:2"', 'one@x.test', 'open')`)
  const plain = { ...byCommand, action: 'challenge.update', target: 'web' }
  await db.query(recordAdminAction(plain))
  await db.query(recordAdminAction({ ...plain, before: { a: '\u0000ü' }, after: null }))
  const [person, apiToken] = [
    { id: 'p1', name: 'Ada' },
    { id: 'a1', name: 'script' },
  ]
  await withOrigin({ route: 'PUT /x', requestId: 'r1', person, apiToken }, () =>
    db.query(
      recordAdminAction({
        actorId: 't1',
        ip: '203.0.113.1',
        undoes: 1,
        action: 'challenge.update',
        target: 'web',
        keys: ['na"me', 'tags'],
        before: { hidden: true },
        after: { hidden: false },
      }),
    ),
  )
  await db.query(recordAdminAction(plain))
  await db.query(sql`update admin_actions set id = id`)
}

/** Adds an entry as an owner of the database could, with a valid hash and the hash of the entry before it. */
async function insertPast(db: Database, seq: number): Promise<void> {
  await db.query(sql`alter table admin_actions disable trigger admin_actions_chain`)
  await db.query(sql`
    insert into admin_actions (id, action, target, ip, salts, previous_hash, hash) values (${seq}, 'challenge.update', 'web',
      '203.0.113.9', '{"ip": "salt"}', coalesce((select max(hash) from admin_actions where id = ${seq - 1}), repeat('0', 64)), '')`)
  await db.query(sql`update admin_actions a set digests = action_digests(a) where id = ${seq}`)
  await db.query(sql`update admin_actions a set hash = action_hash(a) where id = ${seq}`)
  await db.query(sql`alter table admin_actions enable trigger admin_actions_chain`)
}

const head = async (db: Database) =>
  (await db.query<{ seq: number; hash: string }>(sql`select seq, hash from action_chain`))[0]

describe('the chain of actions', () => {
  test('is whole as the database writes it', async () => {
    await using database = await openTestDatabase()
    const { db, url } = database
    expect(await check(url)).toEqual({
      entries: 0,
      head: { seq: 0, hash: '0'.repeat(64) },
      broken: [],
      brokenCount: 0,
    })
    await fill(db)
    expect(await check(url)).toEqual({ entries: 4, head: await head(db), broken: [], brokenCount: 0 })
    expect(await check(url, (await head(db))?.hash)).toMatchObject({ broken: [] })
  })

  test('has the order of the commits, without gaps, when many write at once', async () => {
    await using database = await openTestDatabase()
    const { db, url } = database
    const write = (n: number) =>
      db.transaction(async (tx) => {
        await tx.query(recordAdminAction({ ...byCommand, action: 'test.write', target: String(n) }))
        if (n % 3 === 0) throw new Error('rolled back')
      })
    await Promise.allSettled(Array.from({ length: 60 }, (_, n) => write(n)))
    expect(await check(url)).toMatchObject({ entries: 40, head: { seq: 40 }, broken: [] })
  })

  const columns: Readonly<Record<string, string>> = {
    id: '30',
    at: `at + interval '1 microsecond'`,
    actor_id: `'t2'`,
    actor_name: `'Someone else'`,
    action: `'challenge.delete'`,
    route: `'PUT /'`,
    target: `'crypto'`,
    keys: `'{name}'`,
    before: `'{"hidden":false}'`,
    after: `'{"hidden": false}'`,
    ip: `'203.0.113.2'`,
    request_id: `''`,
    undoes: '2',
    person_id: `'p2'`,
    person_name: `'Eve'`,
    api_token_id: `'a2'`,
    api_token_name: `'other'`,
    previous_hash: `repeat('1', 64)`,
    hash: `repeat('1', 64)`,
    salts: `salts || '{"ip": "other"}'`,
    digests: `'{}'`,
  }
  /** Says only when a field was erased, which shows by itself. */
  const NOT_COVERED = ['erased_at']

  test('covers every column of the table', async () => {
    await using database = await openTestDatabase()
    const found = await database.db.query<{ name: string }>(sql`
      select attname::text as name from pg_attribute
      where attrelid = 'admin_actions'::regclass and attnum > 0 and not attisdropped`)
    expect(found.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(columns), ...NOT_COVERED].toSorted(),
    )
  })

  test.each(Object.entries(columns))('shows that %s was changed', async (column, value) => {
    await using database = await openTestDatabase()
    const { db, url } = database
    await fill(db)
    await db.query(raw(`update admin_actions set ${column} = ${value} where id = 3`))
    const {
      broken: [broken],
    } = await check(url)
    expect(broken).toMatch(column === 'id' ? /^entry 3 is missing: the next one is entry / : /^entry 3 /)
  })

  test.each([
    'actor_id',
    'actor_name',
    'target',
    'before',
    'after',
    'ip',
    'undoes',
    'person_id',
    'api_token_id',
  ])('shows that %s was removed', async (column) => {
    await using database = await openTestDatabase()
    await fill(database.db)
    await database.db.query(raw(`update admin_actions set ${column} = null where id = 3`))
    expect((await check(database.url)).broken[0]).toMatch(/^entry 3 .* does not have the content/)
  })

  test('shows that an entry was rewritten together with its hash', async () => {
    await using database = await openTestDatabase()
    const { db, url } = database
    await fill(db)
    await db.query(sql`update admin_actions set target = 'crypto' where id = 3`)
    await db.query(sql`update admin_actions a set hash = action_hash(a) where id = 3`)
    expect((await check(url)).broken[0]).toMatch(/^entry 4 .* does not follow the entry before it$/)
  })

  test('shows which entry is missing', async () => {
    for (const [seq, problem] of [
      [1, /^entry 1 is missing: the next one is entry 2 /],
      [3, /^entry 3 is missing: the next one is entry 4 /],
      [4, /^entry 4 is missing: the log had 4 entries$/],
    ] as const) {
      await using database = await openTestDatabase()
      await fill(database.db)
      await database.db.query(sql`delete from admin_actions where id = ${seq}`)
      expect((await check(database.url)).broken[0]).toMatch(problem)
    }
  })

  test('shows that an entry was inserted past the trigger, wherever it is', async () => {
    for (const [seq, problem] of [
      [-7, /^entry -7 .* was inserted, or is one that was pruned before$/],
      [0, /^entry 0 .* was inserted, or is one that was pruned before$/],
      [5, /^entry 5 was not added by the database: its head is entry 4 /],
      [9, /^entries 5 to 8 are missing: the next one is entry 9 /],
    ] as const) {
      await using database = await openTestDatabase()
      const { db, url } = database
      await fill(db)
      await insertPast(db, seq)
      expect((await check(url)).broken[0]).toMatch(problem)
    }
  })

  test('shows that an entry was inserted in the middle and the later ones renumbered', async () => {
    await using database = await openTestDatabase()
    const { db, url } = database
    await fill(db)
    await db.query(sql`update admin_actions set id = -id where id >= 3`)
    await db.query(sql`update admin_actions set id = 1 - id where id < 0`)
    await insertPast(db, 3)
    await db.query(sql`update action_chain set seq = 5`)
    expect((await check(url)).broken[0]).toMatch(
      /^entry 4 .* does not have the content that its hash covers$/,
    )
  })

  test('names every broken entry, and none that is whole', async () => {
    await using database = await openTestDatabase()
    const { db, url } = database
    const plain = { ...byCommand, action: 'test.write', target: 'web' }
    for (let n = 0; n < 40; n++) await db.query(recordAdminAction(plain))
    await db.query(sql`update admin_actions set target = 'crypto' where id in (3, 17)`)
    await db.query(sql`update admin_actions set target = 'pwn', hash = repeat('1', 64) where id = 21`)
    await db.query(sql`delete from admin_actions where id in (8, 30, 31, 40)`)
    const { broken, brokenCount } = await check(url)
    expect(broken.map((line) => /^entr\w+ (\d+(?: to \d+)?)/.exec(line)?.[1])).toEqual([
      '3',
      '8',
      '17',
      '21',
      '30 to 31',
      '40',
    ])
    expect(brokenCount).toBe(6)
    await db.query(sql`update admin_actions set target = 'misc'`)
    const all = await check(url)
    expect(all.broken.length).toBe(20)
    expect(all.brokenCount).toBe(36 + 3)
  })

  test('an earlier head shows that the end was removed or everything was rewritten', async () => {
    await using database = await openTestDatabase()
    const { db, url } = database
    await fill(db)
    const anchor = (await head(db))?.hash ?? ''
    await db.query(recordAdminAction({ ...byCommand, action: 'test.write', target: null }))
    expect(await check(url, anchor)).toMatchObject({ entries: 5, broken: [] })
    await db.query(sql`delete from admin_actions where id >= 4`)
    await db.query(sql`update action_chain set seq = 3, hash = (select hash from admin_actions where id = 3)`)
    expect(await check(url)).toMatchObject({ entries: 3, broken: [] })
    expect((await check(url, anchor)).broken[0]).toBe(
      `no entry up to 3 has the hash ${anchor}: entries were removed or rewritten since it was the head`,
    )
  })

  test('goes on after old entries were pruned, but not if someone else removed them', async () => {
    await using database = await openTestDatabase()
    const { db, url } = database
    await fill(db)
    await pruneHistory(db, 'admin_actions', 2)()
    const few = /^entry 2 and those before it are missing, although only 2 are left/
    // The real job keeps many more, which would be slow to write here.
    expect((await check(url)).broken[0]).toMatch(few)
    await db.query(sql`update action_chain set pruned_seq = 0, pruned_hash = repeat('0', 64)`)
    expect((await check(url)).broken[0]).toMatch(/^entries 1 to 2 are missing: the next one is entry 3 /)
  })

  test('of a database without its head is broken', async () => {
    await using database = await openTestDatabase()
    await database.db.query(sql`delete from action_chain`)
    expect((await check(database.url)).broken[0]).toBe('the head of the chain is missing')
  })
})
