import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase } from '../../test/database.ts'
import { recordLog } from '../../test/log.ts'
import serverPackage from '../../package.json' with { type: 'json' }
import { openDatabase } from './database.ts'
import { migrate, requireMigrated } from './migrate.ts'

let empty: Awaited<ReturnType<typeof createEmptyDatabase>>
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pennant-migrations-'))
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  empty = await createEmptyDatabase()
  await writeFile(
    join(folder, '0001-one.sql'),
    'create table one (id integer);\ninsert into one values (1);\n',
  )
  await rm(join(folder, '0002-two.sql'), { force: true })
  await rm(join(folder, '0003-three.sql'), { force: true })
  return () => empty[Symbol.asyncDispose]()
})

function start(files?: string) {
  const kept = recordLog()
  return migrate({ url: empty.url, log: kept.log, ...(files === undefined ? {} : { folder: files }) }).then(
    () => kept.lines.map(({ fields }) => fields),
  )
}

/** Applies the migrations of the product that come before this number. */
async function startBefore(number: string) {
  const ours = new URL('../../migrations/', import.meta.url)
  const files = (await readdir(ours)).filter((name) => name.endsWith('.sql') && name < number)
  await Promise.all(files.map((name) => copyFile(new URL(name, ours), join(folder, name))))
  await rm(join(folder, '0001-one.sql'))
  await start(folder)
  await Promise.all(files.map((name) => rm(join(folder, name))))
}

test('eight processes that start concurrently apply each migration once', async () => {
  const files = await readdir(new URL('../../migrations/', import.meta.url))
  const names = files.filter((name) => name.endsWith('.sql')).sort()
  // Two changes that took the same number would be applied in the order of their names.
  expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length)
  const started = await Promise.all(Array.from({ length: 8 }, () => start()))
  expect(
    started
      .flat()
      .map((fields) => JSON.stringify(fields))
      .sort(),
  ).toEqual(names.map((name) => JSON.stringify({ name })))
  expect(await start()).toEqual([])
})

test('teams that already share a name except for spaces keep it, and no other team can take it', async () => {
  await startBefore('0017')
  const db = await openDatabase({ url: empty.url, log: recordLog().log })
  const add = (id: string, name: string) =>
    db.query(sql`insert into teams (id, name, email, division) values (${id}, ${name}, ${id}, 'open')`)
  const rename = (id: string, name: string) => db.query(sql`update teams set name = ${name} where id = ${id}`)
  await add('first', 'Red Team')
  await add('second', 'red  team')
  await add('third', 'Red   Team')
  await start()
  const numbers = sql`select id, name, namesake from teams order by n`
  const before = [
    { id: 'first', name: 'Red Team', namesake: 0 },
    { id: 'second', name: 'red  team', namesake: 1 },
    { id: 'third', name: 'Red   Team', namesake: 2 },
  ]
  expect(await db.query(numbers)).toEqual(before)
  // The statements of the previous version do not know the column.
  await expect(add('fourth', 'RED    TEAM')).rejects.toThrow('teams_name_key')
  await rename('second', 'red  team')
  await expect(rename('second', 'RED  Team')).rejects.toThrow('teams_name_key')
  expect(await db.query(numbers)).toEqual(before)
  await rename('second', 'Blue Team')
  await rename('second', 'Green Team')
  await expect(rename('third', 'green   team')).rejects.toThrow('teams_name_key')
  await db.query(sql`delete from teams where id = 'first'`)
  await expect(add('fourth', 'red   team')).rejects.toThrow('teams_name_case_key')
  await db.close()
})

test('a challenge follows its points in ties unless it had another value; direct writes choose it', async () => {
  await startBefore('0018')
  const db = await openDatabase({ url: empty.url, log: recordLog().log })
  const add = (id: string, points: number, tiebreak: boolean) =>
    db.query(sql`insert into challenges (id, points_min, points_max, tiebreak_eligible)
      values (${id}, ${points}, ${points}, ${tiebreak})`)
  await add('usual', 100, true)
  await add('excluded', 100, false)
  await start()
  // Statements of the previous version.
  await db.query(sql`insert into challenges (id, version) values ('made', 0)`)
  await db.query(sql`update challenges set points_min = 1, points_max = 5 where id = 'made'`)
  await add('imported', 0, true)
  await db.query(sql`update challenges set points_min = 0, points_max = 0 where id in ('usual', 'excluded')`)
  const rows = await db.query(
    sql`select id, tiebreak_eligible as eligible, tiebreak_choice as choice from challenges order by id`,
  )
  expect(rows).toEqual([
    { id: 'excluded', eligible: false, choice: false },
    { id: 'imported', eligible: true, choice: true },
    { id: 'made', eligible: true, choice: null },
    { id: 'usual', eligible: false, choice: null },
  ])
  await db.query(sql`update challenges set tiebreak_eligible = false where id = 'made'`)
  expect(await db.query(sql`select tiebreak_choice as choice from challenges where id = 'made'`)).toEqual([
    { choice: false },
  ])
  await db.close()
})

test('applies new migrations in the order of their names', async () => {
  expect(await start(folder)).toEqual([{ name: '0001-one.sql' }])
  await writeFile(join(folder, '0002-two.sql'), 'alter table one add column word text;')
  expect(await start(folder)).toEqual([{ name: '0002-two.sql' }])
})

test('a failed migration changes nothing and is named in the error', async () => {
  await writeFile(join(folder, '0002-two.sql'), 'create table two ();\nselect nonsense;')
  await expect(start(folder)).rejects.toThrow(
    'migration 0002-two.sql failed: column "nonsense" does not exist',
  )
  const db = await openDatabase({ url: empty.url, log: recordLog().log })
  expect(await db.query(sql`select to_regclass('two') as two, (select count(*) from one) as n`)).toEqual([
    { two: null, n: 1 },
  ])
  expect(await db.query(sql`select name from migrations`)).toEqual([{ name: '0001-one.sql' }])
  await db.close()
})

test('refuses a file that was changed after it was applied, except for its line endings', async () => {
  await start(folder)
  await writeFile(
    join(folder, '0001-one.sql'),
    'create table one (id integer);\r\ninsert into one values (1);\r\n',
  )
  expect(await start(folder)).toEqual([])
  await writeFile(join(folder, '0001-one.sql'), 'create table one (id bigint);')
  await expect(start(folder)).rejects.toThrow('migration 0001-one.sql was changed after it was applied')
})

test('refuses a database that another version has migrated, and leaves it unchanged', async () => {
  await writeFile(join(folder, '0002-two.sql'), 'select 1;')
  await start(folder)
  await rm(join(folder, '0002-two.sql'))
  await writeFile(join(folder, '0003-three.sql'), 'create table three ();')
  const { version } = serverPackage
  const refused = `migrated by Pennant ${version} (migration 0002-two.sql of 20`
  await expect(start(folder)).rejects.toThrow(refused)
  await expect(start(folder)).rejects.toThrow(`start ${version} or a newer one, or restore the backup`)
  const db = await openDatabase({ url: empty.url, log: recordLog().log })
  await expect(requireMigrated(db, folder)).rejects.toThrow(refused)
  expect(await db.query(sql`select to_regclass('three') as three`)).toEqual([{ three: null }])
  expect(await db.query(sql`select name from migrations order by name`)).toEqual([
    { name: '0001-one.sql' },
    { name: '0002-two.sql' },
  ])
  // Earlier versions did not record theirs.
  await db.query(sql`alter table migrations drop column release`)
  await expect(requireMigrated(db, folder)).rejects.toThrow('migrated by another version of Pennant')
  await db.close()
})

test.each([
  sql`update migrations set sha256 = 'x' where name = '0004-admin-bot-and-instances.sql'`,
  sql`update migrations set name = '0011-removed.sql' where name = '0010-waves.sql'`,
])('says that a database is of a development version whose files were rewritten: %#', async (change) => {
  await start()
  const db = await openDatabase({ url: empty.url, log: recordLog().log })
  await db.query(change)
  await expect(start()).rejects.toThrow(/made by a development version of Pennant \(migration \S+ of 20\d\d-/)
  await db.close()
})

test.each([
  sql`create table users (id text)`,
  sql`create table pgmigrations (id integer)`,
  sql`create schema drizzle`,
])('refuses a database of rCTF and names its import: %#', async (foreign) => {
  const db = await openDatabase({ url: empty.url, log: recordLog().log })
  await db.query(foreign)
  const refused = /has tables of another program.*`pennant import rctf`/
  await expect(start()).rejects.toThrow(refused)
  await expect(requireMigrated(db)).rejects.toThrow(refused)
  expect(
    await db.query(sql`select to_regclass('migrations') as ours, to_regclass('teams') as teams`),
  ).toEqual([{ ours: null, teams: null }])
  await db.close()
})

test('a database of Pennant may have other tables', async () => {
  await start()
  const db = await openDatabase({ url: empty.url, log: recordLog().log })
  await db.query(sql`create table users (id text)`)
  expect(await start()).toEqual([])
  await db.close()
})

test('refuses to start with `migrate: never` until the database is migrated', async () => {
  const db = await openDatabase({ url: empty.url, log: recordLog().log })
  await expect(requireMigrated(db)).rejects.toThrow(
    'migration 0001-accounts-and-challenges.sql is not applied: run `pennant migrate --backup`',
  )
  await start()
  await requireMigrated(db)
  await db.close()
})

test('a migration lets others use its table while it waits for one that holds it', async () => {
  await start(folder)
  await writeFile(join(folder, '0002-two.sql'), 'alter table one add column word text;')
  const db = await openDatabase({ url: empty.url, log: recordLog().log })
  const kept = recordLog()
  await db.withClient(async (holder) => {
    await holder.query('begin; select id from one')
    const migrated = migrate({ url: empty.url, log: kept.log, folder })
    await expect.poll(() => kept.lines.length).toBeGreaterThan(0)
    expect(await db.query(sql`select id from one`)).toEqual([{ id: 1 }])
    await holder.query('commit')
    await migrated
  })
  expect(kept.lines.at(0)?.fields).toEqual({ attempt: 1 })
  expect(kept.lines.at(-1)?.fields).toEqual({ name: '0002-two.sql' })
  expect(await db.query(sql`select word from one`)).toEqual([{ word: null }])
  await db.close()
})
