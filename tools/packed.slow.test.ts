import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createProgram } from '../server/src/cli/program.ts'
import type { ProcessContext } from '../server/src/cli/process-context.ts'
import { createDisposal } from '../server/src/lib/disposal.ts'
import { adminBotProviders } from '../server/src/providers/admin-bot/all.ts'
import { analyticsProviders } from '../server/src/providers/analytics/all.ts'
import { backupStores } from '../server/src/providers/backups/backups.ts'
import { captchaProviders } from '../server/src/providers/captcha/all.ts'
import { emailProviders } from '../server/src/providers/email/all.ts'
import { instancerProviders } from '../server/src/providers/instancer/all.ts'
import { messageProviders } from '../server/src/providers/messages/all.ts'
import { moderationProviders } from '../server/src/providers/moderation/all.ts'
import { scoreProviders } from '../server/src/providers/scores/all.ts'
import { uploadProviders } from '../server/src/providers/uploads/all.ts'
import { startBucketStore } from '../server/test/bucket-stores.ts'
import { openTestDatabase } from '../server/test/database.ts'
import { startFakeDocker } from '../server/test/fake-docker.ts'
import { instancerToken, startFakeInstancer } from '../server/test/fake-instancer.ts'
import { clusterToken, startFakeKubernetes } from '../server/test/fake-kubernetes/server.ts'
import { temporaryFolder } from '../server/test/folder.ts'
import { sendJson, startHttpService } from '../server/test/http-service.ts'
import * as ctfd from '../server/test/import/ctfd-archive.ts'
import { createRctfSource } from '../server/test/import/rctf-source.ts'
import { mailAccounts } from '../server/test/mail-accounts.ts'
import { startMailService } from '../server/test/mail-services.ts'
import { startMessageService } from '../server/test/message-services.ts'
import { findFreePort } from '../server/src/lib/free-port.ts'
import { startPacked, type Env } from '../server/test/program.ts'
import { hasRedis, startRedisServer } from '../server/test/redis-server.ts'
import { zipOf } from '../server/test/zips.ts'
import { build } from './build.mjs'

// Operators run the packed program, in which imports differ from those of the sources. Every command, provider and check of
// `pennant doctor` runs on it once, with services on this machine. A new one without an entry here fails a test.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const root = join(import.meta.dirname, '..')
const disposal = createDisposal()
const keep = <T extends AsyncDisposable>(thing: T): T => {
  disposal.defer(() => thing[Symbol.asyncDispose]())
  return thing
}

let folder = ''
let env: Env = {}
let redisUrl: string | undefined
let options: Readonly<Record<string, object>> = {}
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  await build(root)
  folder = keep(await temporaryFolder()).path
  const port = await findFreePort()
  env = {
    PENNANT_CONFIG: at('pennant.yaml'),
    PENNANT_DATA_DIR: at('data'),
    DATABASE_URL: keep(await openTestDatabase()).url,
    HOST: '127.0.0.1',
    PORT: String(port),
  }
  if (hasRedis) redisUrl = keep(await startRedisServer(folder)).url
  options = await startServices()
})
afterAll(() => disposal[Symbol.asyncDispose]())

/** Options of every provider, with services that accept them. */
async function startServices(): Promise<Readonly<Record<string, object>>> {
  const captcha = keep(
    await startHttpService((_asked, response) =>
      sendJson(response, 200, { success: false, 'error-codes': ['invalid-input-response'] }),
    ),
  ).url
  const mail = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: (_auth, _session, done) => done(null, { user: 'ctf' }),
    onData: (stream, _session, done) => stream.resume().on('end', () => done()),
  })
  const listening = mail.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  disposal.defer(() => new Promise<void>((resolve) => mail.close(resolve)))
  const smtpPort = (listening.address() as AddressInfo).port
  const bucket = async (name: 's3' | 'r2' | 'gcs') => keep(await startBucketStore(name)).options
  const service = async (name: keyof typeof mailAccounts) => ({
    ...mailAccounts[name],
    apiUrl: keep(await startMailService(name)).url,
  })
  const target = async (name: 'discord' | 'telegram' | 'webhook') =>
    keep(await startMessageService(name)).options
  const keys = { siteKey: 'a', secretKey: 'b4d7', verifyUrl: captcha }
  const buckets = { s3: await bucket('s3'), r2: await bucket('r2'), gcs: await bucket('gcs') }
  return {
    'emails/smtp': { smtpUrl: `smtp://ctf:f7kq2@127.0.0.1:${smtpPort}` },
    'emails/ses': await service('ses'),
    'emails/postmark': await service('postmark'),
    'emails/mailgun': await service('mailgun'),
    'emails/memory': {},
    'uploads/local': {},
    'uploads/s3': buckets.s3,
    'uploads/r2': buckets.r2,
    'uploads/gcs': buckets.gcs,
    'backups/s3': buckets.s3,
    'backups/r2': without(buckets.r2, 'publicBaseUrl'),
    'backups/gcs': buckets.gcs,
    'captcha/recaptcha': keys,
    'captcha/hcaptcha': keys,
    'captcha/turnstile': keys,
    'captcha/proof-of-work': {},
    'captcha/static': { code: 'right' },
    'messages/discord': await target('discord'),
    'messages/telegram': await target('telegram'),
    'messages/webhook': await target('webhook'),
    'moderation/openai': { apiKey: 'b4d7', apiUrl: captcha },
    'moderation/memory': {},
    'analytics/google': { siteTag: 'G-1' },
    'analytics/cloudflare': { token: 'b4d7' },
    'admin-bots/browser': { endpoint: captcha, secretKey: 'b4d7' },
    'instancers/docker': {
      hosts: [{ url: keep(await startFakeDocker({ now: Date.now })).url, publicHost: 'a.test' }],
    },
    'instancers/kubernetes': {
      apiUrl: keep(await startFakeKubernetes()).url,
      token: clusterToken,
      domain: 'play.test',
    },
    'instancers/http': { apiUrl: keep(await startFakeInstancer()).url, authToken: instancerToken },
    'instancers/memory': {},
    ...Object.fromEntries(scoreProviders.map(({ name }) => [name, {}])),
  }
}

const without = (all: object, key: string) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name !== key))

type Listed = readonly { readonly name: string }[]
const named = ({ name }: { readonly name: string }) => ({ name, options: options[name] })
/** The providers of a port take turns. */
const turn = (list: Listed, round: number) =>
  list.slice(round % list.length, (round % list.length) + 1).map(named)[0]
const ROUNDS = Math.max(
  ...[emailProviders, uploadProviders, captchaProviders, scoreProviders].map((list: Listed) => list.length),
)

/** The configuration of a round; after the last one, every provider was in one. */
function configOf(round: number, origin: string) {
  return {
    origin,
    startTime: new Date(Date.now() - DAY_MS).toISOString(),
    endTime: new Date(Date.now() + DAY_MS).toISOString(),
    ...(redisUrl !== undefined && { redis: { url: redisUrl } }),
    scoreProvider: turn(scoreProviders, round),
    uploadProvider: turn(uploadProviders, round),
    email: { from: 'ctf@ctf.test', provider: turn(emailProviders, round) },
    captcha: { provider: turn(captchaProviders, round), protectedEndpoints: ['recover'] },
    avatarsModeration: { provider: turn(moderationProviders, round) },
    analytics: { provider: turn(analyticsProviders, round) },
    adminBot: { provider: turn(adminBotProviders, round) },
    backup: { schedule: DAY_MS, store: turn(backupStores, round) },
    bloodBot: { destinations: messageProviders.map((one) => ({ provider: named(one) })) },
    instancers: Object.fromEntries(instancerProviders.map((one) => [one.name.split('/')[1], named(one)])),
    defaultInstancer: 'http',
  }
}

async function packed(
  args: readonly string[],
  input = '',
): Promise<{ status: number | null; output: string; text: string }> {
  const program = startPacked(args, { ...env, ...site() }, folder)
  program.child.stdin.end(input)
  const { status, output, complaints } = await program.ended
  return { status, output, text: output + complaints }
}

/** What an import that fails in the bundle looks like. */
const BROKEN = /is not a (?:function|constructor)|is not defined|undefined|Cannot find|\n {4}at /

async function writeConfig(round: number): Promise<void> {
  await writeFile(at('pennant.yaml'), JSON.stringify(configOf(round, `http://127.0.0.1:${env['PORT']}`)))
}

async function serve() {
  const server = startPacked(['serve'], env, folder)
  await server.line(/ready at/)
  return server
}

/** Checks that look at something else than this machine, at data that the contest lacks, or at Redis where there is none. */
const NOT_LOOKED =
  /^(?:certificate|https-redirect|forwarded-address|mail-|admin-bot-visit|release-times|scoring-secrets|sign-in-providers)/

test('every provider starts, and every check of the diagnosis runs', async () => {
  await writeConfig(0)
  const made = await packed(['admin', 'create', '--name', 'Boss', '--email', 'boss@ctf.test', '--json'])
  expect(made.text).toMatch(/^\{/)
  const { authToken } = JSON.parse(made.output) as { authToken: string }
  await mkdir(at('challenges/one/files'), { recursive: true })
  await writeFile(at('challenges/one/challenge.yaml'), CHALLENGE)
  await writeFile(at('token'), authToken)
  const looked = new Set<string>()
  const known = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    await writeConfig(round)
    await using server = await serve()
    // Another file, so that it is stored where this round stores files.
    await writeFile(at('challenges/one/files/a.txt'), String(round))
    const applied = await packed(['challenges', 'apply', 'challenges'])
    expect(applied).toMatchObject({ status: 0 })
    const { output } = await packed(['doctor', '--json', '--instances', '--mail-to', 'you@ctf.test'])
    const { checks } = JSON.parse(output) as { checks: Check[] }
    for (const { name, severity, finding } of checks) {
      expect(finding, name).not.toMatch(BROKEN)
      known.add(name)
      if (severity !== 'unchecked') looked.add(name)
    }
    expect(checks.filter(isError)).toEqual([])
    if (round === 0) expect(await diagnoseInSite(authToken)).toEqual([])
    server.child.kill('SIGTERM')
    expect((await server.ended).output).not.toMatch(BROKEN)
  }
  expect([...known].filter((name) => !looked.has(name) && !NOT_LOOKED.test(name))).toEqual([])
})

interface Check {
  readonly name: string
  readonly severity: string
  readonly finding: string
}

/** The database of the tests is fast and not durable. */
const isError = ({ name, severity }: Check) => severity === 'error' && name !== 'database-durability'

const site = () => ({ PENNANT_URL: `http://127.0.0.1:${env['PORT']}`, PENNANT_TOKEN_FILE: at('token') })

/** The errors that the dashboard shows. */
async function diagnoseInSite(authToken: string): Promise<Check[]> {
  const headers = { authorization: `Bearer ${authToken}`, 'content-type': 'application/json' }
  const call = async (init: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${env['PORT']}/api/v2/admin/diagnosis`, {
      headers,
      ...init,
    })
    return ((await response.json()) as { data: { ranAt: number | null; checks: Check[] } }).data
  }
  await call({ method: 'POST', body: '{"sendMail":true}' })
  await expect.poll(async () => (await call({})).ranAt).not.toBeNull()
  const { checks } = await call({})
  return checks.filter((check) => isError(check) || BROKEN.test(check.finding))
}

const CHALLENGE = `name: One
author: me
description: d
hidden: false
points: { min: 1, max: 100 }
flags:
  - flag: flag{one}
instancer:
  instancer: http
  config: {}
  timeoutMilliseconds: 60000
  expose:
    - { kind: http, hostPrefix: a, containerName: a, containerPort: 80 }
`

/** Arguments of every command that ends by itself, in an order in which each finds what it needs, and a status other than 0. */
const COMMANDS: readonly (readonly [command: string, args: readonly string[], status?: number])[] = [
  ['migrate', []],
  ['token-key', []],
  ['openid-key', []],
  ['config check', []],
  ['config print', []],
  ['config keys', ['backup']],
  ['config init', ['--output', 'new.yaml']],
  ['admin create', ['--name', 'Judge', '--email', 'judge@ctf.test', '--role', 'judge']],
  ['admin promote', ['judge@ctf.test']],
  ['admin sign-out', ['judge@ctf.test']],
  ['admin link', ['judge@ctf.test']],
  ['admin demote', ['judge@ctf.test']],
  ['admin list', []],
  ['team create', ['--name', 'Crew', '--email', 'crew@ctf.test']],
  ['team import', ['teams.csv', '--dry-run']],
  ['challenges plan', ['challenges'], 3],
  ['challenges apply', ['challenges']],
  ['challenges diff', ['challenges']],
  ['challenges export', ['exported']],
  ['challenges check', ['challenges']],
  ['play event', []],
  ['play challenges', ['--unsolved']],
  ['play show', ['one']],
  ['play files', ['one', '--to', 'played']],
  ['play submit', ['one', 'flag{no}'], 3],
  ['play submit', ['one', 'flag{one}']],
  ['play hint', ['one', 'none', '1'], 3],
  ['play instance', ['one']],
  ['play start', ['one']],
  ['play extend', ['one']],
  ['play stop', ['one']],
  ['play bot', ['one', 'url=http://a'], 3],
  ['play bot-jobs', ['one'], 3],
  ['play standing', []],
  ['play scoreboard', []],
  ['play announcements', []],
  ['play page', ['rules'], 3],
  ['play ask', ['May we?']],
  ['play questions', []],
  ['mail test', ['--to', 'you@ctf.test']],
  ['verify', []],
  ['actions export', ['--format', 'csv']],
  ['signing-key', ['signing-key.pem']],
  ['backup', ['--output', 'backup.archive', '--with-secrets']],
  ['restore', ['backup.archive', '--check']],
  ['import rctf', ['dump.sql', '--plan', '--config', 'rctf.yaml'], 1],
  ['import ctfd', ['export.zip', '--plan'], 1],
]

/** They have tests of their own: here, of the package (tools/release), and a run of minutes (tools/mutants). */
const ELSEWHERE = ['serve', 'demo', 'doctor', 'selftest', 'login', 'logout', 'play watch', 'mcp']

type Command = ReturnType<typeof createProgram>

function leavesOf(command: Command, path: readonly string[] = []): string[] {
  return command.commands.length === 0
    ? [path.join(' ')]
    : command.commands.flatMap((one) => leavesOf(one, [...path, one.name()]))
}

test('every command runs', async () => {
  const tried = [...new Set(COMMANDS.map(([command]) => command))]
  expect(leavesOf(createProgram({} as ProcessContext)).toSorted()).toEqual(
    [...tried, ...ELSEWHERE].toSorted(),
  )
  // Files are stored on this machine, from which they can be downloaded.
  await writeConfig(0)
  await writeFile(at('challenges/one/files/a.txt'), 'changed')
  await writeFile(at('dump.sql'), await keep(await createRctfSource('v2')).dump())
  await writeFile(at('teams.csv'), 'name,email\nRowers,rowers@ctf.test\n')
  await writeFile(at('rctf.yaml'), 'ctfName: Old\n')
  await writeFile(at('export.zip'), zipOf(ctfd.entriesOf({ config: ctfd.config({}), users: [ctfd.user(1)] })))
  await using server = await serve()
  for (const [command, args, expected = 0] of COMMANDS) {
    const { status, text } = await packed([...command.split(' '), ...args], '\n'.repeat(20))
    expect({ command, status, text }).toEqual({
      command,
      status: expected,
      text: expect.not.stringMatching(BROKEN),
    })
  }
  server.child.kill('SIGTERM')
  expect((await server.ended).status).toBe(0)
})

test('a person signs the command line in, which then needs no token', async () => {
  await using server = await serve()
  const own = { ...env, ...site(), PENNANT_TOKEN_FILE: '', XDG_CONFIG_HOME: at('config') }
  const ran = async (args: readonly string[]) => await startPacked(args, own, folder).ended
  const login = startPacked(['login', '--name', 'packed'], own, folder)
  const [userCode = ''] = /[A-Z]{4}-[A-Z]{4}/.exec(await login.line(/^ {2}[A-Z]{4}-[A-Z]{4}/)) ?? []
  const headers = {
    authorization: `Bearer ${await readFile(at('token'), 'utf8')}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ userCode, scopes: ['challenges:read'] })
  const url = `${own.PENNANT_URL}/api/v2/device-sign-in/confirm`
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
  expect(await login.ended).toMatchObject({ status: 0 })
  expect((await stat(at('config/pennant/logins.json'))).mode & 0o777).toBe(0o600)
  expect(await ran(['challenges', 'export', 'exported', '--force'])).toMatchObject({ status: 0 })
  expect(await ran(['logout'])).toMatchObject({ status: 0 })
  expect(await ran(['challenges', 'export', 'exported', '--force'])).toMatchObject({ status: 1 })
  server.child.kill('SIGTERM')
  expect((await server.ended).status).toBe(0)
})

test('a server that may open too few files does not start, and names the number', async () => {
  await writeConfig(0)
  const command = [
    '-c',
    'ulimit -n 300 && exec "$@"',
    'sh',
    process.execPath,
    join(root, 'server/dist/main.js'),
    'serve',
  ]
  const started = spawnSync('sh', command, { env: { ...env, PATH: process.env['PATH'] }, encoding: 'utf8' })
  expect(started).toMatchObject({ status: 1, stderr: expect.stringContaining('may open 300 files') })
})
