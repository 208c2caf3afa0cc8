import { readdir } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { putChallenge } from '../../test/contest-data.ts'
import { challengeRow } from '../../test/contest-rows.ts'
import { createEmptyDatabase, openTestDatabase } from '../../test/database.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { runProgram } from '../../test/program.ts'
import { asAdmin } from '../../test/database-admin.ts'

vi.setConfig({ testTimeout: 120_000 })

const resultsOf = (output: string) => {
  const { checks } = JSON.parse(output) as { checks: { name: string; severity: string; finding: string }[] }
  return new Map(checks.map((each) => [each.name, each]))
}

test('without a database the command says so and creates nothing', async () => {
  await using folder = await temporaryFolder()
  const { status, output } = await runProgram(['doctor', '--json'], { PENNANT_DATA_DIR: folder.path })
  expect(status).toBe(1)
  const results = resultsOf(output)
  expect(results.get('database')).toMatchObject({
    severity: 'error',
    finding: expect.stringContaining(
      `the data folder ${folder.path} (\`dataDir\` in the environment) was never created`,
    ),
  })
  expect(results.get('challenge-flags')?.severity).toBe('unchecked')
  expect(results.get('mail')?.severity).toBe('warning')
  const names = await readdir(folder.path)
  expect(names.filter((name) => name === 'token-key' || name.startsWith('postgres'))).toEqual([])
})

test('a database without the migrations is reported and left unchanged', async () => {
  await using empty = await createEmptyDatabase()
  await using folder = await temporaryFolder()
  const env = { DATABASE_URL: empty.url, PENNANT_DATA_DIR: folder.path }
  const { status, output } = await runProgram(['doctor', '--json'], env)
  expect(status).toBe(1)
  expect(resultsOf(output).get('database')?.finding).toMatch(/^\d+ migrations are not applied/)
  // Fails if the table exists.
  await asAdmin(empty.url, 'create table migrations ()')
})

test('the command reads the challenges and fails for an error', async () => {
  await using db = await openTestDatabase()
  await using folder = await temporaryFolder()
  await putChallenge(db.db, challengeRow('c1', { name: 'Unsolvable', flags: [] }))
  const env = { DATABASE_URL: db.url, PENNANT_DATA_DIR: folder.path, PENNANT_DATABASE_MAX_POOL_SIZE: '4' }
  const { status, output } = await runProgram(['doctor'], env)
  expect(status).toBe(1)
  expect(output).toContain('error   challenge-flags: Visible challenges have no flag: Unsolvable.')
  expect(output).toContain('-       redis: Redis is not configured.')
})

test('an address that is none is refused before anything is sent', async () => {
  const { status, complaints } = await runProgram(['doctor', '--mail-to', 'nobody'])
  expect(status).toBe(1)
  expect(complaints).toContain('nobody is not an email address.')
})
