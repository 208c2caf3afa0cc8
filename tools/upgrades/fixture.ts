import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { asAdmin, withDatabase } from '../../server/test/database-admin.ts'
import { createApi, createOrganiser, startServer } from './api.ts'
import { contestEnv, playContest, recordContest, type Cast, type Recorded } from './contest.ts'

export const FIXTURES = join(import.meta.dirname, 'fixtures')
const DATABASE = 'database.sql.gz'
/** What a server keeps of its data folder besides an embedded database. */
const KEPT = ['token-key', 'uploads']

export interface Fixture {
  /** The commit or the package that made it. */
  readonly from: string
  readonly cast: Cast
  readonly recorded: Recorded
}

/** Plays a contest with a program of a release, and writes its database, its data folder and what it showed. */
export async function makeFixture(
  name: string,
  {
    program,
    from,
    serverUrl,
  }: { readonly program: string; readonly from: string; readonly serverUrl: string },
): Promise<void> {
  const database = `pennant_fixture_${process.pid}`
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-fixture-'))
  const url = withDatabase(serverUrl, database)
  const options = { program, dataDir, env: { ...contestEnv, DATABASE_URL: url, LOG_LEVEL: 'warn' } }
  await asAdmin(serverUrl, `create database ${database}`)
  try {
    await using server = await startServer({ ...options, port: await findFreePort() })
    const authToken = await createOrganiser(options)
    const api = createApi(server.url)
    const cast = await playContest(api, authToken)
    const recorded = await recordContest(server.url, api, { cast })
    await server.stop()
    await writeFixture(name, { dataDir, dump: dumpOf(url), fixture: { from, cast, recorded } })
  } finally {
    await asAdmin(serverUrl, `drop database ${database} with (force)`)
    await rm(dataDir, { recursive: true })
  }
}

/** Statements that any supported server and a plain connection can run. */
function dumpOf(url: string): string {
  const args = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', '--no-comments', url]
  const text = execFileSync('pg_dump', args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  return text.replaceAll(/^(?:\\(?:un)?restrict .*|SET transaction_timeout = 0;|--.*)?\n/gm, '')
}

async function writeFixture(
  name: string,
  { dataDir, dump, fixture }: { readonly dataDir: string; readonly dump: string; readonly fixture: Fixture },
): Promise<void> {
  const folder = join(FIXTURES, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, DATABASE), gzipSync(dump, { level: 9 }))
  for (const each of KEPT) await cp(join(dataDir, each), join(folder, 'data', each), { recursive: true })
  await writeFile(join(folder, 'fixture.json'), `${JSON.stringify(fixture, null, 2)}\n`)
}

export async function readFixture(name: string): Promise<Fixture> {
  return JSON.parse(await readFile(join(FIXTURES, name, 'fixture.json'), 'utf8')) as Fixture
}

/** Restores a fixture into an empty database and an empty folder. */
export async function restoreFixture(
  name: string,
  { url, dataDir }: { readonly url: string; readonly dataDir: string },
): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(gunzipSync(await readFile(join(FIXTURES, name, DATABASE))).toString())
  } finally {
    await client.end()
  }
  await cp(join(FIXTURES, name, 'data'), dataDir, { recursive: true })
}
