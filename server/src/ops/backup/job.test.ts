import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { openTestDatabase } from '../../../test/database.ts'
import { temporaryFolder } from '../../../test/folder.ts'
import { noon, startContest } from '../../../test/harness.ts'
import { recordLog } from '../../../test/log.ts'
import { readFailedBackup, readLastBackup } from '../../db/backups.ts'
import type { Database } from '../../db/database.ts'
import { startBucketStore } from '../../../test/bucket-stores.ts'
import { backupStores, type BackupStore } from '../../providers/backups/backups.ts'
import { publicKeyOf } from '../../lib/ssh-signature.ts'
import { downloadArchive } from './copies.ts'
import { backupJob } from './job.ts'
import { checkArchive } from './read-archive.ts'
import { verifySignature } from './signature.ts'

vi.setConfig({ testTimeout: 60_000 })

const source = {
  uploads: null,
  keys: { tokenKey: Buffer.alloc(32).toString('base64'), startTime: '2030-05-02T11:00:00.000Z' },
  config: 'ctfName: Test\n',
  hasSecrets: false,
}

const unencrypted = {
  passphrase: async () => null,
  identities: async () => [],
  mayBePlain: true,
  verified: null,
}

interface Options {
  readonly now?: () => number
  readonly store?: BackupStore
  readonly signingKey?: KeyObject
}

function jobIn(folder: string, db: Database, options: Options = {}) {
  const { now = Date.now, store = null, signingKey = null } = options
  const { log } = recordLog()
  return backupJob({
    db,
    log,
    now,
    everyMs: HOUR_MS,
    retention: 2,
    folder,
    encryption: async () => null,
    signingKey: async () => signingKey,
    store,
    source,
  })
}

const signal = new AbortController().signal

test('makes a backup when the last one is older than the interval, and keeps the newest', async () => {
  await using database = await openTestDatabase()
  await using place = await temporaryFolder()
  const folder = join(place.path, 'backups')
  let at = Date.now()
  const job = jobIn(folder, database.db, { now: () => at })
  await job.run(signal)
  const [first = ''] = await readdir(folder)
  expect(await readLastBackup(database.db)).toBeGreaterThan(at - HOUR_MS)
  expect((await checkArchive({ path: join(folder, first), ...unencrypted })).uploads).toBeNull()

  await job.run(signal)
  expect(await readdir(folder)).toEqual([first])
  await writeFile(join(folder, 'notes.txt'), 'not a backup')
  const stale = `${first}.00000000-0000-4000-8000-000000000000.partial`
  await writeFile(join(folder, stale), '')
  await utimes(join(folder, stale), 0, 0)
  for (const hours of [2, 4]) {
    // The database dates snapshots with its own clock.
    at = Date.now() + hours * HOUR_MS
    await job.run(signal)
  }
  const names = await readdir(folder)
  expect(names.length).toBe(3)
  expect(names).toContain('notes.txt')
  expect(names).not.toContain(first)
})

test('leaves no file and no record when it is stopped or fails', async () => {
  await using database = await openTestDatabase()
  await using place = await temporaryFolder()
  const folder = join(place.path, 'backups')
  await mkdir(folder)
  const job = jobIn(folder, database.db)
  await expect(job.run(AbortSignal.abort())).rejects.toThrow()
  expect(await readFailedBackup(database.db)).toBeNull()
  await writeFile(join(place.path, 'file'), '')
  for (const at of [noon, noon + 30_000]) {
    const failing = jobIn(join(place.path, 'file'), database.db, { now: () => at })
    await expect(failing.run(signal)).rejects.toThrow()
    // Since the first failure.
    expect(await readFailedBackup(database.db)).toBe(noon)
  }
  expect(await readdir(folder)).toEqual([])
  expect(await readLastBackup(database.db)).toBeNull()
  // The connection is usable again.
  await job.run(signal)
  expect(await readLastBackup(database.db)).not.toBeNull()
  expect(await readFailedBackup(database.db)).toBeNull()
})

test('the dashboard says at once that a backup failed', async () => {
  await using place = await temporaryFolder()
  const folder = join(place.path, 'file')
  await writeFile(folder, '')
  const config = { startTime: noon - HOUR_MS, backup: { schedule: HOUR_MS, folder } }
  await using contest = await startContest({ config, startsAt: Date.now() })
  await vi.waitFor(async () => expect(await readFailedBackup(contest.db)).not.toBeNull(), { timeout: 30_000 })
  const { token } = await contest.admin()
  const response = await fetch(`${contest.url}/api/v2/admin/overview`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await response.json()) as { data: { warnings: { code: string }[] } }
  expect(data.warnings.map(({ code }) => code)).toContain('backupFailed')
})

test('the worker runs the schedule, and the dashboard shows the age', async () => {
  await using place = await temporaryFolder()
  const startsAt = Date.now()
  const config = {
    startTime: noon - HOUR_MS,
    backup: { schedule: HOUR_MS, folder: place.path },
    metrics: { token: 'metrics-token' },
  }
  await using contest = await startContest({ config, startsAt })
  await vi.waitFor(async () => expect(await readLastBackup(contest.db)).not.toBeNull(), { timeout: 30_000 })
  expect((await readdir(place.path)).filter((name) => name.endsWith('.tar')).length).toBe(1)
  const admin = await contest.admin()
  const overview = async () => {
    const response = await fetch(`${contest.url}/api/v2/admin/overview`, {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    return ((await response.json()) as { data: { lastBackupAt: number; warnings: { code: string }[] } }).data
  }
  const { lastBackupAt, warnings } = await overview()
  expect(lastBackupAt).toBe(await readLastBackup(contest.db))
  expect(warnings.map(({ code }) => code)).not.toContain('backupLate')
})

test.each(['s3', 'r2', 'gcs'] as const)(
  'copies each archive with its signature to a bucket of %s, and keeps the newest there',
  async (name) => {
    await using database = await openTestDatabase()
    await using place = await temporaryFolder()
    await using bucket = await startBucketStore(name)
    const { publicBaseUrl: _, ...options } = { publicBaseUrl: undefined, ...bucket.options }
    const found = backupStores.find((each) => each.name === `backups/${name}`)!
    const context = { fetch, log: recordLog().log, now: () => noon, dataDir: place.path }
    const store = await found.start(found.options.parse(options), context)
    const folder = join(place.path, 'backups')
    let at = Date.now()
    const { privateKey: signingKey } = generateKeyPairSync('ed25519')
    const job = jobIn(folder, database.db, { now: () => at, store, signingKey })

    // The store is busy: the archive is not good yet, and the next run copies the same one.
    bucket.fail(9, 503)
    await expect(job.run(signal)).rejects.toThrow(`backups/${name}`)
    expect(await readLastBackup(database.db)).toBeNull()
    bucket.fail(0, 503)
    await job.run(signal)
    const [first = '', ...more] = (await readdir(folder)).toSorted()
    expect(more).toEqual([`${first}.sig`])
    expect(await readLastBackup(database.db)).not.toBeNull()
    expect([...(await store.names())].toSorted()).toEqual([first, ...more])
    const headers = [...bucket.objects.values()][0]?.headers ?? {}
    expect(Object.keys(headers).filter((header) => header.endsWith('-acl'))).toEqual([])

    await store.store('notes.txt', await fileIn(place.path))
    for (const hours of [2, 4]) {
      at = Date.now() + hours * HOUR_MS
      await job.run(signal)
    }
    const kept = (await store.names()).toSorted()
    expect(kept).toEqual(['notes.txt', ...(await readdir(folder)).toSorted()])
    expect(kept.length).toBe(5)
    for (const removed of [first, ...more]) expect(kept).not.toContain(removed)
    const copy = join(place.path, 'copy.tar')
    await downloadArchive(store, kept[1] ?? '', copy)
    const verified = await verifySignature(copy, {
      signedBy: [publicKeyOf(signingKey)],
      mayBeUnsigned: false,
    })
    expect((await checkArchive({ path: copy, ...unencrypted, verified })).uploads).toBeNull()
    expect(await store.open('missing')).toBeNull()
  },
)

async function fileIn(folder: string) {
  const path = join(folder, 'notes')
  await writeFile(path, 'notes')
  return { path, size: 5 }
}
