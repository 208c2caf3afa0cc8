import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import { readSettings, updateSettings } from '@pennant/contract/admin-settings.ts'
import { listTeams } from '@pennant/contract/admin-teams.ts'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { listExternalAuthClients } from '@pennant/contract/external-auth.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer } from '../../server/test/database.ts'
import { runProgram } from '../../server/test/program.ts'
import { allChecks } from '../../server/src/ops/selftest/checks/all.ts'
import { linesOf } from '../../server/src/ops/selftest/report.ts'
import { buildServer } from './build.ts'
import type { Guard } from './mutant.ts'
import { mutants } from './mutants.ts'
import { attack, tryMutant, type TestDatabases } from './score.ts'
import { startStaging, type Staging } from './staging.ts'

// The self-test against a built server, and against servers with one guard removed. `npm run mutants` tries
// all guards.

let databases: TestDatabases
let program: string
let staging: Staging
let call: Client
beforeAll(async () => {
  const { url: serverUrl, template } = testServer()
  databases = { serverUrl, template }
  program = await buildServer('none', null)
  staging = await startStaging({ program, ...databases })
  call = createClient({ baseUrl: staging.url })
})
afterAll(async () => {
  await staging[Symbol.asyncDispose]()
  await rm(dirname(program), { recursive: true, force: true })
})

/** State that the self-test may change and must restore. */
async function readState() {
  const token = staging.adminToken
  const query = { limit: '100', offset: '0' }
  const teams = await call(listTeams, { token, query })
  return {
    names: teams.kind === 'goodAdminUsers' ? teams.data.users.map(({ name }) => name).sort() : teams.kind,
    challenges: (await call(listAdminChallengesV2, { token })).data,
    clients: (await call(listExternalAuthClients, { token })).data,
    settings: (await call(readSettings, { token })).data,
  }
}

test('every class of vulnerabilities has a check', () => {
  const categories = new Set(allChecks.map(({ category }) => category))
  const classes = Array.from({ length: 15 }, (_, index) => `S${index + 1}`)
  expect(classes.filter((name) => !categories.has(name))).toEqual([])
  expect(new Set(allChecks.map(({ name }) => name)).size).toBe(allChecks.length)
})

// Thousands of requests: a generous bound for a busy machine, not a performance target.
const WHOLE_RUN = { timeout: 240_000 }

test('finds no problem in the unmodified server and leaves nothing behind', WHOLE_RUN, async () => {
  const token = staging.adminToken
  const times = { startTime: Date.now() - 1000, endTime: Date.now() + 86_400_000 }
  await call(updateSettings, { token, body: { data: times } })
  const before = await readState()
  const outcome = await attack(staging, {})
  const problems = linesOf(outcome).filter((line) => !line.startsWith('ok'))
  expect(
    outcome.results.filter(({ findings, failed }) => findings.length > 0 || failed !== null),
    problems.join('\n'),
  ).toEqual([])
  expect(outcome.leftBehind).toBeNull()
  expect(await readState()).toEqual(before)
})

test("the server's log contains no token, flag or secret", () => {
  const secrets = [staging.adminToken, ...staging.organiserTokens, 'flag{zq', '-webhook-secret']
  expect(secrets.filter((secret) => staging.log().includes(secret))).toEqual([])
})

test('cleans up when it is stopped', async () => {
  const before = await readState()
  const stop = new AbortController()
  const progress = (line: string) => {
    if (line.endsWith('gates')) stop.abort(new Error('stopped'))
  }
  await expect(attack(staging, { only: ['S3'], signal: stop.signal, progress })).rejects.toThrow('stopped')
  expect(await readState()).toEqual(before)
})

test('refuses a server with teams unless --force is set', async () => {
  await using crowded = await startStaging({ program, ...databases })
  const register = createClient({ baseUrl: crowded.url })
  for (let number = 0; number < 11; number++) {
    const body = { name: `Team ${number}`, email: `team-${number}@ctf.example` }
    expect(await register(registerV2, { body })).toMatchObject({ kind: 'goodRegisterV2' })
  }
  // A player's team may have a name like those of the self-test's teams.
  const namesake = { name: 'Selftest fans', email: 'fans@ctf.example' }
  expect(await register(registerV2, { body: namesake })).toMatchObject({ kind: 'goodRegisterV2' })
  await expect(attack(crowded, { only: ['metrics'] })).rejects.toThrow('--force')
  const query = { limit: '100', offset: '0', search: namesake.name }
  const found = await register(listTeams, { token: crowded.adminToken, query })
  expect(found).toMatchObject({ data: { users: [{ name: namesake.name }] } })
  const forced = await attack(crowded, { only: ['metrics'], force: true })
  expect(forced.results.map(({ name }) => name)).toEqual(['metrics'])
})

describe('the command', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pennant-selftest-'))
    await writeFile(join(folder, 'token'), `${staging.adminToken}\n`)
  })
  afterAll(() => rm(folder, { recursive: true }))

  const run = (...args: string[]) =>
    runProgram(
      ['selftest', '--url', staging.url, '--token', `@${join(folder, 'token')}`, ...args],
      {},
      folder,
    )

  test('prints JSON and exits with 0 if it found nothing', async () => {
    const { status, output, complaints } = await run('--only', 'S8', '--json')
    expect(JSON.parse(output), complaints).toMatchObject({
      isClean: true,
      checks: [{ name: 'webhook-signature' }, { name: 'push-trace' }],
    })
    expect(status).toBe(0)
  })

  test('exits with 1 for a wrong token or an unknown check', async () => {
    const unknown = await run('--only', 'nothing')
    expect([unknown.status, unknown.complaints]).toEqual([
      1,
      expect.stringContaining('There is no check named nothing'),
    ])
    const wrong = await run('--token', 'wrong')
    expect([wrong.status, wrong.complaints]).toEqual([1, expect.stringContaining('badToken')])
  })
})

describe('mutants', () => {
  const guards = [...new Set(mutants.map(({ guard }) => guard))]
  const oneOf = (guard: Guard) => mutants.find((mutant) => mutant.guard === guard) ?? mutants[0]!
  test.each(guards.map((guard) => [guard, oneOf(guard)] as const))(
    'the self-test detects a missing guard: %s',
    async (_guard, mutant) => {
      const { caughtBy } = await tryMutant(mutant, databases)
      expect(caughtBy).toEqual(expect.arrayContaining([...mutant.caughtBy]))
    },
  )
})
