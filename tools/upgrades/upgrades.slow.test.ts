import { readdir } from 'node:fs/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { createEmptyDatabase } from '../../server/test/database.ts'
import { temporaryFolder } from '../../server/test/folder.ts'
import { runProgram, startProgram } from '../../server/test/program.ts'
import { createApi } from './api.ts'
import { contestEnv, recordContest } from './contest.ts'
import { FIXTURES, readFixture, restoreFixture } from './fixture.ts'

/** Its first schema was rewritten before the first release. */
const REFUSED = 'before-1.0-refused'
/** Of the first commit whose database this version accepts. */
const OLDEST = 'before-1.0'
const names = await readdir(FIXTURES)
const releases = names.filter((name) => /^\d/.test(name))

/** The environment of a server on what an earlier one left. */
async function openFixture(name: string) {
  const database = await createEmptyDatabase()
  const folder = await temporaryFolder()
  await restoreFixture(name, { url: database.url, dataDir: folder.path })
  const port = await findFreePort()
  return {
    database,
    url: `http://127.0.0.1:${port}`,
    env: {
      ...contestEnv,
      DATABASE_URL: database.url,
      PENNANT_DATA_DIR: folder.path,
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function rowsOf(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

test.each(names.filter((name) => name !== REFUSED))(
  'this version continues the contest of %s',
  async (name) => {
    await using fixture = await openFixture(name)
    const { url, env } = fixture
    const { cast, recorded } = await readFixture(name)
    await using server = startProgram(['serve'], env)
    await server.line(/ready at/)
    // Signs in with the tokens of then, and opens the files of then.
    const now = await recordContest(url, createApi(url), { cast, known: recorded })
    const known = Object.entries(recorded).filter(([, value]) => value !== null)
    expect(now).toMatchObject(Object.fromEntries(known))
    const verified = await runProgram(['verify', '--url', url, '--json'], env)
    expect(JSON.parse(verified.output)).toMatchObject({ violations: [], differences: [] })
    expect(verified.status).toBe(0)
    server.child.kill('SIGTERM')
    expect((await server.ended).status).toBe(0)
  },
)

test('the fixtures of releases have all features of then', async () => {
  for (const name of releases) {
    const { recorded } = await readFixture(name)
    expect(Object.entries(recorded).filter(([, value]) => value === null)).toEqual([])
  }
  expect(releases).not.toEqual([])
})

test('a database from before the first schema is refused, with the remedy, and not changed', async () => {
  await using fixture = await openFixture(REFUSED)
  const tables = 'select table_name, column_name from information_schema.columns order by 1, 2'
  const before = await rowsOf(fixture.database.url, tables)
  const { status, output, complaints } = await runProgram(['serve'], fixture.env)
  expect(status).toBe(1)
  expect(output + complaints).toMatch(
    /development version of Pennant \(migration 0001-contest\.sql of \d{4}-\d\d-\d\d\) that no release can migrate: export the contest/,
  )
  expect(await rowsOf(fixture.database.url, tables)).toEqual(before)
})

test('an earlier program on a newer database names both versions and the way back', async () => {
  await using fixture = await openFixture(releases[0] ?? '')
  await rowsOf(
    fixture.database.url,
    `insert into migrations (name, sha256, release) values ('9999-later.sql', 'x', '7.0.0')`,
  )
  const { status, output, complaints } = await runProgram(['serve'], fixture.env)
  expect(status).toBe(1)
  expect(output + complaints).toMatch(
    /migrated by Pennant 7\.0\.0 \(migration 9999-later\.sql of .*\), which this version, \d+\.\d+\.\d+\S*, cannot undo: start 7\.0\.0 or a newer one, or restore/,
  )
})

test('a migration of a database with teams says that only a backup leads back', async () => {
  await using fixture = await openFixture(OLDEST)
  const { output, complaints } = await runProgram(['migrate'], fixture.env)
  expect(output + complaints).toContain('only a backup from before leads back')
})

test('a backup that was made before the migration can be restored', async () => {
  await using fixture = await openFixture(OLDEST)
  const { env, database } = fixture
  const migrated = await runProgram(['migrate', '--backup'], env)
  expect(migrated).toMatchObject({ status: 0, complaints: '' })
  expect(migrated.output).toMatch(/schema 0005-backups\.sql[^]*applied a migration.*0018/)
  expect(migrated.output).not.toContain('only a backup from before')
  const [archive = ''] = /(?<=Wrote )\S+/.exec(migrated.output) ?? []
  await using empty = await createEmptyDatabase()
  await using folder = await temporaryFolder()
  const other = { ...env, DATABASE_URL: empty.url, PENNANT_DATA_DIR: folder.path }
  expect(await runProgram(['restore', archive], other)).toMatchObject({ status: 0 })
  const solves = 'select team_id, challenge_id from solves order by 1, 2'
  expect(await rowsOf(empty.url, solves)).toEqual(await rowsOf(database.url, solves))
  expect(await rowsOf(empty.url, 'select action from admin_actions order by id desc limit 1')).toEqual([
    { action: 'database.restore' },
  ])
})
