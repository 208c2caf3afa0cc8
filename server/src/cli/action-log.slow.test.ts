import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { runProgram, type Env } from '../../test/program.ts'

vi.setConfig({ testTimeout: 120_000 })

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pennant-actions-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

interface Line {
  readonly seq: number
  readonly actorName: string
  readonly action: string
  readonly route: string
  readonly hash: string
}

test('commands that write leave entries, `actions export` writes them, and `verify` checks them', async () => {
  await using database = await openTestDatabase()
  const env: Env = { PENNANT_DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url }
  const run = async (...args: string[]) => {
    const ended = await runProgram(args, env)
    return { ...ended, text: ended.output + ended.complaints }
  }
  const email = 'boss@pennant.invalid'
  const archive = join(folder, 'backup.tar')
  const teamFile = join(folder, 'teams.csv')
  await writeFile(teamFile, 'name,email\nImported,imported@pennant.invalid\n')
  for (const args of [
    ['admin', 'create', '--name', 'Boss', '--email', email],
    ['admin', 'demote', email],
    ['admin', 'promote', email, '--role', 'judge'],
    ['admin', 'sign-out', email],
    ['admin', 'link', email],
    ['team', 'create', '--name', 'Players', '--email', 'players@pennant.invalid', '--json'],
    ['team', 'import', teamFile],
    ['token-key', '--accept'],
    ['backup', '--output', archive],
  ])
    expect(await run(...args)).toMatchObject({ status: 0 })
  const refused = ['team', 'create', '--email', 'x@pennant.invalid', '--name']
  expect((await run(...refused, 'Players')).text).toContain('A team with this name already exists.')
  expect((await run(...refused, 'Others', '--division', 'none')).text).toContain('There is no division none')
  const { name } =
    (await database.db.query<{ name: string }>(sql`select current_database() as name`))[0] ?? {}
  await database.db.close()
  expect(await run('restore', archive, '--into', name ?? '')).toMatchObject({ status: 0 })

  const file = join(folder, 'actions.jsonl')
  expect((await run('actions', 'export', '--output', file)).output).toBe(`Wrote ${file}.\n`)
  expect((await run('actions', 'export', '--output', file)).text).toContain('already exists')
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as Line)
  expect(entries.map(({ actorName, action, route }) => [actorName, action, route])).toEqual([
    ['command line', 'organiser.create', 'pennant admin create'],
    ['command line', 'organiser.update', 'pennant admin demote'],
    ['command line', 'organiser.update', 'pennant admin promote'],
    ['command line', 'team.sign-out', 'pennant admin sign-out'],
    ['command line', 'organiser.local-link', 'pennant admin link'],
    ['command line', 'team.create', 'pennant team create'],
    ['command line', 'team.import', 'pennant team import'],
    ['command line', 'token-key.accept', 'pennant token-key'],
    ['command line', 'database.restore', 'pennant restore'],
  ])
  expect(lines.join('')).not.toContain(email)
  const csv = await run(
    'actions',
    'export',
    '--format',
    'csv',
    '--action',
    'organiser',
    '--after',
    '2020-01-01',
  )
  expect(csv.output.trimEnd().split('\n')).toHaveLength(5)
  expect((await run('actions', 'export', '--until', 'later')).text).toContain('later is not a time')

  const anchor = entries[7]?.hash ?? ''
  const head = entries[8]?.hash ?? ''
  const good = await run('verify', '--actions-head', anchor)
  expect(good.status).toBe(0)
  expect(good.output).toContain(`ok     action log: 9 entries, head 9 ${head}`)
  const bad = await run('verify', '--actions-head', 'f'.repeat(64))
  expect(bad).toMatchObject({ status: 1 })
  expect(bad.text).toMatch(/FAILED action log: no entry up to 9 has the hash f{64}/)
  expect((await run('verify', '--actions-head', 'abc')).text).toContain('is not the hash of an entry')
  // The manifest is the last member but one, and not compressed.
  const manifest = await readFile(archive, 'latin1')
  expect(manifest).toContain(`"hash": "${anchor}"`)
})
