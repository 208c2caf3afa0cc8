import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readClientAddress } from '@pennant/contract/diagnosis.ts'
import { DAY_MS, HOUR_MS } from '@pennant/contract/durations.ts'
import { Redis } from 'ioredis'
import { SMTPServer } from 'smtp-server'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { putChallenge } from '../../../test/contest-data.ts'
import { challengeRow } from '../../../test/contest-rows.ts'
import { instancerToken, startFakeInstancer } from '../../../test/fake-instancer.ts'
import { temporaryFolder } from '../../../test/folder.ts'
import { sendJson, startHttpService } from '../../../test/http-service.ts'
import { recordLog } from '../../../test/log.ts'
import { startNameServer } from '../../../test/name-server.ts'
import { hasRedis, startRedisServer } from '../../../test/redis-server.ts'
import { readConfig } from '../../config/read-config.ts'
import { startInstancers } from '../../config/start-instancers.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { startEmbedded } from '../../db/embedded.ts'
import { deploymentOf } from '../../db/token-key.ts'
import { migrate } from '../../db/migrate.ts'
import { createDisposal } from '../../lib/disposal.ts'
import type { Subject } from './check.ts'
import { diagnose } from './diagnose.ts'

// Every check runs against a real service on this machine. A sound deployment has no finding; each fault
// changes one thing and must fail exactly its own check.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const DOMAIN = 'ctf.test'
let redisUrl: string | undefined
const { log } = recordLog()
const disposal = createDisposal()
const state = {
  redirects: true,
  acceptsMail: true,
  believesClients: false,
  address: '203.0.113.9',
  forwarding: 'read',
  deployment: '',
  captchaObjection: 'invalid-input-response',
}

type Site = Awaited<ReturnType<typeof startSites>>
let folder: string
let db: Database
let site: Site
let names: Awaited<ReturnType<typeof startNameServer>>
let instancer: Awaited<ReturnType<typeof startFakeInstancer>>
let address: Parameters<typeof openDatabase>[0]

function keep<T extends AsyncDisposable>(thing: T): T {
  disposal.defer(() => thing[Symbol.asyncDispose]())
  return thing
}

beforeAll(async () => {
  folder = keep(await temporaryFolder()).path
  const embedded = keep(await startEmbedded({ dataDir: folder, log }))
  address = { connection: embedded.connection, log, maxPoolSize: 2 }
  await migrate({ connection: embedded.connection, log })
  db = await openDatabase(address)
  disposal.defer(() => db.close())
  await putChallenge(db, challengeRow('sound', { instancerConfig: instances() }))
  await recordRecentBackup()
  await recordTrial('sound')
  if (hasRedis) redisUrl = keep(await startRedisServer(folder)).url
  names = keep(await startNameServer())
  names.texts.set(DOMAIN, 'v=spf1 mx -all').set(`_dmarc.${DOMAIN}`, 'v=DMARC1; p=reject')
  instancer = keep(await startFakeInstancer())
  site = await startSites()
})
afterAll(() => disposal[Symbol.asyncDispose]())

const instances = () => ({
  challengeIntegrationId: 'sound',
  config: {},
  timeoutMilliseconds: 60_000,
  expose: [{ kind: 'http', hostPrefix: 'a', containerName: 'a', containerPort: 80 }],
})
/** The right flag, as an organiser submits it. */
const recordTrial = (id: string) =>
  db.query(sql`
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, created_at)
    values (gen_random_uuid(), 'flag', ${id}, 'organiser', '203.0.113.1', 'correct', '{}', clock_timestamp())`)
const recordRecentBackup = () =>
  db.query(sql`insert into backups (snapshot_at, bytes, path) values (clock_timestamp(), 1, 'a')`)

/** A certificate of an authority of its own, made by the openssl command. */
async function startEncrypted(name: string, days: number): Promise<{ port: number; authority: string }> {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const output = ['-keyout', key, '-out', cert, '-days', String(days)]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes']
  await promisify(execFile)('openssl', [...request, ...output, ...subject])
  const authority = await readFile(cert, 'utf8')
  const options = { key: await readFile(key), cert: authority }
  const server: Server = createServer(options, ({ url, headers }, response) => {
    const forwarded = state.believesClients ? headers['x-forwarded-for'] : undefined
    const { forwarding, deployment } = state
    const data = {
      address: forwarded ?? state.address,
      forwarding,
      deployment,
      lastForwarded: String(forwarded ?? state.address),
    }
    response.end(url === readClientAddress.path ? JSON.stringify({ data }) : 'ok')
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  disposal.defer(() => server.close())
  return { port: (server.address() as AddressInfo).port, authority }
}

async function startMail(): Promise<number> {
  const mail = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: (_auth, _session, done) =>
      state.acceptsMail ? done(null, { user: 'ctf' }) : done(new Error('wrong password')),
  })
  mail.on('error', () => {})
  const listening = mail.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  disposal.defer(() => new Promise<void>((resolve) => mail.close(resolve)))
  return (listening.address() as AddressInfo).port
}

async function startSites() {
  const plain = keep(
    await startHttpService((_asked, response) => {
      response.writeHead(state.redirects ? 308 : 200, { location: 'https://localhost/' }).end()
    }),
  )
  const captcha = keep(
    await startHttpService((_asked, response) =>
      sendJson(response, 200, { success: false, 'error-codes': [state.captchaObjection] }),
    ),
  )
  return {
    good: await startEncrypted('good', 60),
    ending: await startEncrypted('ending', 5),
    plainPort: Number(new URL(plain.url).port),
    captchaUrl: captcha.url,
    mailPort: await startMail(),
  }
}

interface Wrong {
  readonly values?: Readonly<Record<string, unknown>>
  readonly subject?: Partial<Subject>
  readonly site?: { readonly port: number; readonly authority: string }
  readonly deploymentAtUrl?: (own: string) => string
}

async function subjectOf({ values = {}, subject = {}, site: served = site.good, deploymentAtUrl }: Wrong) {
  const keys = { siteKey: 'a', secretKey: randomBytes(16).toString('hex'), verifyUrl: site.captchaUrl }
  const config = readConfig([
    {
      source: 'test',
      values: {
        tokenKey: randomBytes(32).toString('base64'),
        origin: `https://localhost:${served.port}`,
        startTime: Date.now() + DAY_MS,
        dataDir: folder,
        http: { maxConnections: 100 },
        email: {
          from: `ctf@${DOMAIN}`,
          provider: {
            name: 'emails/smtp',
            options: { smtpUrl: `smtp://ctf:f7kq2@127.0.0.1:${site.mailPort}` },
          },
        },
        captcha: { provider: { name: 'captcha/turnstile', options: keys }, protectedEndpoints: ['register'] },
        instancers: {
          one: { name: 'instancers/http', options: { apiUrl: instancer.url, authToken: instancerToken } },
        },
        ...(redisUrl === undefined ? {} : { redis: { url: redisUrl } }),
        ...values,
      },
    },
  ])
  const world = { fetch, log, now: Date.now, dataDir: folder }
  state.deployment = (deploymentAtUrl ?? String)(await deploymentOf(config.tokenKey, db))
  return {
    config,
    now: Date.now,
    db,
    uploads: async () => await config.uploadProvider.start(world),
    async email() {
      const email = (await config.email?.provider.start(world)) ?? null
      disposal.defer(() => email?.close?.())
      return email
    },
    captcha: async () =>
      (await config.captcha?.provider.start({
        ...world,
        markers: {} as never,
        signingKey: config.tokenKey,
      })) ?? null,
    instancers: () => startInstancers(config, world),
    withInstances: true,
    network: { nameServers: [names.address], authority: served.authority, plainPort: site.plainPort },
    nodeVersion: '999.0.0',
    ...subject,
  }
}

async function failedOf(wrong: Wrong = {}) {
  const results = await diagnose(await subjectOf(wrong))
  return results.filter(({ severity }) => severity === 'error' || severity === 'warning')
}

/** Adds challenges for one run. */
async function withChallenges<T>(run: () => Promise<T>, ...rows: ReturnType<typeof challengeRow>[]) {
  for (const row of rows) await putChallenge(db, row)
  try {
    return await run()
  } finally {
    await db.query(sql`delete from challenges where id <> 'sound'`)
  }
}

test('a sound deployment has no finding, and what was checked is not called unchecked', async () => {
  const results = await diagnose(await subjectOf({}))
  expect(results.filter(({ severity }) => severity === 'error' || severity === 'warning')).toEqual([])
  const skipped = results.filter(({ severity }) => severity === 'unchecked').map(({ name }) => name)
  // Nothing in this deployment has a release time, pushed scores, files or sign-in providers, and visits are
  // tested with a browser (bot/test/diagnosis.browser.test.ts).
  const none = ['release-times', 'scoring-secrets', 'challenge-files', 'sign-in-providers', 'admin-bot-visit']
  const redis = redisUrl === undefined ? ['redis', 'redis-eviction', 'redis-persistence'] : []
  expect(skipped).toEqual([...none, ...redis])
  expect(instancer.running.size).toBe(0)
})

async function during(begin: () => unknown, end: () => unknown) {
  await begin()
  try {
    return await failedOf()
  } finally {
    await end()
  }
}

const set = (settings: object) => () => db.query(sql`update settings set data = ${JSON.stringify(settings)}`)
const flags = (flag: string) => [{ provider: 'flags/static', config: { flag } }]
const file = { name: 'a.zip', url: `/uploads/${'0'.repeat(64)}/a.zip`, size: 1 }
async function failedWith(...rows: ReturnType<typeof challengeRow>[]) {
  for (const { id } of rows) await recordTrial(id)
  return await withChallenges(failedOf, ...rows)
}

/** Faults by the check that finds each; a second word tells those of one check apart. */
const FAULTS: Readonly<Record<string, () => ReturnType<typeof failedOf>>> = {
  database: () => failedOf({ subject: { db: 'The database cannot be used.' } }),
  'database-durability': async () => {
    await db.query(sql`alter database postgres set synchronous_commit = off`)
    const other = await openDatabase(address)
    try {
      return await failedOf({ subject: { db: other } })
    } finally {
      await other.close()
      await db.query(sql`alter database postgres reset synchronous_commit`)
    }
  },
  'database-connections': () => failedOf({ values: { database: { maxPoolSize: 500 } } }),
  'clock-difference': () => failedOf({ subject: { now: () => Date.now() + 60_000 } }),
  registration: () => during(set({ registrationMode: 'code' }), set({})),
  visibility: () => during(set({ visibility: { home: 'division', scoreboard: 'division' } }), set({})),
  'personal-data': async () => (await during(set({ startTime: 1, endTime: 2 }), set({}))).slice(0, 1),
  'event-times': () => during(set({ endTime: 1, privacy: { eraseAt: 9e12 } }), set({})),
  'release-times': () =>
    failedWith(challengeRow('late', { flags: flags('flag{late}'), releaseAt: Date.now() + 400 * HOUR_MS })),
  'challenge-flags': () => failedWith(challengeRow('bare', { flags: [] })),
  'flag-cut': () => failedWith(challengeRow('cut', { flags: flags('flag{cut') })),
  'flag-blanks': () => failedWith(challengeRow('blank', { flags: flags('flag{blank} ') })),
  'challenge-points': () => failedWith(challengeRow('free', { flags: flags('flag{0}'), pointsMax: 0 })),
  'scoring-secrets': async () => {
    await db.query(sql`
      insert into challenges (id, name, scoring_kind, scoring_secret)
      select id, id, 'dynamic', repeat('s', 32) from unnest(array['one', 'two']) id`)
    return await failedWith()
  },
  'flag-trials': () =>
    during(
      () =>
        db.query(
          sql`insert into admin_actions (action, target, ip) values ('challenge.update', 'sound', '::1')`,
        ),
      () => db.query(sql`delete from admin_actions`),
    ),
  'flag-secrets': () => failedWith(challengeRow('same')),
  uploads: () =>
    failedOf({
      values: {
        uploadProvider: { name: 'uploads/local', options: { uploadDirectory: 'postgres.log/below' } },
      },
    }),
  'challenge-files': () => failedWith(challengeRow('file', { flags: flags('flag{file}'), files: [file] })),
  'public-url': () => failedOf({ values: { origin: 'https://localhost:1' } }),
  'public-url of another': () => failedOf({ deploymentAtUrl: () => 'another' }),
  'public-url of a copy': () => failedOf({ deploymentAtUrl: (own) => `${own}x` }),
  certificate: () => failedOf({ site: site.ending }),
  'https-redirect': () =>
    during(
      () => (state.redirects = false),
      () => (state.redirects = true),
    ),
  'forwarded-address': () =>
    during(
      () => (state.believesClients = true),
      () => (state.believesClients = false),
    ),
  'forwarded-address without a header': () =>
    during(
      () => (state.forwarding = 'none'),
      () => (state.forwarding = 'read'),
    ),
  'forwarded-address of an untrusted proxy': () =>
    during(
      () => (state.forwarding = 'ignored'),
      () => (state.forwarding = 'read'),
    ),
  'forwarded-address on this machine': () =>
    during(
      () => Object.assign(state, { believesClients: true, address: '127.0.0.1' }),
      () => Object.assign(state, { believesClients: false, address: '203.0.113.9' }),
    ),
  mail: () =>
    during(
      () => (state.acceptsMail = false),
      () => (state.acceptsMail = true),
    ),
  'mail-spf': () =>
    during(
      () => names.texts.delete(DOMAIN),
      () => names.texts.set(DOMAIN, 'v=spf1 mx -all'),
    ),
  'mail-dmarc': () =>
    during(
      () => names.texts.delete(`_dmarc.${DOMAIN}`),
      () => names.texts.set(`_dmarc.${DOMAIN}`, 'v=DMARC1; p=none'),
    ),
  captcha: () =>
    during(
      () => (state.captchaObjection = 'invalid-input-secret'),
      () => (state.captchaObjection = 'invalid-input-response'),
    ),
  'instance-start': () =>
    during(
      () => (instancer.mood = 'talkative'),
      () => (instancer.mood = 'well'),
    ),
  'token-key': () => failedOf({ values: { tokenKey: Buffer.alloc(32).toString('base64') } }),
  'token-key of another database': () =>
    during(
      async () => {
        await db.query(
          sql`insert into teams (id, name, email, division) values ('t', 't', 't@ctf.test', 'open')`,
        )
        await db.query(sql`insert into deployment (token_key_mark) values ('another')`)
      },
      async () => {
        await db.query(sql`delete from teams`)
        await db.query(sql`delete from deployment`)
      },
    ),
  'default-secrets': () => failedOf({ values: { metrics: { token: 'changeme' } } }),
  'file-descriptors': () => failedOf({ values: { http: { maxConnections: 1_000_000 } } }),
  node: () => failedOf({ subject: { nodeVersion: '21.7.3' } }),
  'backup-folder': () => failedOf({ values: { backup: { folder: 'postgres.log/below' } } }),
  backup: () => during(() => db.query(sql`delete from backups`), recordRecentBackup),
}

test.each(Object.entries(FAULTS))('a fault of %s fails exactly that check', async (name, seed) => {
  const failed = await seed()
  expect(failed.map((each) => each.name)).toEqual([name.split(' ')[0]])
  expect(failed[0]?.finding).not.toMatch(/^$|\.\.|routines|\n|ECONN/)
  expect(failed[0]?.remedy).not.toBe('')
})

test.skipIf(!hasRedis).each([
  ['redis-eviction', 'maxmemory-policy', ['allkeys-lru', 'noeviction']],
  ['redis-persistence', 'save', ['', '3600 1']],
] as const)('a Redis with a fault of %s fails exactly that check', async (name, key, [wrong, right]) => {
  const redis = new Redis(redisUrl ?? '')
  try {
    await redis.config('SET', key, wrong)
    expect((await failedOf()).map((each) => each.name)).toEqual([name])
  } finally {
    await redis.config('SET', key, right)
    redis.disconnect()
  }
})
