import { EventEmitter, once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { Client } from 'pg'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { putChallenge, putFeed } from '../../test/contest-data.ts'
import { challengeRow } from '../../test/contest-rows.ts'
import { createEmptyDatabase, openTestDatabase } from '../../test/database.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { noon, startContest, type Contest } from '../../test/harness.ts'
import { recordLog } from '../../test/log.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { localUploads } from '../providers/uploads/local.ts'
import type { Uploads } from '../providers/uploads/uploads.ts'
import { createBackup } from './create.ts'
import type { Manifest } from './manifest.ts'
import { checkArchive, type ArchiveFile } from './read-archive.ts'
import { restoreArchive } from './restore.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const TEAMS = 30
const CHALLENGES = 10
const keys = { tokenKey: Buffer.alloc(32, 7).toString('base64'), startTime: '2030-05-02T11:00:00.000Z' }
const passphrase = 'correct horse battery'
const uploadKey = `${'a'.repeat(64)}/a file (1).txt`
const longKey = `${'b'.repeat(64)}/${'ü'.repeat(150)}.txt`

const ends: (() => PromiseLike<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

async function folder(): Promise<string> {
  const made = await temporaryFolder()
  ends.push(() => made[Symbol.asyncDispose]())
  return made.path
}

async function uploadsIn(dataDir: string): Promise<Uploads> {
  const context = { fetch, log: recordLog().log, now: () => noon, dataDir }
  return await localUploads.start({ uploadDirectory: 'uploads' }, context)
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function backUp(
  url: string,
  uploads: Uploads,
  [path, secret = null]: readonly [string, (string | null)?],
) {
  return await withClient(url, (client) =>
    createBackup(
      { client, uploads: uploads.contents, keys, config: 'ctfName: Test\n', hasSecrets: false },
      { path, passphrase: secret },
    ),
  )
}

function archiveAt(path: string, secret: string | null = null): ArchiveFile {
  return { path, passphrase: async () => secret }
}

async function restoreTo(url: string, file: ArchiveFile, into: string | null = null) {
  const manifest = await checkArchive(file)
  const uploads = await uploadsIn(await folder())
  const restored = await withClient(url, (client) =>
    restoreArchive(file, manifest, { client, into, uploads }),
  )
  return { restored, uploads, manifest }
}

async function emptyDatabase(): Promise<{ url: string; db: () => Promise<Database> }> {
  const database = await createEmptyDatabase()
  ends.push(() => database[Symbol.asyncDispose]())
  const { url } = database
  return {
    url,
    async db() {
      const db = await openDatabase({ url, log: recordLog().log, maxPoolSize: 4 })
      ends.push(() => db.close())
      return db
    },
  }
}

/** Every row of every table, as text in a fixed order. */
async function dump(db: Database, manifest: Manifest): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {}
  for (const { name } of manifest.tables) {
    // The lease of the worker is not restored.
    if (name === 'leases') continue
    const rows = await db.query<{ row: string }>(raw(`select t::text as row from "${name}" t order by 1`))
    tables[name] = rows.map(({ row }) => row)
  }
  return tables
}

async function standingsOf({ url }: Contest): Promise<string> {
  const paths = [
    '/api/v2/leaderboard/now?limit=100&offset=0',
    '/api/v2/leaderboard/graph?limit=100',
    '/api/v1/leaderboard/now?limit=100&offset=0',
  ]
  const bodies = await Promise.all(paths.map(async (path) => (await fetch(url + path)).text()))
  return bodies.join('\n')
}

describe('a backup of a running server', () => {
  let contest: Contest
  let uploads: Uploads
  let path = ''
  let acknowledged: string[] = []
  let manifest: Manifest
  beforeAll(async () => {
    contest = await startContest()
    ends.push(() => contest[Symbol.asyncDispose]())
    const ids = Array.from({ length: CHALLENGES }, (_, n) => `task-${n}`)
    for (const id of ids) await putChallenge(contest.db, challengeRow(id))
    await putChallenge(contest.db, challengeRow('live', { scoringKind: 'dynamic' }))
    const teams = await Promise.all(Array.from({ length: TEAMS }, () => contest.team()))
    const [first] = teams
    await putFeed(contest.db, {
      challengeId: 'live',
      teamId: first?.id ?? '',
      points: 70,
      scoredAt: noon,
      delta: 70,
      tickAt: noon,
    })
    uploads = await uploadsIn(await folder())
    await uploads.store(uploadKey, Buffer.from('content'))
    await uploads.store(longKey, Buffer.alloc(300_000, 'long'))
    path = join(await folder(), 'backup.tar')

    const done: string[] = []
    const started = new EventEmitter()
    const isUnderWay = once(started, 'third')
    const load = teams.map(async ({ id: team, token }) => {
      for (const id of ids) {
        const { kind } = await contest.call(submitFlag, { token, params: { id }, body: { flag: 'flag{x}' } })
        if (kind !== 'goodFlag') throw new Error(`the response was ${kind}`)
        done.push(`${id} ${team}`)
        if (done.length === (TEAMS * CHALLENGES) / 3) started.emit('third')
      }
    })
    await Promise.race([isUnderWay, Promise.all(load)])
    acknowledged = [...done]
    ;({ manifest } = await backUp(contest.databaseUrl, uploads, [path]))
    await Promise.all(load)
  })

  test('is restored elsewhere with every acknowledged solve and byte-identical standings', async () => {
    const target = await emptyDatabase()
    const { restored } = await restoreTo(target.url, archiveAt(path))
    expect(restored).toEqual({ keys, uploads: 2 })
    const db = await target.db()
    const solves = await db.query<{ id: string; pair: string; at: Date }>(
      sql`select id, challenge_id || ' ' || team_id as pair, created_at as at from solves`,
    )
    const pairs = new Set(solves.map(({ pair }) => pair))
    expect(acknowledged.filter((pair) => !pairs.has(pair))).toEqual([])
    // The load went on, so the snapshot is strictly in the past.
    expect(solves.length).toBeLessThan(TEAMS * CHALLENGES)

    // Commit order: all solves up to the last restored one are there, and none after it.
    const lastAt = new Date(Math.max(...solves.map(({ at }) => at.getTime())))
    const ids = solves.map(({ id }) => id)
    expect(
      await contest.db.query(sql`select from solves where created_at < ${lastAt} and id <> all (${ids})`),
    ).toEqual([])
    await contest.db.change(async (tx) => {
      const late = await tx.query<{ challenge: string; team: string }>(sql`
        delete from solves where id <> all (${ids}) returning challenge_id as challenge, team_id as team`)
      tx.changed(
        'solves',
        late.flatMap(({ challenge, team }) => [challenge, team]),
      )
    })
    await using other = await startContest({ beside: { ...contest, databaseUrl: target.url } })
    expect(await standingsOf(other)).toBe(await standingsOf(contest))
    expect(JSON.parse((await standingsOf(other)).split('\n')[0] ?? '').data.leaderboard.length).toBe(TEAMS)
  })

  test('has the row counts, files and checksums in its manifest, and only its user can read it', async () => {
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(path, '..'))).toEqual(['backup.tar'])
    const rows = Object.fromEntries(manifest.tables.map(({ name, rows: count }) => [name, count]))
    expect(rows).toMatchObject({ challenges: CHALLENGES + 1, teams: TEAMS, feed_scores: 1 })
    // Submissions and solves are of one snapshot.
    expect(rows['submissions']).toBe(rows['solves'])
    expect(await checkArchive(archiveAt(path))).toEqual(manifest)
  })

  test('restores the content of uploads, including a name that the disk cannot store', async () => {
    const { uploads: restored } = await restoreTo((await emptyDatabase()).url, archiveAt(path))
    expect(await readFile(join(restored.servedFolder ?? '', uploadKey), 'utf8')).toBe('content')
    expect((await restored.find(longKey))?.size).toBe(300_000)
  })
})

describe('a restore', () => {
  let url = ''
  let source: Database
  let path = ''
  let sealedPath = ''
  beforeAll(async () => {
    const database = await openTestDatabase()
    ends.push(() => database[Symbol.asyncDispose]())
    ;({ url, db: source } = database)
    await putChallenge(source, challengeRow('old \\ \t\n"', { description: '\\N' }))
    await source.query(
      sql`insert into teams (id, name, email, division) values ('t1', 'One', 'one@x.test', 'open')`,
    )
    await source.query(sql`insert into settings_history (version, key, changed_by) values (1, 'k', 't1')`)
    const uploads = await uploadsIn(await folder())
    await uploads.store(uploadKey, Buffer.from('content'))
    const place = await folder()
    path = join(place, 'plain.tar')
    sealedPath = join(place, 'sealed.tar.enc')
    await backUp(url, uploads, [path])
    await backUp(url, uploads, [sealedPath, passphrase])
  })

  test('brings back every row of every table, and sequences go on after the last value', async () => {
    const target = await emptyDatabase()
    const { manifest } = await restoreTo(target.url, archiveAt(sealedPath, passphrase))
    const db = await target.db()
    expect(await dump(db, manifest)).toEqual(await dump(source, manifest))
    const insert = sql`insert into settings_history (version, key, changed_by) values (2, 'k', 't1') returning id`
    const [[made], [expected]] = [await db.query(insert), await source.query(insert)]
    expect(made).toEqual(expected)
    // Triggers work again.
    const [trigger] = await db.query<{ enabled: string }>(
      sql`select tgenabled as enabled from pg_trigger where tgname = 'bloods_announced'`,
    )
    expect(trigger).toEqual({ enabled: 'O' })
  })

  test('refuses a database with rows unless it is named, and then replaces everything', async () => {
    await using other = await openTestDatabase()
    await putChallenge(other.db, challengeRow('theirs'))
    await expect(restoreTo(other.url, archiveAt(path))).rejects.toThrow(/is not empty \(.*challenges/)
    await expect(restoreTo(other.url, archiveAt(path), 'another')).rejects.toThrow(/--into names another/)
    const ids = sql`select id from challenges`
    expect(await other.db.query(ids)).toEqual([{ id: 'theirs' }])
    const [{ name } = { name: '' }] = await other.db.query<{ name: string }>(
      sql`select current_database() as name`,
    )
    await restoreTo(other.url, archiveAt(path), name)
    expect(await other.db.query(ids)).toEqual([{ id: 'old \\ \t\n"' }])
  })

  test('refuses an archive of a newer version', async () => {
    await using newer = await openTestDatabase()
    await newer.db.query(
      sql`insert into migrations (name, sha256) values ('9999-later.sql', ${'0'.repeat(64)})`,
    )
    const archive = join(await folder(), 'newer.tar')
    await backUp(newer.url, await uploadsIn(await folder()), [archive])
    await expect(restoreTo((await emptyDatabase()).url, archiveAt(archive))).rejects.toThrow(/9999-later.sql/)
  })

  test('refuses a wrong, a missing and a short passphrase', async () => {
    await expect(checkArchive(archiveAt(sealedPath, 'wrong horse battery'))).rejects.toThrow(
      /passphrase is wrong/,
    )
    await expect(checkArchive(archiveAt(sealedPath))).rejects.toThrow(/PENNANT_BACKUP_PASSPHRASE_FILE/)
    const uploads = await uploadsIn(await folder())
    const short = backUp(url, uploads, [join(await folder(), 'short'), 'short'])
    await expect(short).rejects.toThrow(/fewer than 12/)
  })

  test('never overwrites a file, and leaves no partial file', async () => {
    await expect(backUp(url, await uploadsIn(await folder()), [path])).rejects.toThrow(/already exists/)
    expect((await readdir(join(path, '..'))).toSorted()).toEqual(['plain.tar', 'sealed.tar.enc'])
  })

  test('an encrypted archive contains no readable text', async () => {
    const bytes = await readFile(sealedPath)
    for (const text of ['tokenKey', 'manifest', 'ustar', 'content']) expect(bytes.includes(text)).toBe(false)
  })

  test.each([
    ['another file', Buffer.from('hello')],
    ['an empty file', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(4096)],
    ['another tar file', Buffer.concat([Buffer.from('other.txt'), Buffer.alloc(2000)])],
  ])('refuses %s', async (_, bytes) => {
    const file = join(await folder(), 'foreign')
    await writeFile(file, bytes)
    await expect(checkArchive(archiveAt(file))).rejects.toThrow(/is not a backup of Pennant/)
  })

  describe.each([
    ['a plain archive', () => path, null],
    ['an encrypted archive', () => sealedPath, passphrase],
  ])('of %s', (_, pathOf, secret) => {
    test('refuses every flipped byte', async () => {
      const bytes = await readFile(pathOf())
      const file = join(await folder(), 'flipped')
      // Deriving a key takes half a second, so fewer offsets of the encrypted archive are tried.
      const step = secret === null ? 37 : Math.ceil(bytes.length / 5)
      const edges =
        secret === null ? everyMemberEdge(bytes) : [0, 26, 27, 42, 43, bytes.length - 17, bytes.length - 1]
      const offsets = new Set(edges)
      for (let at = 0; at < bytes.length; at += step) offsets.add(at)
      const accepted: number[] = []
      for (const at of offsets) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
        await writeFile(file, changed)
        const outcome = await checkArchive(archiveAt(file, secret)).catch((error: Error) => error)
        if (!(outcome instanceof Error)) accepted.push(at)
        else expect(outcome.name, `${at}: ${outcome.message}`).toBe('StartError')
      }
      expect(accepted).toEqual([])
    })

    test('refuses an archive that was cut or extended', async () => {
      const bytes = await readFile(pathOf())
      const file = join(await folder(), 'cut')
      const lengths = [1, 30, 60, 512, 1024, bytes.length - 1024, bytes.length - 512, bytes.length - 1]
      for (const length of lengths) {
        await writeFile(file, bytes.subarray(0, length))
        await expect(checkArchive(archiveAt(file, secret)), String(length)).rejects.toThrow(
          /damaged|is not a backup/,
        )
      }
      await writeFile(file, Buffer.concat([bytes, Buffer.alloc(1)]))
      await expect(checkArchive(archiveAt(file, secret))).rejects.toThrow(/damaged/)
    })
  })

  test('changes nothing if a part is damaged after the check', async () => {
    const target = await emptyDatabase()
    const manifest = await checkArchive(archiveAt(path))
    const bytes = await readFile(path)
    const file = join(await folder(), 'later')
    const at = bytes.indexOf('manifest.json\0') - 200
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(file, bytes)
    const uploads = await uploadsIn(await folder())
    const work = withClient(target.url, (client) =>
      restoreArchive(archiveAt(file), manifest, { client, into: null, uploads }),
    )
    await expect(work).rejects.toThrow(/damaged/)
    const db = await target.db()
    expect(await db.query(sql`select to_regclass('teams') as found`)).toEqual([{ found: null }])
  })
})

/** First and last byte of each header, content and padding. */
function everyMemberEdge(bytes: Buffer): number[] {
  const edges: number[] = []
  for (let at = 0; at < bytes.length - 1024;) {
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8)
    const end = at + 512 + size
    const next = at + 512 + Math.ceil(size / 512) * 512
    edges.push(at, at + 99, at + 130, at + 150, at + 511, at + 512, end - 1, next - 1)
    at = next
  }
  return [...edges, bytes.length - 1024, bytes.length - 1]
}
