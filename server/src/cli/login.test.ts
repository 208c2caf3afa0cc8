import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testToken } from '@pennant/contract/accounts.ts'
import { listApiTokens } from '@pennant/contract/api-tokens.ts'
import { confirmDeviceRequest, denyDeviceRequest, deviceTimes } from '@pennant/contract/device-sign-in.ts'
import { DAY_MS } from '@pennant/contract/durations.ts'
import type { Scope } from '@pennant/contract/scopes.ts'
import type timers from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { startContest, type Contest, type Member } from '../../test/harness.ts'
import type { ProcessContext } from './process-context.ts'
import { run } from './program.ts'

// The pauses between polls end when a test says so.
const { pauses } = vi.hoisted(() => ({ pauses: [] as (() => void)[] }))
vi.mock('node:timers/promises', async (original) => {
  const real = await original<typeof timers>()
  const setTimeout = (ms: number) =>
    ms < deviceTimes.intervalMs
      ? real.setTimeout(ms)
      : new Promise<void>((resolve) => void pauses.push(resolve))
  return { ...real, setTimeout }
})
async function poll() {
  contest.clock.advance(deviceTimes.intervalMs)
  await eventually(() => {
    const end = pauses.shift()
    if (!end) throw new Error('the command does not wait')
    end()
  })
}

let contest: Contest
let admin: Member
let home: string
beforeAll(async () => {
  contest = await startContest()
})
afterAll(() => contest[Symbol.asyncDispose]())
beforeEach(async () => {
  admin = await contest.admin()
  home = await mkdtemp(join(tmpdir(), 'pennant-login-'))
})
afterEach(() => rm(home, { recursive: true }))

function command(args: readonly string[], env: Record<string, string> = {}) {
  const lines: string[] = []
  const context: ProcessContext = {
    env: { XDG_CONFIG_HOME: home, PENNANT_URL: contest.url, ...env },
    command: [process.execPath],
    now: () => contest.clock.now(),
    isTerminal: false,
    print: (line) => void lines.push(line),
    complain: (line) => void lines.push(line),
    ask: async () => null,
    catchSignals: () => new AbortController().signal,
    exit: () => {
      throw new Error('exited')
    },
  }
  const done = run(args, context).then((status) => ({ status, text: lines.join('\n') }))
  return { done, lines }
}

/** The code that the command prints. */
async function codeOf({ lines }: ReturnType<typeof command>): Promise<string> {
  return await eventually(() => {
    const [, code = null] = /^ {2}([A-Z]{4}-[A-Z]{4})$/m.exec(lines.join('\n')) ?? []
    if (code === null) throw new Error('no code yet')
    return code
  })
}

async function signIn(
  args: readonly string[] = [],
  scopes: Scope[] = ['challenges:read', 'challenges:write', 'read'],
) {
  const started = command(['login', ...args])
  const userCode = await codeOf(started)
  const body = { userCode, scopes }
  expect((await contest.call(confirmDeviceRequest, { token: admin.token, body })).kind).toBe(
    'goodDeviceConfirm',
  )
  await poll()
  return await started.done
}

const file = () => join(home, 'pennant/logins.json')
const tokenOf = async () =>
  (JSON.parse(await readFile(file(), 'utf8')) as Record<string, { token: string }>)[contest.url]?.token ?? ''

test('a person confirms, the token is stored for this user only, and commands use it', async () => {
  const { status, text } = await signIn(['--name', 'build machine'])
  expect(text).toContain('https://ctf.example/device')
  expect([status, text]).toEqual([0, expect.stringContaining(`Signed in at ${contest.url}`)])
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  expect(text).not.toContain(await tokenOf())
  const { data } = await contest.call(listApiTokens, { token: admin.token })
  expect(data).toMatchObject({ tokens: [{ name: 'build machine' }] })
  const exported = await command(['challenges', 'export', join(home, 'out')]).done
  expect(exported).toMatchObject({ status: 0 })
  // What is set explicitly comes first.
  const other = await command(['challenges', 'export', join(home, 'out')], { PENNANT_TOKEN: 'wrong' }).done
  expect(other).toMatchObject({ status: 1, text: expect.stringContaining('not valid') as string })
})

test('a second login replaces the first, and a logout revokes', async () => {
  await signIn()
  const first = await tokenOf()
  await signIn()
  const second = await tokenOf()
  const kindOf = async (token: string) => (await contest.call(testToken, { token })).kind
  expect([await kindOf(first), await kindOf(second)]).toEqual(['badToken', 'goodToken'])
  expect(await command(['logout'], { PENNANT_URL: '' }).done).toMatchObject({ status: 0 })
  expect(await kindOf(second)).toBe('badToken')
  expect(await readFile(file(), 'utf8')).toBe('{}\n')
  const none = await command(['logout']).done
  expect(none).toMatchObject({ status: 1, text: expect.stringContaining('There is no login') as string })
  const without = await command(['challenges', 'export', join(home, 'out')]).done
  expect(without).toMatchObject({ status: 1, text: expect.stringContaining('pennant login') as string })
})

test('a refusal and an expired request end the command', async () => {
  const refused = command(['login'])
  const body = { userCode: await codeOf(refused) }
  await contest.call(denyDeviceRequest, { token: admin.token, body })
  await poll()
  expect(await refused.done).toMatchObject({ status: 1, text: expect.stringContaining('refused') as string })
  const late = command(['login'])
  await codeOf(late)
  contest.clock.advance(deviceTimes.lifeMs)
  await poll()
  expect(await late.done).toMatchObject({ status: 1, text: expect.stringContaining('in time') as string })
})

test('an expired login and a damaged file say what to do', async () => {
  await signIn()
  contest.clock.advance(91 * DAY_MS)
  const expired = await command(['challenges', 'export', join(home, 'out')]).done
  expect(expired).toMatchObject({ status: 1, text: expect.stringContaining('has expired: run') as string })
  await writeFile(file(), 'nonsense')
  const damaged = await command(['login']).done
  expect(damaged).toMatchObject({ status: 1, text: expect.stringContaining('is damaged') as string })
})

const missing: Record<string, string> = { PENNANT_URL: '' }
test.each([
  { env: missing, args: [], text: 'set PENNANT_URL or --url' },
  { env: {}, args: ['--url', 'ftp://x'], text: 'is not an http or https URL' },
  { env: {}, args: ['--name', '\u202E'], text: '--name' },
])('a login is refused: $text', async ({ env, args, text }) => {
  const { status, text: said } = await command(['login', ...args], env).done
  expect([status, said]).toEqual([1, expect.stringContaining(text)])
})

test.each([
  ['an older release', { kind: 'badEndpoint', message: 'none' }, 'PENNANT_TOKEN_FILE'],
  [
    'a hostile site',
    { kind: 'goodDeviceStart', data: { userCode: '\u001b[2J', url: 'javascript:1', deviceCode: 'x' } },
    'check the address',
  ],
])('%s is recognised', async (_name, body, text) => {
  const server = createServer((_request, response) => response.end(JSON.stringify(body))).listen(0)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { status, text: said } = await command(['login'], { PENNANT_URL: url }).done
  expect([status, said]).toEqual([1, expect.stringContaining(text)])
  expect(said).not.toContain('\u001b')
  server.close()
})
