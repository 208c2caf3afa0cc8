import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { putChallenge } from '../../test/contest-data.ts'
import { challengeRow } from '../../test/contest-rows.ts'
import { openTestDatabase } from '../../test/database.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { runProgram } from '../../test/program.ts'
import { diagnose, type Facts } from './diagnose.ts'

vi.setConfig({ testTimeout: 120_000 })

const now = Date.UTC(2030, 4, 2)
const database = { now, fsync: 'on', synchronousCommit: 'on', maxConnections: 100 }
const sound: Facts = {
  origin: 'https://ctf.example',
  now,
  startTime: now,
  endTime: now + 1,
  tokenKey: randomBytes(32),
  hasMail: true,
  hasCaptcha: true,
  freeBytes: 1024 ** 4,
  maxPoolSize: 20,
  database,
  withoutFlags: [],
  sharedSecrets: [],
  uploadFailure: null,
}

test('finds nothing in a sound deployment', () => {
  expect(diagnose(sound).filter(({ severity }) => severity !== 'ok')).toEqual([])
})

test.each<[string, Partial<Facts>]>([
  ['event-times', { endTime: now - 1 }],
  ['public-url', { origin: 'http://ctf.example' }],
  ['token-key', { tokenKey: Buffer.alloc(32) }],
  ['mail', { hasMail: false }],
  ['captcha', { hasCaptcha: false }],
  ['disk-space', { freeBytes: 1000 }],
  ['database-durability', { database: { ...database, synchronousCommit: 'off' } }],
  ['database-connections', { maxPoolSize: 95 }],
  ['clock-difference', { database: { ...database, now: now + 3_000 } }],
  ['challenge-flags', { withoutFlags: ['One'] }],
  ['scoring-secrets', { sharedSecrets: ['One', 'Two'] }],
  ['uploads', { uploadFailure: 'EACCES' }],
])('a fault of %s fails exactly that check', (name, wrong) => {
  const failed = diagnose({ ...sound, ...wrong }).filter(({ severity }) => severity !== 'ok')
  expect(failed.map((each) => each.name)).toEqual([name])
  expect(failed[0]?.remedy).not.toBe('')
})

test('the command finds no error in a new deployment, only what is not configured', async () => {
  await using folder = await temporaryFolder()
  const { status, output } = await runProgram(['doctor', '--json'], { PENNANT_DATA_DIR: folder.path })
  expect(status).toBe(0)
  const checks = JSON.parse(output).checks as { name: string; severity: string }[]
  const failed = checks.filter(({ severity }) => severity !== 'ok').map(({ name }) => name)
  expect(failed).toEqual(['public-url', 'mail', 'captcha'])
})

test('the command reads the challenges and fails for an error', async () => {
  await using db = await openTestDatabase()
  await using folder = await temporaryFolder()
  await putChallenge(db.db, challengeRow('c1', { name: 'Unsolvable', flags: [] }))
  const env = { DATABASE_URL: db.url, PENNANT_DATA_DIR: folder.path, PENNANT_DATABASE_MAX_POOL_SIZE: '4' }
  const { status, output } = await runProgram(['doctor'], env)
  expect(status).toBe(1)
  expect(output).toContain('error   challenge-flags: Visible challenges have no flag: Unsolvable.')
})
