import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { findFreePort } from '../lib/free-port.ts'
import { openTestDatabase } from '../../test/database.ts'
import { temporaryFolder } from '../../test/folder.ts'
import * as ctfd from '../../test/import/ctfd-archive.ts'
import { challenge, solve, team } from '../../test/import/rctf-rows.ts'
import { createRctfSource } from '../../test/import/rctf-source.ts'
import { runProgram, startProgram } from '../../test/program.ts'
import { zipOf } from '../../test/zips.ts'

vi.setConfig({ testTimeout: 180_000 })

// Made with the key below for the team `team-0001`: the vector of the description of rCTF's tokens.
const KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const TOKEN = 'ZGVmZ2hpamtsbW5vMzm1REPZerxKQGXZ7VNdz3D3MDq7QNEWheuOPJ7CyGWk2XDxbm+YRB3MTAq23DV3I+M9PvQe'

test('rCTF 8: an old token signs its team in after the import, and a lost key is a loss with status 3', async () => {
  await using source = await createRctfSource('v2')
  await using database = await openTestDatabase()
  await using folder = await temporaryFolder()
  // Its connections look like those of a server.
  await database.db.close()
  await source.add('users', team('team-0001'), team('t2'))
  await source.add('challenges', challenge('a'))
  await source.add('solves', solve('a', 'team-0001'))
  await source.add('external_auth_clients', {
    id: 'c1',
    name: 'Wiki',
    redirect_uri: 'https://wiki.example/cb',
  })
  const at = (name: string) => join(folder.path, name)
  await writeFile(at('rctf.yaml'), `tokenKey: ${KEY}\nctfName: Moved\ndivisions: { open: Open }\n`)
  await writeFile(at('token'), `${TOKEN}\n`)
  await writeFile(at('dump.sql'), await source.dump())
  const port = String(await findFreePort())
  const env = { DATABASE_URL: database.url, PENNANT_DATA_DIR: at('data'), HOST: '127.0.0.1', PORT: port }

  const unknown = await runProgram(['import', 'rctf', source.url, '--plan'], env)
  expect(unknown.status).toBe(3)
  expect(unknown.output).toContain('LOST    tokens: ')
  const wrong = ['import', 'rctf', at('dump.sql'), '--known-token', at('token'), '--json']
  expect((await runProgram([...wrong], env)).status).toBe(3)

  const given = ['--config', at('rctf.yaml'), '--known-token', at('token'), '--tokens', at('secrets')]
  const files = ['--write-config', at('carried.yaml')]
  // A folder in the place of the key stops the command after its commit, where a kill would.
  await mkdir(join(at('data'), 'token-key.partial'), { recursive: true })
  const done = await runProgram(['import', 'rctf', at('dump.sql'), ...given, ...files], env)
  expect(done).toMatchObject({
    status: 0,
    complaints: expect.stringContaining('The next start of the server does it.'),
  })
  await rm(join(at('data'), 'token-key.partial'), { recursive: true })
  expect(await readFile(at('secrets'), 'utf8')).toMatch(/^external client\tc1\tWiki\t[\w-]{43}\n$/)
  expect(await readFile(at('carried.yaml'), 'utf8')).toContain(KEY)
  for (const name of ['secrets', 'carried.yaml']) expect((await stat(at(name))).mode & 0o777).toBe(0o600)

  const again = await runProgram(['import', 'rctf', at('dump.sql'), ...given], env)
  expect(again.status).toBe(1)
  expect(again.complaints).toContain('cannot be imported twice')
  expect((await runProgram(['verify'], env)).status).toBe(0)
  const log = await runProgram(['actions', 'export', '--format', 'jsonl'], env)
  expect(log.output).toContain('"contest.import"')
  expect(log.output).toContain('"pennant import rctf"')
  await using server = startProgram(['serve'], env)
  await server.line(/ready at/)
  const response = await fetch(`http://127.0.0.1:${port}/api/v2/users/me`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  expect(await response.json()).toMatchObject({
    kind: 'goodUserSelfData',
    data: { id: 'team-0001', score: 500 },
  })
  const beside = await runProgram(['import', 'rctf', at('dump.sql')], env)
  expect(beside.complaints).toContain('Stop it first.')
})

test('an export of CTFd is planned, refused without the losses, and imported with links that only this user can read', async () => {
  await using database = await openTestDatabase()
  await using folder = await temporaryFolder()
  await database.db.close()
  const at = (name: string) => join(folder.path, name)
  const submissions = [ctfd.solve(1, [1, 1]), ctfd.solve(2, [1, 2])]
  const unlocked = { user_id: 2, date: ctfd.at('11:10:00') }
  const entries = ctfd.entriesOf({
    // It has no end.
    config: ctfd.config({ end: '' }),
    users: [ctfd.user(1), ctfd.user(2), ctfd.user(3, { type: 'admin', hidden: true })],
    challenges: [ctfd.challenge(1)],
    flags: [ctfd.flag(1, 1)],
    hints: [{ id: 1, challenge_id: 1, content: 'Look', cost: 30 }],
    unlocks: [{ id: 1, target: 1, type: 'hints', ...unlocked }],
    awards: [{ id: 1, value: -30, category: 'hints', name: 'Hint 1', ...unlocked }],
    tokens: [{ id: 1, value: 'very-secret' }],
    submissions,
    solves: ctfd.solvesOf(submissions),
  })
  await writeFile(at('export.zip'), zipOf(entries))
  const env = { DATABASE_URL: database.url, PENNANT_DATA_DIR: at('data'), HOST: '127.0.0.1' }
  const run = (...args: string[]) => runProgram(['import', 'ctfd', at('export.zip'), ...args], env)

  expect(await run('--plan')).toMatchObject({
    status: 1,
    output: expect.stringContaining('PROBLEM event-end') as string,
  })
  const given = ['--end', '2030-05-03T10:00:00Z', '--hidden', 'skip', '--tokens', at('links')]
  const plan = await run('--plan', ...given)
  expect(plan).toMatchObject({
    status: 3,
    output: expect.stringContaining('1 hint purchases') as string,
  })
  expect(plan.output).toContain('LOST    apiTokens: ')
  expect(plan.output).toContain('Nothing was changed.')
  expect(plan.output).not.toContain('very-secret')
  expect((await run(...given)).status).toBe(3)
  expect((await runProgram(['verify'], env)).output).toContain('Computed the standings of 0 teams')

  expect(await run('--accept-loss', ...given)).toMatchObject({ status: 0, complaints: '' })
  expect((await stat(at('links'))).mode & 0o777).toBe(0o600)
  const names = (await readFile(at('links'), 'utf8')).trimEnd().split('\n')
  expect(names.map((line) => line.split('\t')[1])).toEqual(['User 1', 'User 2'])
  expect(await runProgram(['verify'], env)).toMatchObject({
    status: 0,
    output: expect.stringContaining('Computed the standings of 2 teams') as string,
  })
})
